//! `cargo xtask breaks`: leaves out one enforcement after another and sees a test fail for each.
//!
//! The work happens in a copy of the tree, so that nothing broken can be committed by mistake.
//! `docs/enforcement.md` shows the list; a test compares the two.

mod doors;
mod holes_growth;
mod kept;
mod operation;
mod reads;
mod table;
mod views;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::run;
pub use operation::{ALL_READS, Operation};

/// One enforcement, how it is left out, and the tests that must notice.
pub struct Break {
    /// What a reader could then do.
    pub harm: &'static str,
    /// The operations that the enforcement stands in front of.
    pub guards: &'static [Operation],
    /// More than one where a second guard stands behind the first.
    pub edits: &'static [Edit],
    /// The package whose tests notice, its test target, and a part of their names.
    pub noticed_by: (&'static str, &'static str, &'static str),
}

/// A piece of a file that occurs once, and what stands there instead.
pub struct Edit {
    /// The file, from the root.
    pub file: &'static str,
    pub find: &'static str,
    pub put: &'static str,
}

/// Tests of the engine by a part of their names.
const fn engine(name: &'static str) -> (&'static str, &'static str, &'static str) {
    ("pdpp-engine", "it", name)
}

/// Every break.
pub fn all() -> impl Iterator<Item = &'static Break> {
    [doors::DOORS, views::VIEWS, reads::READS, kept::KEPT, holes_growth::HOLES]
        .into_iter()
        .flatten()
}

impl Break {
    /// The broken files by their paths; an error when a piece is not there exactly once.
    fn applied_to(&self, tree: &Path) -> Result<BTreeMap<&'static str, String>> {
        let mut files: BTreeMap<&'static str, String> = BTreeMap::new();
        for Edit { file, find, put } in self.edits {
            let whole = match files.remove(file) {
                Some(broken) => broken,
                None => fs::read_to_string(tree.join(file)).with_context(|| (*file).to_owned())?,
            };
            match whole.matches(find).count() {
                1 => files.insert(file, whole.replace(find, put)),
                n => bail!("{file}: `{find}` occurs {n} times, not once"),
            };
        }
        Ok(files)
    }
}

pub fn breaks(only: &[String]) -> Result<()> {
    if only == ["--table"] {
        print!("{}", table::table());
        return Ok(());
    }
    let tree = copy_of_the_tree()?;
    let mut unnoticed = Vec::new();
    for case in all() {
        if !only.is_empty() && !only.iter().any(|word| case.harm.contains(word.as_str())) {
            continue;
        }
        let word = match is_noticed(case, &tree) {
            Ok(true) => "noticed  ",
            Ok(false) => "UNNOTICED",
            Err(fault) => {
                eprintln!("{fault:#}");
                "UNPROVEN "
            }
        };
        println!("{word}  {}", case.harm);
        if word != "noticed  " {
            unnoticed.push(case.harm);
        }
    }
    if !unnoticed.is_empty() {
        bail!("no test noticed: {}", unnoticed.join("; "));
    }
    Ok(())
}

/// Whether a test fails while the files are broken.
fn is_noticed(case: &Break, tree: &Path) -> Result<bool> {
    let mut whole = Vec::new();
    for (file, broken) in case.applied_to(tree)? {
        let path = tree.join(file);
        whole.push((path.clone(), fs::read_to_string(&path)?));
        fs::write(path, broken)?;
    }
    let failed = tests_fail(case, tree);
    for (path, text) in whole {
        fs::write(path, text)?;
    }
    failed
}

/// Whether tests ran and one failed. A break that does not compile proves nothing.
fn tests_fail(case: &Break, tree: &Path) -> Result<bool> {
    let (package, target, name) = case.noticed_by;
    let mut tests = run::cargo(&["test", "--locked", "--package", package, "--test", target, name]);
    // The copy shares what is compiled of other people's crates; its own are named by their path.
    tests.env("CARGO_TARGET_DIR", run::root()?.join("target"));
    let output = tests.current_dir(tree).output()?;
    let said = String::from_utf8_lossy(&output.stdout);
    if said.contains("test result: FAILED") {
        return Ok(true);
    }
    if output.status.success() {
        return Ok(false);
    }
    bail!(
        "{}: the broken program did not run:\n{}",
        case.harm,
        String::from_utf8_lossy(&output.stderr)
    )
}

fn copy_of_the_tree() -> Result<PathBuf> {
    let (root, tree) = (run::root()?, run::root()?.join("target/breaks"));
    if tree.exists() {
        fs::remove_dir_all(&tree)?;
    }
    for file in run::output_of(Command::new("git").args(["ls-files"]))?.lines() {
        let (from, to) = (root.join(file), tree.join(file));
        fs::create_dir_all(to.parent().context("a file lies in a directory")?)?;
        // Kept times keep the copy from being built anew each time.
        fs::copy(&from, &to).with_context(|| file.to_owned())?;
        let modified = fs::metadata(&from)?.modified()?;
        fs::File::options().write(true).open(&to)?.set_modified(modified)?;
    }
    Ok(tree)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_break_still_fits_its_files() {
        let root = run::root().unwrap();
        for case in all() {
            for (file, broken) in case.applied_to(&root).unwrap() {
                let source = fs::read_to_string(root.join(file)).unwrap();
                assert_ne!(broken, source, "{}", case.harm);
            }
        }
    }

    #[test]
    fn every_operation_has_a_break_of_its_own() {
        for operation in Operation::ALL {
            let own = all().filter(|case| case.guards.contains(operation));
            assert!(own.count() > 0, "{operation:?} is guarded by nothing");
        }
    }
}
