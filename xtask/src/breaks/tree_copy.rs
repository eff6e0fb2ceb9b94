//! Proves breaks in a copy of the tree: the tests pass in the whole program and fail in the broken one.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use super::Break;
use crate::run;
use crate::scratch::Scratch;

/// What notices a break: a package, a test target and a part of the names of its tests.
type Tests = (&'static str, &'static str, &'static str);

/// The copy, and which tests prove nothing because they fail there without a break as well.
pub struct TreeCopy {
    tree: PathBuf,
    scratch: Scratch,
    failing: BTreeSet<Tests>,
}

impl TreeCopy {
    /// Copies the tree and runs the tests of these entries there.
    pub fn prepare(cases: &[&Break]) -> Result<Self> {
        let (tree, scratch) = (copy_of_the_tree()?, Scratch::new()?);
        let mut copy = Self { tree, scratch, failing: BTreeSet::new() };
        let tests: BTreeSet<Tests> = cases.iter().map(|case| case.noticed_by).collect();
        for tests in tests {
            let failed = copy.run(tests)?;
            if !failed.is_empty() {
                eprintln!("{tests:?}: {} fail without a break", failed.join(", "));
                copy.failing.insert(tests);
            }
        }
        Ok(copy)
    }

    /// The tests that fail while the files are broken.
    pub fn failed_tests(&self, case: &Break) -> Result<Vec<String>> {
        if self.failing.contains(&case.noticed_by) {
            bail!("its tests fail without the break");
        }
        let mut whole = Vec::new();
        for (file, broken) in case.applied_to(&self.tree)? {
            let path = self.tree.join(file);
            whole.push((path.clone(), fs::read_to_string(&path)?));
            fs::write(path, broken)?;
        }
        let failed = self.run(case.noticed_by);
        for (path, text) in whole {
            fs::write(path, text)?;
        }
        failed
    }

    /// Compiles and runs tests; names those that failed. A program that does not compile is an error.
    fn run(&self, (package, target, name): Tests) -> Result<Vec<String>> {
        let mut tests = run::cargo(&["test", "--locked", "--package", package]);
        match target {
            "lib" => tests.args(["--lib", name]),
            "bin" => tests.args(["--bins", name]),
            target => tests.args(["--test", target, name]),
        };
        // The copy shares what is compiled of other people's crates; its own are named by their path.
        tests.env("CARGO_TARGET_DIR", run::root()?.join("target"));
        self.scratch.give_to(&mut tests);
        let output = tests.current_dir(&self.tree).output()?;
        let said = String::from_utf8_lossy(&output.stdout);
        let (failed, ran) = outcome(&said);
        if !failed.is_empty() || (output.status.success() && ran) {
            return Ok(failed);
        }
        let complaint = String::from_utf8_lossy(&output.stderr);
        bail!("{package} {target} `{name}` ran no test to its end:\n{said}{complaint}")
    }
}

/// The tests that failed, and whether any ran.
fn outcome(said: &str) -> (Vec<String>, bool) {
    let lines = said.lines().filter_map(|line| line.strip_prefix("test "));
    let (mut failed, mut ran) = (Vec::new(), false);
    for (name, word) in lines.filter_map(|line| line.rsplit_once(" ... ")) {
        ran = true;
        // A test that runs itself again inside names itself twice.
        let name = name.trim().to_owned();
        if word == "FAILED" && !failed.contains(&name) {
            failed.push(name);
        }
    }
    (failed, ran)
}

/// A file keeps its time unless its text is another: what an earlier run compiled of a broken file is then older
/// than the whole file and compiled again.
fn copy_of_the_tree() -> Result<PathBuf> {
    let (root, tree) = (run::root()?, run::root()?.join("target/breaks"));
    let listed = run::output_of(Command::new("git").args(["ls-files"]))?;
    let files: BTreeSet<PathBuf> = listed.lines().map(|file| tree.join(file)).collect();
    fs::create_dir_all(&tree)?;
    remove_others(&tree, &files)?;
    for to in &files {
        let from = root.join(to.strip_prefix(&tree)?);
        let text = fs::read(&from).with_context(|| from.display().to_string())?;
        if fs::read(to).is_ok_and(|copied| copied == text) {
            continue;
        }
        fs::create_dir_all(to.parent().context("a file lies in a directory")?)?;
        fs::copy(&from, to)?;
    }
    Ok(tree)
}

fn remove_others(folder: &Path, files: &BTreeSet<PathBuf>) -> Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            remove_others(&path, files)?;
        } else if !files.contains(&path) {
            fs::remove_file(path)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failed_tests_are_named() {
        let said = "running 2 tests\ntest a::b ... ok\ntest a::c ... FAILED\n\ntest result: FAILED. 1 passed";
        assert_eq!(outcome(said), (vec!["a::c".to_owned()], true));
        assert_eq!(outcome("running 0 tests\n\ntest result: ok. 0 passed"), (Vec::new(), false));
    }
}
