//! A public type name is declared once in the workspace, so that a search for it finds one thing.

use std::collections::{BTreeMap, BTreeSet};

use super::findings::TidyFindings;
use super::tree::Repository;

const DECLARATIONS: [&str; 5] = ["struct ", "enum ", "trait ", "type ", "union "];

pub fn public_type_names_are_unique(tree: &Repository, found: &mut TidyFindings) {
    for (name, places) in declared(tree).into_iter().filter(|(_, places)| places.len() > 1) {
        let all: Vec<&str> = places.iter().map(String::as_str).collect();
        let what = format!("is the name of {} public types: {}", all.len(), all.join(", "));
        found.fault(&name, what);
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

    fn faults(files: &[(&str, &str)]) -> Vec<String> {
        let mut found = TidyFindings::default();
        public_type_names_are_unique(&Repository::of(files), &mut found);
        found.faults
    }

    #[test]
    fn a_name_that_two_files_declare_is_a_fault() {
        let files = [
            ("crates/a/src/one.rs", "pub struct Page<'a> {}\nstruct Row;\n"),
            ("crates/b/src/two.rs", "pub enum Page {}\nstruct Row;\n"),
        ];
        assert_eq!(
            faults(&files),
            ["Page: is the name of 2 public types: crates/a/src/one.rs, crates/b/src/two.rs"]
        );
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
        assert_eq!(faults(&files), [""; 0]);
    }
}
