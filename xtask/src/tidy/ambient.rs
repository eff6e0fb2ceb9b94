//! What a function may not pick out of the air: the environment and the wall clock.
//!
//! Clippy refuses the same calls by type. Here the places are named where they are at home, so that
//! an `#[expect]` elsewhere is not enough to move them.

use super::findings::TidyFindings;
use super::tree::{Repository, RepositoryFile};

const ENVIRONMENT: &[&str] = &["env::var(", "env::var_os(", "env::vars(", "env::vars_os("];
const CLOCK: &[&str] = &["SystemTime::now", "Timestamp::now", "Zoned::now"];

/// Developers' tools may read both.
const TOOLS: &[&str] = &["crates/testkit/", "xtask/"];

pub fn environment_is_read_at_the_door(tree: &Repository, found: &mut TidyFindings) {
    let at_home = |file: &RepositoryFile| file.path.starts_with("crates/cli/src/");
    let why = "the environment is read in crates/cli/src and passed down as a value";
    refuse(tree, ENVIRONMENT, at_home, why, found);
}

pub fn clock_is_read_in_one_place(tree: &Repository, found: &mut TidyFindings) {
    let at_home = |file: &RepositoryFile| file.path == "crates/cli/src/clock.rs";
    let why = "the clock is read in crates/cli/src/clock.rs and passed down as a value";
    refuse(tree, CLOCK, at_home, why, found);
}

/// Reports every use of `words` in product code outside its home.
fn refuse(
    tree: &Repository,
    words: &[&str],
    at_home: impl Fn(&RepositoryFile) -> bool,
    why: &str,
    found: &mut TidyFindings,
) {
    let is_tool = |file: &RepositoryFile| TOOLS.iter().any(|tool| file.path.starts_with(tool));
    for file in tree.rust().filter(|file| !at_home(file) && !is_tool(file)) {
        let tests_begin = file.tests_begin();
        for (number, line) in file.code_lines() {
            let used = words.iter().find(|word| line.contains(*word));
            if let Some(word) = used.filter(|_| number < tests_begin) {
                let word = word.trim_end_matches('(');
                found.fault(format!("{}:{number}", file.path), format!("`{word}`: {why}"));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const USES: &str = "fn f() { std::env::var(\"X\"); jiff::Timestamp::now(); }\n";

    fn faults(rule: fn(&Repository, &mut TidyFindings), paths: &[&str]) -> Vec<String> {
        let files: Vec<(&str, &str)> = paths.iter().map(|path| (*path, USES)).collect();
        let mut found = TidyFindings::default();
        rule(&Repository::of(&files), &mut found);
        found.faults
    }

    #[test]
    fn the_environment_is_a_fault_below_the_command_line() {
        let paths = [
            "crates/store/src/sqlite/mod.rs",
            "crates/store/tests/conformance.rs",
            "crates/cli/src/config.rs",
            "crates/testkit/src/postgres.rs",
        ];
        let faults = faults(environment_is_read_at_the_door, &paths);
        assert_eq!(faults.len(), 1, "{faults:?}");
        assert!(faults.iter().all(|fault| fault.contains("sqlite/mod.rs:1")));
    }

    #[test]
    fn the_clock_is_a_fault_everywhere_but_in_its_file() {
        let paths = [
            "crates/cli/src/clock.rs",
            "crates/cli/src/config.rs",
            "crates/engine/src/cursor.rs",
            "crates/engine/benches/pages.rs",
        ];
        let faults = faults(clock_is_read_in_one_place, &paths);
        assert_eq!(faults.len(), 2, "{faults:?}");
    }
}
