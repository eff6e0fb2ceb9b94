//! `docs/requirements.md`: no requirement is missing, and every test it names exists.

use std::collections::BTreeSet;

use super::findings::TidyFindings;
use super::tree::Repository;

const PAGE: &str = "docs/requirements.md";
/// How many requirements each part has; they count from one.
const PARTS: [(&str, usize); 6] =
    [("S0-", 24), ("S1-", 8), ("S2-", 22), ("S3-", 44), ("S4-", 46), ("J", 17)];

pub fn every_requirement_has_its_test(tree: &Repository, found: &mut TidyFindings) {
    let Some(page) = tree.find(PAGE) else {
        found.fault(PAGE, "is missing");
        return;
    };
    let tests = test_names(tree);
    let mut named: BTreeSet<&str> = BTreeSet::new();
    for (line, row) in
        page.text.lines().enumerate().filter_map(|(at, line)| Some((at + 1, row(line)?)))
    {
        let (number, sentence, test) = row;
        let place = format!("{PAGE}:{line}");
        if !named.insert(number) {
            found.fault(&place, format!("{number} stands there twice"));
        }
        if sentence.split_whitespace().count() < 4 {
            found.fault(&place, format!("{number} needs a sentence"));
        }
        if !tests.contains(test) {
            found.fault(&place, format!("there is no test {test}"));
        }
    }
    for (part, count) in PARTS {
        for number in (1..=count).map(|number| format!("{part}{number}")) {
            if !named.remove(number.as_str()) {
                found.fault(PAGE, format!("{number} is missing"));
            }
        }
    }
    for number in named {
        found.fault(PAGE, format!("{number} is no requirement"));
    }
}

/// Number, sentence and test of a row; `None` for what is no row.
fn row(line: &str) -> Option<(&str, &str, &str)> {
    let mut cells = line.strip_prefix("| ")?.strip_suffix(" |")?.split(" | ");
    let (number, sentence, test) = (cells.next()?, cells.next()?, cells.next()?);
    let test = test.strip_prefix('`')?.strip_suffix('`')?;
    Some((number, sentence, test))
}

/// Every function that follows a test attribute, and every test binary.
pub fn test_names(tree: &Repository) -> BTreeSet<&str> {
    let mut names = BTreeSet::new();
    for file in tree.rust() {
        let mut is_test = false;
        for line in file.text.lines().map(str::trim_start) {
            if line.starts_with("#[test]") || line.starts_with("#[tokio::test") {
                is_test = true;
            }
            let function = line.strip_prefix("async fn ").or_else(|| line.strip_prefix("fn "));
            if let (true, Some(function)) = (is_test, function) {
                names.extend(function.split('(').next());
                is_test = false;
            }
        }
        let binary = file.path.strip_suffix("/main.rs").filter(|path| path.contains("/tests/"));
        names.extend(binary.and_then(|path| path.rsplit('/').next()));
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(rows: usize) -> String {
        let numbers = PARTS
            .iter()
            .flat_map(|(part, count)| (1..=*count).map(move |at| format!("{part}{at}")));
        let rows = numbers
            .take(rows)
            .map(|number| format!("| {number} | It does what it says. | `it_does` |\n"));
        rows.collect()
    }

    fn faults(page: &str) -> Vec<String> {
        let mut found = TidyFindings::default();
        let tree = Repository::of(&[
            (PAGE, page),
            ("crates/a/src/b.rs", "#[test]\nfn it_does() {}\nfn other() {}"),
        ]);
        every_requirement_has_its_test(&tree, &mut found);
        found.faults
    }

    #[test]
    fn a_whole_page_is_no_fault_and_a_missing_row_is() {
        let all = PARTS.iter().map(|(_, count)| count).sum();
        assert_eq!(faults(&page(all)), [""; 0]);
        assert_eq!(faults(&page(all - 1)), ["docs/requirements.md: J17 is missing"]);
    }

    #[test]
    fn a_test_that_does_not_exist_or_is_none_is_a_fault() {
        let all = PARTS.iter().map(|(_, count)| count).sum();
        for name in ["gone", "other"] {
            let page = page(all).replacen("it_does", name, 1);
            assert_eq!(faults(&page), [format!("docs/requirements.md:1: there is no test {name}")]);
        }
    }
}
