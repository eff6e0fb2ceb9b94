//! `cargo xtask breaks`: leaves out one enforcement after another and sees a test fail for each.
//!
//! The work happens in a copy of the tree, so that nothing broken can be committed by mistake.
//! `docs/enforcement.md` shows the list; a test compares the two.

mod entry_points;
mod holes_codes;
mod holes_cursors;
mod holes_faults;
mod holes_growth;
mod holes_importers;
mod holes_limits;
mod holes_names;
mod holes_session;
mod holes_streams;
mod holes_timing;
mod kept;
#[cfg(test)]
mod named_tests;
mod operation;
mod order;
mod races;
mod reads;
mod table;
mod tree_copy;
mod views;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result, bail};

pub use operation::{ALL_READS, BreakOperation};
use tree_copy::TreeCopy;

/// One enforcement, how it is left out, and the tests that must notice.
pub struct Break {
    /// What a reader could then do.
    pub harm: &'static str,
    /// The operations that the enforcement stands in front of.
    pub guards: &'static [BreakOperation],
    /// More than one where a second guard stands behind the first.
    pub edits: &'static [Edit],
    /// The package whose tests notice, its test target (`lib` or `bin` for the tests beside the code), and a
    /// part of their names.
    pub noticed_by: (&'static str, &'static str, &'static str),
}

/// A piece of a file that occurs once, and what stands there instead.
pub struct Edit {
    /// The file, from the root.
    pub file: &'static str,
    pub find: &'static str,
    pub put: &'static str,
}

/// Tests of the engine by a part of their names.
const fn engine(name: &'static str) -> (&'static str, &'static str, &'static str) {
    ("pdpp-engine", "it", name)
}

/// Every break.
pub fn all() -> impl Iterator<Item = &'static Break> {
    [
        entry_points::ENTRY_POINTS,
        views::VIEWS,
        races::RACES,
        reads::READS,
        kept::KEPT,
        holes_codes::HOLES_CODES,
        holes_cursors::HOLES_CURSORS,
        holes_faults::HOLES_FAULTS,
        holes_growth::HOLES,
        holes_importers::IMPORTERS,
        holes_limits::LIMITS,
        holes_names::NAMES,
        holes_session::SESSION,
        holes_streams::STREAMS,
        holes_timing::TIMING,
    ]
    .into_iter()
    .flatten()
}

impl Break {
    /// The broken files by their paths; an error when a piece is not there exactly once.
    fn applied_to(&self, tree: &Path) -> Result<BTreeMap<&'static str, String>> {
        let mut files: BTreeMap<&'static str, String> = BTreeMap::new();
        for Edit { file, find, put } in self.edits {
            let whole = match files.remove(file) {
                Some(broken) => broken,
                None => fs::read_to_string(tree.join(file)).with_context(|| (*file).to_owned())?,
            };
            match whole.matches(find).count() {
                1 => files.insert(file, whole.replace(find, put)),
                n => bail!("{file}: `{find}` occurs {n} times, not once"),
            };
        }
        Ok(files)
    }
}

/// `--table` prints the table; `--after DESCRIPTION` goes on behind an entry; other words choose entries.
pub fn breaks(arguments: &[String]) -> Result<()> {
    if arguments == ["--table"] {
        print!("{}", table::table());
        return Ok(());
    }
    let chosen = order::chosen(arguments)?;
    let copy = TreeCopy::prepare(&chosen)?;
    let mut unnoticed = Vec::new();
    for (number, case) in chosen.iter().enumerate() {
        let begun = Instant::now();
        let (word, tests) = match copy.failed_tests(case) {
            Ok(tests) if tests.is_empty() => ("UNNOTICED", tests),
            Ok(tests) => ("noticed", tests),
            Err(fault) => {
                eprintln!("{}: {fault:#}", case.harm);
                ("UNPROVEN", Vec::new())
            }
        };
        let place = format!("{}/{}", number + 1, chosen.len());
        let seconds = begun.elapsed().as_secs();
        println!("{word:9} {place:>7} {seconds:>4} s  {} [{}]", case.harm, tests.join(", "));
        if word != "noticed" {
            unnoticed.push(case.harm);
        }
    }
    if !unnoticed.is_empty() {
        bail!("no test noticed: {}", unnoticed.join("; "));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run;

    #[test]
    fn every_break_still_fits_its_files() {
        let root = run::root().unwrap();
        for case in all() {
            for (file, broken) in case.applied_to(&root).unwrap() {
                let source = fs::read_to_string(root.join(file)).unwrap();
                assert_ne!(broken, source, "{}", case.harm);
            }
        }
    }

    #[test]
    fn every_break_names_tests_that_exist() {
        let root = run::root().unwrap();
        let missing: Vec<_> = all()
            .filter(|case| !named_tests::exist(&root, case).unwrap())
            .map(|case| (case.noticed_by, case.harm))
            .collect();
        assert!(missing.is_empty(), "{missing:#?}");
    }

    #[test]
    fn every_operation_has_a_break_of_its_own() {
        for operation in BreakOperation::ALL {
            let own = all().filter(|case| case.guards.contains(operation));
            assert!(own.count() > 0, "{operation:?} is guarded by nothing");
        }
    }
}
