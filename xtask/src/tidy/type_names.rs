//! A public type name is declared once in the workspace, so that a search for it finds one thing.

use std::collections::{BTreeMap, BTreeSet};

use super::findings::TidyFindings;
use super::tree::Repository;

/// Names that are still declared more than once, with the number of declarations. The list only
/// shrinks: a name that is missing here must be unique, and one that became unique must leave.
const KNOWN_DUPLICATES: &[(&str, usize)] = &[
    ("App", 2),
    ("Connection", 2),
    ("Line", 2),
    ("Operation", 2),
    ("Plan", 2),
    ("Refusal", 2),
    ("Refused", 2),
    ("Source", 2),
    ("Standing", 2),
    ("Subject", 2),
    ("Words", 2),
];

const DECLARATIONS: [&str; 5] = ["struct ", "enum ", "trait ", "type ", "union "];

pub fn public_type_names_are_unique(tree: &Repository, found: &mut TidyFindings) {
    unique_but_for(tree, KNOWN_DUPLICATES, found);
}

fn unique_but_for(tree: &Repository, known: &[(&str, usize)], found: &mut TidyFindings) {
    let declared = declared(tree);
    for (name, places) in &declared {
        let allowed = known.iter().find(|(known, _)| known == name).map_or(1, |(_, count)| *count);
        if places.len() > allowed {
            let all: Vec<&str> = places.iter().map(String::as_str).collect();
            found.fault(
                name,
                format!("is the name of {} public types: {}", all.len(), all.join(", ")),
            );
        }
    }
    for (name, count) in known {
        let now = declared.get(*name).map_or(0, BTreeSet::len);
        if now < *count {
            let what = match now {
                0 | 1 => "is unique now: remove it from KNOWN_DUPLICATES".to_owned(),
                now => format!("has {now} declarations now: lower its number in KNOWN_DUPLICATES"),
            };
            found.fault(name, what);
        }
    }
}

/// The files that declare each public type. The two backends of the store are one place: a driver's
/// part has the same name in both.
fn declared(tree: &Repository) -> BTreeMap<String, BTreeSet<String>> {
    let mut declared: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for file in tree.rust().filter(|file| file.is_below("src")) {
        let tests_begin = file.tests_begin();
        for (number, line) in file.code_lines() {
            let Some(name) = public_type(&line).filter(|_| number < tests_begin) else { continue };
            let place = file.path.replace("/postgres/", "/sqlite/");
            declared.entry(name.to_owned()).or_default().insert(place);
        }
    }
    declared
}

fn public_type(line: &str) -> Option<&str> {
    let rest = line.trim_start().strip_prefix("pub ")?;
    let rest = DECLARATIONS.into_iter().find_map(|keyword| rest.strip_prefix(keyword))?;
    let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
    // A macro that declares types has no name of its own.
    rest.get(..end).filter(|name| !name.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faults(files: &[(&str, &str)], known: &[(&str, usize)]) -> Vec<String> {
        let mut found = TidyFindings::default();
        unique_but_for(&Repository::of(files), known, &mut found);
        found.faults
    }

    #[test]
    fn a_name_that_two_files_declare_is_a_fault() {
        let files = [
            ("crates/a/src/one.rs", "pub struct Page<'a> {}\nstruct Row;\n"),
            ("crates/b/src/two.rs", "pub enum Page {}\nstruct Row;\n"),
        ];
        assert_eq!(
            faults(&files, &[]),
            ["Page: is the name of 2 public types: crates/a/src/one.rs, crates/b/src/two.rs"]
        );
        assert_eq!(faults(&files, &[("Page", 2)]), [""; 0]);
    }

    #[test]
    fn comments_tests_and_the_two_backends_are_no_second_declaration() {
        let files = [
            ("crates/store/src/sqlite/driver.rs", "pub struct Driver;\n// pub struct Driver;\n"),
            ("crates/store/src/postgres/driver.rs", "pub struct Driver;\n"),
            (
                "crates/a/src/a.rs",
                "fn f() {}\n\n#[cfg(test)]\nmod tests {\n    pub struct Driver;\n}\n",
            ),
            ("crates/a/tests/it/world.rs", "pub struct Driver;\n"),
        ];
        assert_eq!(faults(&files, &[]), [""; 0]);
    }

    #[test]
    fn the_list_of_known_duplicates_shrinks() {
        let files = [
            ("crates/a/src/one.rs", "pub struct Page;\n"),
            ("crates/b/src/two.rs", "pub struct Page;\n"),
        ];
        assert_eq!(
            faults(&files, &[("Page", 3), ("Gone", 2)]),
            [
                "Page: has 2 declarations now: lower its number in KNOWN_DUPLICATES",
                "Gone: is unique now: remove it from KNOWN_DUPLICATES",
            ]
        );
    }
}
