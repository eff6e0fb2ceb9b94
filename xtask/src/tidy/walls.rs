//! The walls between crates: what `Cargo.toml` says against the table in `ARCHITECTURE.md`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::{Context, Result};
use serde::Deserialize;

use super::findings::TidyFindings;
use super::tree::Repository;
use crate::run;

const BOOK: &str = "ARCHITECTURE.md";
const HEADER: &str = "| crate | may import";

/// Our crates by directory name, and which of ours each one imports outside of tests.
#[derive(Debug, Default)]
pub struct Rooms(BTreeMap<String, BTreeSet<String>>);

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
}

#[derive(Deserialize)]
struct Package {
    manifest_path: String,
    dependencies: Vec<Dependency>,
}

#[derive(Deserialize)]
struct Dependency {
    /// `None` for an ordinary dependency, else `dev` or `build`.
    kind: Option<String>,
    /// Where it lies, when it is one of ours.
    path: Option<String>,
}

impl Rooms {
    pub fn from_cargo() -> Result<Self> {
        let arguments = ["metadata", "--no-deps", "--format-version", "1"];
        Self::from_metadata(&run::output_of(&mut run::cargo(&arguments))?)
    }

    fn from_metadata(json: &str) -> Result<Self> {
        let metadata: Metadata =
            serde_json::from_str(json).context("`cargo metadata` answered something new")?;
        let mut rooms = BTreeMap::new();
        for package in metadata.packages {
            let directory = package.manifest_path.trim_end_matches("/Cargo.toml");
            let Some(name) = room(directory) else {
                continue;
            };
            let shipped = |dependency: &&Dependency| dependency.kind.as_deref() != Some("dev");
            let ours = package.dependencies.iter().filter(shipped);
            let ours = ours.filter_map(|dependency| room(dependency.path.as_deref()?));
            rooms.insert(name, ours.collect());
        }
        Ok(Self(rooms))
    }
}

/// `…/crates/store` is the room `store`; anything else is none.
fn room(directory: &str) -> Option<String> {
    let directory = Path::new(directory);
    let inside_crates = directory.parent()?.ends_with("crates");
    let name = directory.file_name()?.to_str()?;
    inside_crates.then(|| name.to_owned())
}

pub fn rooms_are_in_the_table(tree: &Repository, rooms: &Rooms, found: &mut TidyFindings) {
    let Some(table) = table(tree) else {
        found.fault(BOOK, format!("has no table that begins `{HEADER}`"));
        return;
    };
    for name in rooms.0.keys().filter(|name| !table.contains_key(*name)) {
        found.fault(BOOK, format!("crates/{name} is not in the table"));
    }
    for name in table.keys().filter(|name| !rooms.0.contains_key(*name)) {
        found.fault(BOOK, format!("crates/{name} is in the table only"));
    }
}

pub fn edges_are_allowed(tree: &Repository, rooms: &Rooms, found: &mut TidyFindings) {
    // A missing table is the fault of the rule above; here it would be one fault per edge.
    let Some(table) = table(tree) else {
        return;
    };
    let nothing = BTreeSet::new();
    for (name, imports) in &rooms.0 {
        let allowed = table.get(name).unwrap_or(&nothing);
        for import in imports.difference(allowed) {
            let place = format!("crates/{name}/Cargo.toml");
            found.fault(place, format!("may not import `{import}` ({BOOK})"));
        }
    }
}

/// The law: each crate and what it may import.
fn table(tree: &Repository) -> Option<BTreeMap<String, BTreeSet<String>>> {
    let mut lines = tree.find(BOOK)?.text.lines();
    lines.find(|line| line.starts_with(HEADER))?;
    let rows: Vec<(String, String)> =
        lines.skip(1).take_while(|line| line.starts_with('|')).filter_map(row).collect();
    let every: BTreeSet<String> = rows.iter().map(|(name, _)| name.clone()).collect();
    let mut above = BTreeSet::new();
    let mut table = BTreeMap::new();
    for (name, imports) in rows {
        let allowed = match imports.as_str() {
            "nothing of ours" => BTreeSet::new(),
            "all" => every.clone(),
            "all of the above" => above.clone(),
            names => names.split(',').map(|n| n.trim().to_owned()).collect(),
        };
        above.insert(name.clone());
        table.insert(name, allowed);
    }
    Some(table)
}

/// The first two cells of a row, without remarks in brackets and without code marks.
fn row(line: &str) -> Option<(String, String)> {
    let mut cells = line.trim_matches('|').split('|').map(plain);
    Some((cells.next()?, cells.next()?))
}

fn plain(cell: &str) -> String {
    let mut depth = 0_usize;
    let mut words = String::new();
    for c in cell.chars().filter(|c| *c != '`' && *c != '*') {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ if depth == 0 => words.push(c),
            _ => {}
        }
    }
    words.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str = "Words.\n\n| crate | may import | may never see |\n|---|---|---|\n\
        | `contract` | nothing of ours | I/O |\n| store | contract | grants, as policy |\n\
        | engine | contract, store (types, only) | HTTP |\n| cli | all of the above | rules |\n\
        | testkit (dev) | all | – |\n\nMore words.\n";

    fn rooms(pairs: &[(&str, &[&str])]) -> Rooms {
        let owned = |names: &[&str]| names.iter().map(ToString::to_string).collect();
        let pairs = pairs.iter().map(|(name, ours)| ((*name).to_owned(), owned(ours)));
        Rooms(pairs.collect())
    }

    fn faults(rule: fn(&Repository, &Rooms, &mut TidyFindings), rooms: &Rooms) -> Vec<String> {
        let mut found = TidyFindings::default();
        rule(&Repository::of(&[(BOOK, TABLE)]), rooms, &mut found);
        found.faults
    }

    #[test]
    fn allowed_edges_are_fine() {
        let rooms = rooms(&[
            ("engine", &["contract", "store"]),
            ("cli", &["contract", "store", "engine"]),
            ("testkit", &["cli", "store"]),
        ]);
        assert_eq!(faults(edges_are_allowed, &rooms), [""; 0]);
    }

    #[test]
    fn an_edge_outside_the_table_is_a_fault() {
        let rooms =
            rooms(&[("contract", &["store"]), ("store", &["engine"]), ("cli", &["testkit"])]);
        assert_eq!(faults(edges_are_allowed, &rooms).len(), 3);
    }

    #[test]
    fn a_crate_without_a_row_and_a_row_without_a_crate_are_faults() {
        let rooms = rooms(&[
            ("contract", &[]),
            ("store", &[]),
            ("engine", &[]),
            ("cli", &[]),
            ("attic", &[]),
        ]);
        let faults = faults(rooms_are_in_the_table, &rooms);
        assert_eq!(
            faults,
            [
                "ARCHITECTURE.md: crates/attic is not in the table",
                "ARCHITECTURE.md: crates/testkit is in the table only",
            ]
        );
    }

    #[test]
    fn a_missing_table_is_a_fault() {
        let mut found = TidyFindings::default();
        rooms_are_in_the_table(
            &Repository::of(&[(BOOK, "# Rooms\n")]),
            &Rooms::default(),
            &mut found,
        );
        assert_eq!(found.faults.len(), 1);
    }

    #[test]
    fn edges_come_from_cargo_without_those_of_tests() {
        let json = r#"{"packages":[
            {"manifest_path":"/x/crates/store/Cargo.toml","dependencies":[
                {"kind":null,"path":"/x/crates/contract"},
                {"kind":"dev","path":"/x/crates/testkit"},
                {"kind":null}]},
            {"manifest_path":"/x/xtask/Cargo.toml","dependencies":[]}]}"#;
        let found = Rooms::from_metadata(json).unwrap();
        assert_eq!(found.0, rooms(&[("store", &["contract"])]).0);
    }
}
