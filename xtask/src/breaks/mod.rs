//! `cargo xtask breaks`: leaves out one enforcement after another and sees a test fail for each.
//!
//! The work happens in a copy of the tree, so that nothing broken can be committed by mistake.

mod list;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::run;
pub use list::BREAKS;

/// One enforcement, how it is left out, and the tests that must notice.
pub struct Break {
    /// What a reader could then do.
    pub harm: &'static str,
    /// The file, from the root.
    pub file: &'static str,
    /// Pieces of it that occur once each, and what stands there instead. More than one where a
    /// second guard stands behind the first.
    pub edits: &'static [(&'static str, &'static str)],
    /// The package whose tests notice, its test target, and a part of their names.
    pub noticed_by: (&'static str, &'static str, &'static str),
}

impl Break {
    /// The broken file; an error when a piece is not there exactly once.
    pub fn applied_to(&self, source: &str) -> Result<String> {
        let mut broken = source.to_owned();
        for (find, put) in self.edits {
            match broken.matches(find).count() {
                1 => broken = broken.replace(find, put),
                n => bail!("{}: `{find}` occurs {n} times, not once", self.file),
            }
        }
        Ok(broken)
    }
}

pub fn breaks(only: &[String]) -> Result<()> {
    let tree = copy_of_the_tree()?;
    let mut unnoticed = Vec::new();
    for case in BREAKS {
        if !only.is_empty() && !only.iter().any(|word| case.harm.contains(word.as_str())) {
            continue;
        }
        let path = tree.join(case.file);
        let whole = fs::read_to_string(&path).with_context(|| case.file.to_owned())?;
        fs::write(&path, case.applied_to(&whole)?)?;
        let noticed = is_noticed(case, &tree);
        fs::write(&path, whole)?;
        let noticed = noticed?;
        println!("{}  {}", if noticed { "noticed  " } else { "UNNOTICED" }, case.harm);
        if !noticed {
            unnoticed.push(case.harm);
        }
    }
    if !unnoticed.is_empty() {
        bail!("no test noticed: {}", unnoticed.join("; "));
    }
    Ok(())
}

/// Whether tests ran and one failed. A break that does not compile proves nothing.
fn is_noticed(case: &Break, tree: &Path) -> Result<bool> {
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
    fn every_break_still_fits_its_file() {
        let root = run::root().unwrap();
        for case in BREAKS {
            let source = fs::read_to_string(root.join(case.file)).unwrap();
            let broken = case.applied_to(&source).unwrap();
            assert_ne!(broken, source, "{}", case.harm);
        }
    }
}
