//! Numbered files: migrations and decisions count up from one, without gaps and without twins.

use super::findings::TidyFindings;
use super::tree::Repository;

const SQLITE: &str = "crates/store/migrations/sqlite";
const POSTGRES: &str = "crates/store/migrations/postgres";
const DECISIONS: &str = "docs/decisions";

pub fn migrations_are_gap_free(tree: &Repository, found: &mut TidyFindings) {
    let sqlite = numbers(tree, SQLITE, ('_', "sql"), found);
    let postgres = numbers(tree, POSTGRES, ('_', "sql"), found);
    for number in postgres.iter().filter(|number| !sqlite.contains(number)) {
        found.fault(POSTGRES, format!("{number:04} has no brother in {SQLITE}"));
    }
}

pub fn decisions_are_gap_free(tree: &Repository, found: &mut TidyFindings) {
    numbers(tree, DECISIONS, ('-', "md"), found);
}

/// The numbers of a directory's files, in order; misnamed, missing and repeated ones are faults.
fn numbers(
    tree: &Repository,
    directory: &str,
    (separator, extension): (char, &str),
    found: &mut TidyFindings,
) -> Vec<usize> {
    let mut numbers = Vec::new();
    for name in tree.names_in(directory) {
        if name == "README.md" {
            continue;
        }
        match number(name, separator, extension) {
            Some(number) => numbers.push(number),
            None => found.fault(
                format!("{directory}/{name}"),
                format!("must be named 0001{separator}what-it-is.{extension}"),
            ),
        }
    }
    numbers.sort_unstable();
    let wrong = (1..).zip(&numbers).find(|(expected, n)| expected != *n);
    if let Some((expected, number)) = wrong {
        let what = format!("{number:04} stands where {expected:04} belongs");
        found.fault(directory, what);
    }
    numbers
}

/// `0007_records.sql` is 7: four digits, the separator, a name.
fn number(name: &str, separator: char, extension: &str) -> Option<usize> {
    let (stem, found) = name.rsplit_once('.')?;
    let (digits, rest) = stem.split_once(separator)?;
    let well_named = found == extension && digits.len() == 4 && !rest.is_empty();
    well_named.then(|| digits.parse().ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faults(rule: fn(&Repository, &mut TidyFindings), paths: &[&str]) -> Vec<String> {
        let files: Vec<(&str, &str)> = paths.iter().map(|path| (*path, "")).collect();
        let mut found = TidyFindings::default();
        rule(&Repository::of(&files), &mut found);
        found.faults
    }

    #[test]
    fn migrations_may_be_ahead_on_sqlite() {
        let paths = [
            "crates/store/migrations/sqlite/0001_records.sql",
            "crates/store/migrations/sqlite/0002_text.sql",
            "crates/store/migrations/postgres/0001_records.sql",
        ];
        assert_eq!(faults(migrations_are_gap_free, &paths), [""; 0]);
    }

    #[test]
    fn a_gap_a_twin_and_a_bad_name_are_faults() {
        let gap = ["crates/store/migrations/sqlite/0002_text.sql"];
        assert_eq!(faults(migrations_are_gap_free, &gap).len(), 1);
        let twins = ["docs/decisions/0001-a.md", "docs/decisions/0001-b.md"];
        assert_eq!(faults(decisions_are_gap_free, &twins).len(), 1);
        let bad = ["docs/decisions/first.md", "docs/decisions/README.md"];
        assert_eq!(faults(decisions_are_gap_free, &bad).len(), 1);
    }

    #[test]
    fn a_migration_for_postgres_alone_is_a_fault() {
        let paths = ["crates/store/migrations/postgres/0001_records.sql"];
        assert_eq!(faults(migrations_are_gap_free, &paths).len(), 1);
    }
}
