//! `SECURITY.md`: every threat names a test, and every test it names exists.

use std::collections::BTreeSet;

use super::findings::TidyFindings;
use super::requirements::test_names;
use super::tree::Repository;

const PAGE: &str = "SECURITY.md";
/// Where journeys in a browser are played.
const JOURNEYS: &str = "tests/browser/";
/// Where the cases are that every kind of store is tested with.
const CASES: &str = "crates/store/src/conformance/";
/// What ends a name of which only the beginning is written.
const SHORTENED: char = '…';

pub fn every_threat_has_its_test(tree: &Repository, found: &mut TidyFindings) {
    let Some(page) = tree.find(PAGE) else {
        found.fault(PAGE, "is missing");
        return;
    };
    let mut tests = test_names(tree);
    tests.extend(journey_names(tree));
    tests.extend(case_names(tree));
    let mut is_table_of_tests = false;
    for (line, text) in (1..).zip(page.text.lines()) {
        let Some(cell) = last_cell(text) else {
            is_table_of_tests = false;
            continue;
        };
        if cell == "test" {
            is_table_of_tests = true;
            continue;
        }
        let place = format!("{PAGE}:{line}");
        let names: Vec<&str> = names(cell).collect();
        for name in &names {
            let exists = match name.strip_suffix(SHORTENED) {
                Some(start) => tests.iter().any(|test| test.starts_with(start)),
                None => tests.contains(name),
            };
            if !exists {
                found.fault(&place, format!("there is no test {name}"));
            }
        }
        if is_table_of_tests && names.is_empty() && !cell.starts_with("---") {
            found.fault(&place, "this threat names no test");
        }
    }
}

/// The last cell of a row of a table.
fn last_cell(line: &str) -> Option<&str> {
    let row = line.strip_prefix('|')?.strip_suffix('|')?;
    row.rsplit('|').next().map(str::trim)
}

/// Words between backticks that are names of tests: sentences in snake case, journeys in camel case.
fn names(cell: &str) -> impl Iterator<Item = &str> {
    let quoted = cell.split('`').skip(1).step_by(2);
    quoted.filter(|word| {
        let plain = word.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == SHORTENED);
        let is_sentence = word.matches('_').count() >= 2;
        let is_journey = word.starts_with(|c: char| c.is_ascii_lowercase())
            && word.contains(|c: char| c.is_ascii_uppercase());
        plain && (is_sentence || is_journey)
    })
}

/// What the scripts of the browser offer to be played.
fn journey_names(tree: &Repository) -> BTreeSet<&str> {
    let scripts = tree.files.iter().filter(|file| file.path.starts_with(JOURNEYS));
    let lines = scripts.flat_map(|file| file.text.lines());
    let exported = lines.filter_map(|line| line.strip_prefix("export async function "));
    exported.filter_map(|rest| rest.split('(').next()).collect()
}

/// Cases of the store's conformance suite, which one test runs for each kind of store.
fn case_names(tree: &Repository) -> impl Iterator<Item = &str> {
    let files = tree.files.iter().filter(|file| file.path.starts_with(CASES));
    let functions = files.flat_map(|file| file.text.lines()).filter_map(|line| {
        let (_, function) = line.split_once("async fn ")?;
        function.split_once("(store: Arc<dyn Store>)")
    });
    functions.map(|(name, _)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faults(rows: &str) -> Vec<String> {
        let page = format!("# Security\n\n| threat | test |\n|---|---|\n{rows}\n");
        let mut found = TidyFindings::default();
        let tree = Repository::of(&[
            (PAGE, &page),
            ("crates/a/src/b.rs", "#[test]\nfn it_really_does() {}"),
            ("tests/browser/c.mjs", "export async function aPersonLooks(stage) {"),
            ("crates/store/src/conformance/d.rs", "async fn it_is_kept(store: Arc<dyn Store>) {"),
        ]);
        every_threat_has_its_test(&tree, &mut found);
        found.faults
    }

    #[test]
    fn names_that_exist_are_no_fault() {
        let rows = "| one | `it_really_does`, `it_really_…` |\n| two | journey `aPersonLooks`, `it_is_kept` |";
        assert_eq!(faults(rows), [""; 0]);
    }

    #[test]
    fn a_missing_test_and_a_threat_without_one_are_faults() {
        let gone = "there is no test it_did_once_exist";
        assert_eq!(faults("| a | `it_did_once_exist` |"), [format!("SECURITY.md:5: {gone}")]);
        let gone = "SECURITY.md:5: there is no test nobodyLooks";
        assert_eq!(faults("| a | `nobodyLooks` |"), [gone]);
        assert_eq!(faults("| a | tests |"), ["SECURITY.md:5: this threat names no test"]);
    }
}
