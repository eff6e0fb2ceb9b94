//! Unfinished work, waiting tests and examples that nobody runs: none may be committed.

use super::findings::TidyFindings;
use super::tree::Repository;

/// Code that says "later", and why it is refused.
const UNFINISHED: &[(&str, &str)] = &[
    ("#[ignore", "a test that is not run proves nothing"),
    ("todo!", "finish it or leave it out"),
    ("unimplemented!", "finish it or leave it out"),
];

/// Ways to wait for time instead of for the thing itself.
const SLEEPS: &[&str] = &["thread::sleep", "time::sleep"];

pub fn no_unfinished_code(tree: &Repository, found: &mut TidyFindings) {
    // Comments count here, so the word is written apart.
    let promise = concat!("FIX", "ME");
    for file in tree.rust() {
        for (number, line) in file.code_lines() {
            for (word, why) in UNFINISHED.iter().filter(|(word, _)| line.contains(word)) {
                let place = format!("{}:{number}", file.path);
                found.fault(place, format!("`{word}`: {why}"));
            }
        }
        for (number, line) in (1..).zip(file.text.lines()) {
            if line.contains(promise) {
                let place = format!("{}:{number}", file.path);
                found.fault(place, format!("`{promise}`: mend it now or file it"));
            }
        }
    }
}

/// What a merge leaves where two changes met and nobody chose, in any file.
pub fn no_unfinished_merge(tree: &Repository, found: &mut TidyFindings) {
    let marks = [concat!("<<<<", "<<< "), concat!(">>>>", ">>> ")];
    for file in &tree.files {
        for (number, line) in (1..).zip(file.text.lines()) {
            if marks.iter().any(|mark| line.starts_with(mark)) {
                found.fault(format!("{}:{number}", file.path), "a merge that nobody finished");
            }
        }
    }
}

pub fn no_sleep_in_tests(tree: &Repository, found: &mut TidyFindings) {
    for file in tree.rust() {
        let tests_begin = file.tests_begin();
        let in_tests = |(number, _): &(usize, String)| *number > tests_begin;
        for (number, line) in file.code_lines().into_iter().filter(in_tests) {
            if SLEEPS.iter().any(|sleep| line.contains(sleep)) {
                let place = format!("{}:{number}", file.path);
                found.fault(place, "a test waits for an event, never for time");
            }
        }
    }
}

/// Looking for examples costs a pass over each crate, so the crates say that they have none.
pub fn no_example_that_nobody_runs(tree: &Repository, found: &mut TidyFindings) {
    for file in tree.rust() {
        for (number, line) in (1..).zip(file.text.lines()) {
            let line = line.trim_start();
            let comment = line.strip_prefix("///").or_else(|| line.strip_prefix("//!"));
            if comment.is_some_and(|text| text.trim_start().starts_with("```")) {
                let place = format!("{}:{number}", file.path);
                found.fault(place, "an example in a comment is not run: make it a test");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_example_in_a_comment_is_a_fault() {
        let files = [
            ("a.rs", "/// ```\n/// f();\n/// ```\nfn f() {}\n"),
            ("b.rs", "//! ```rust\n"),
            ("c.rs", "// ``` in an ordinary comment, `f()` in a sentence\n/// Calls `f()`.\n"),
        ];
        let mut found = TidyFindings::default();
        no_example_that_nobody_runs(&Repository::of(&files), &mut found);
        assert_eq!(found.faults.len(), 3, "{:?}", found.faults);
    }

    #[test]
    fn a_merge_that_nobody_finished_is_a_fault() {
        let left = concat!("a\n<<<<", "<<< HEAD\nb\n=======\nc\n>>>>", ">>> other\n");
        let files = [("NOTES.md", left), ("TITLE.md", "Title\n=======\n")];
        let mut found = TidyFindings::default();
        no_unfinished_merge(&Repository::of(&files), &mut found);
        assert_eq!(found.faults.len(), 2, "{:?}", found.faults);
    }

    #[test]
    fn unfinished_code_is_a_fault() {
        let promise = concat!("// FIX", "ME later\n");
        let files = [
            ("a.rs", "#[test]\n#[ignore = \"slow\"]\nfn f() {}\n"),
            ("b.rs", "fn f() { todo!() }\n"),
            ("c.rs", "fn f() { unimplemented!() }\n"),
            ("d.rs", promise),
            ("e.rs", "//! Says `todo!()` and `#[ignore]` in a comment.\n"),
        ];
        let mut found = TidyFindings::default();
        no_unfinished_code(&Repository::of(&files), &mut found);
        assert_eq!(found.faults.len(), 4, "{:?}", found.faults);
    }

    #[test]
    fn a_sleeping_test_is_a_fault_and_a_sleeping_server_is_not() {
        let files = [
            ("a/tests/it.rs", "std::thread::sleep(second);\n"),
            ("a/src/tests.rs", "tokio::time::sleep(second).await;\n"),
            ("a/src/b.rs", "#[cfg(test)]\nmod tests {\nthread::sleep(x);\n}\n"),
            ("a/src/c.rs", "tokio::time::sleep(until_retry).await;\n"),
        ];
        let mut found = TidyFindings::default();
        no_sleep_in_tests(&Repository::of(&files), &mut found);
        assert_eq!(found.faults.len(), 3, "{:?}", found.faults);
    }
}
