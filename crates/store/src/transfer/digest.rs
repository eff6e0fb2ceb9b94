//! A whole store as one digest: stores that hold the same have the same, on either backend and however
//! their rows were bundled on the way.

use sha2::{Digest, Sha256};

use crate::transfer::backup::piece::{Heading, write_row};
use crate::transfer::{Cargo, Cell};

/// What a store holds, rows and files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ContentsDigest(pub(crate) [u8; 32]);

/// The digest of what came so far.
#[derive(Default, Clone)]
pub(crate) struct Digesting {
    so_far: Sha256,
    /// Bytes of the file that is growing.
    file_bytes: u64,
    row: Vec<u8>,
}

impl Digesting {
    pub(crate) fn add(&mut self, what: &Cargo) {
        match what {
            Cargo::Rows { table, rows } => self.add_rows(Heading::Table(*table), rows),
            Cargo::Copies { projection_no, rows } => {
                self.add_rows(Heading::Copies(*projection_no), rows);
            }
            // Files come one after the other: their lengths say where each ends.
            Cargo::Bytes(piece) if piece.is_empty() => {
                self.so_far.update(self.file_bytes.to_le_bytes());
                self.file_bytes = 0;
            }
            Cargo::Bytes(piece) => {
                self.so_far.update(piece);
                self.file_bytes += u64::try_from(piece.len()).unwrap_or(u64::MAX);
            }
            Cargo::Counter { table, last } => {
                let row = vec![Cell::Text(table.clone()), Cell::Integer(*last)];
                self.add_rows(Heading::Counters, &[row]);
            }
            Cargo::End => {}
        }
    }

    fn add_rows(&mut self, heading: Heading, rows: &[Vec<Cell>]) {
        for row in rows {
            self.row.clear();
            heading.write(&mut self.row);
            write_row(&mut self.row, row);
            self.so_far.update(&self.row);
        }
    }

    pub(crate) fn so_far(&self) -> ContentsDigest {
        ContentsDigest(self.so_far.clone().finalize().into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn digest(loads: &[Cargo]) -> ContentsDigest {
        let mut digesting = Digesting::default();
        for load in loads {
            digesting.add(load);
        }
        digesting.so_far()
    }

    fn rows(table: usize, numbers: &[i64]) -> Cargo {
        Cargo::Rows { table, rows: numbers.iter().map(|no| vec![Cell::Integer(*no)]).collect() }
    }

    fn files(pieces: &[&str]) -> Vec<Cargo> {
        pieces.iter().map(|piece| Cargo::Bytes(piece.as_bytes().to_vec())).collect()
    }

    #[test]
    fn bundles_make_no_difference_and_everything_else_does() {
        let whole = digest(&[rows(1, &[1, 2, 3])]);
        assert_eq!(digest(&[rows(1, &[1]), rows(1, &[2, 3])]), whole);
        for other in [
            vec![rows(1, &[1, 2])],
            vec![rows(1, &[1, 3, 2])],
            vec![rows(2, &[1, 2, 3])],
            vec![rows(1, &[1, 2]), rows(2, &[3])],
        ] {
            assert_ne!(digest(&other), whole);
        }
    }

    #[test]
    fn files_are_told_apart_by_where_they_end() {
        let whole = digest(&files(&["abcd", "", "ef", ""]));
        assert_eq!(digest(&files(&["ab", "cd", "", "e", "f", ""])), whole);
        assert_ne!(digest(&files(&["abc", "", "def", ""])), whole);
        assert_ne!(digest(&files(&["abcdef", ""])), whole);
    }
}
