//! Files: each says what it is, stays short, and has a name that means something.

use super::findings::TidyFindings;
use super::tree::{Repository, RepositoryFile};

/// Above this a file is split.
const MOST_LINES: usize = 500;
/// Above this a file is worth a question.
const MANY_LINES: usize = 300;
/// A crate's front page is a map and holds no logic.
const MOST_LINES_OF_LIB: usize = 100;
/// Names that say nothing about what is inside.
const EMPTY_NAMES: &[&str] = &["util", "utils", "helper", "helpers", "common", "misc"];

pub fn every_file_says_what_it_is(tree: &Repository, found: &mut TidyFindings) {
    for file in tree.rust() {
        if !file.text.starts_with("//!") {
            found.fault(&file.path, "must open with `//!` and what it is");
        }
    }
}

/// Lines are counted without the test module that closes a file.
pub fn no_file_is_too_long(tree: &Repository, found: &mut TidyFindings) {
    for file in tree.rust() {
        let lines = production_lines(file);
        if file.path.ends_with("/src/lib.rs") && lines > MOST_LINES_OF_LIB {
            let what = format!("{lines} lines; a map has at most {MOST_LINES_OF_LIB}");
            found.fault(&file.path, what);
        } else if lines > MOST_LINES {
            let what = format!("{lines} lines; split it below {MOST_LINES}");
            found.fault(&file.path, what);
        } else if lines > MANY_LINES {
            found.notice(&file.path, format!("{lines} lines; is it still one thing?"));
        }
    }
}

pub fn no_file_has_an_empty_name(tree: &Repository, found: &mut TidyFindings) {
    let says_nothing = |name: &str| EMPTY_NAMES.contains(&name);
    for file in tree.rust() {
        let path = file.path.trim_end_matches(".rs");
        if let Some(name) = path.split('/').find(|part| says_nothing(part)) {
            found.fault(&file.path, format!("`{name}` names no thing of the product"));
        }
        for (number, line) in file.code_lines() {
            let name = declared_module(&line);
            if let Some(name) = name.filter(|name| says_nothing(name)) {
                let place = format!("{}:{number}", file.path);
                found.fault(place, format!("`{name}` names no thing of the product"));
            }
        }
    }
}

fn production_lines(file: &RepositoryFile) -> usize {
    let all = file.text.lines().count();
    let before_tests = super::source::tests_begin(&file.text).map(|line| line - 1);
    before_tests.unwrap_or(all)
}

fn declared_module(line: &str) -> Option<&str> {
    let mut words = line.split_whitespace().skip_while(|word| *word != "mod");
    let name = words.nth(1)?;
    Some(name.trim_end_matches([';', '{']))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faults(rule: fn(&Repository, &mut TidyFindings), files: &[(&str, &str)]) -> Vec<String> {
        let mut found = TidyFindings::default();
        rule(&Repository::of(files), &mut found);
        found.faults
    }

    #[test]
    fn a_file_without_its_first_line_is_a_fault() {
        let files = [("a/good.rs", "//! Good.\n"), ("a/bad.rs", "fn f() {}\n")];
        let faults = faults(every_file_says_what_it_is, &files);
        assert_eq!(faults, ["a/bad.rs: must open with `//!` and what it is"]);
    }

    #[test]
    fn a_long_file_is_a_fault_and_its_tests_do_not_count() {
        let long = "\n".repeat(MOST_LINES + 1);
        let tested = format!("\n#[cfg(test)]\nmod tests {{\n{long}}}\n");
        let files = [("a/long.rs", long.as_str()), ("a/tested.rs", &tested)];
        let faults = faults(no_file_is_too_long, &files);
        assert_eq!(faults.len(), 1, "{faults:?}");
        assert!(faults.iter().all(|fault| fault.starts_with("a/long.rs")));
    }

    #[test]
    fn a_longish_file_is_only_noticed() {
        let mut found = TidyFindings::default();
        let text = "\n".repeat(MANY_LINES + 1);
        no_file_is_too_long(&Repository::of(&[("a/longish.rs", &text)]), &mut found);
        assert_eq!((found.faults.len(), found.notices.len()), (0, 1));
    }

    #[test]
    fn a_front_page_with_logic_is_a_fault() {
        let text = "\n".repeat(MOST_LINES_OF_LIB + 1);
        let files = [("crates/a/src/lib.rs", text.as_str())];
        assert_eq!(faults(no_file_is_too_long, &files).len(), 1);
    }

    #[test]
    fn a_name_that_says_nothing_is_a_fault() {
        let files = [
            ("a/util.rs", "//! x\n"),
            ("a/helpers/mod.rs", "//! x\n"),
            ("a/b.rs", "//! x\npub(crate) mod common {\n}\n"),
            ("a/utility_bill.rs", "//! A `mod misc;` in a comment.\n"),
        ];
        let faults = faults(no_file_has_an_empty_name, &files);
        assert_eq!(faults.len(), 3, "{faults:?}");
    }
}
