//! Where one piece ends and the next begins: decided by the rows themselves, so that a row that comes or
//! goes changes its own piece and leaves the others alone.

use std::hash::Hasher;

use siphasher::sip::SipHasher13;

use super::BackupResult;
use super::piece::{END_OF_FILE, Heading, span, write_row};
use crate::transfer::{Cargo, Cell};

/// How long a piece is on average …
const USUAL: usize = 256 * 1024;
/// … and how long it becomes before it ends in any case.
const MOST: usize = 4 * 1024 * 1024;

/// Takes what a store gives and hands out pieces.
pub(super) struct Cutter<'a> {
    key: [u8; 16],
    heading: Option<Heading>,
    piece: Vec<u8>,
    out: &'a mut dyn FnMut(&[u8]) -> BackupResult<()>,
}

impl<'a> Cutter<'a> {
    /// With an encrypted backup the key is secret: where pieces end says nothing about the rows.
    pub(super) fn new(key: [u8; 16], out: &'a mut dyn FnMut(&[u8]) -> BackupResult<()>) -> Self {
        Self { key, heading: None, piece: Vec::new(), out }
    }

    pub(super) fn add(&mut self, cargo: Cargo) -> BackupResult<()> {
        match cargo {
            Cargo::Rows { table, rows } => self.rows(Heading::Table(table), &rows),
            Cargo::Copies { projection_no, rows } => {
                self.rows(Heading::Copies(projection_no), &rows)
            }
            Cargo::Counter { table, last } => {
                let row = vec![Cell::Text(table), Cell::Integer(last)];
                self.rows(Heading::Counters, &[row])
            }
            Cargo::Bytes(bytes) => {
                self.finish()?;
                if bytes.is_empty() { (self.out)(END_OF_FILE) } else { (self.out)(&span(&bytes)) }
            }
            Cargo::End => self.finish(),
        }
    }

    fn rows(&mut self, heading: Heading, rows: &[Vec<Cell>]) -> BackupResult<()> {
        for row in rows {
            if self.heading != Some(heading) {
                self.finish()?;
                self.heading = Some(heading);
                heading.write(&mut self.piece);
            }
            let start = self.piece.len();
            write_row(&mut self.piece, row);
            let written = self.piece.get(start..).unwrap_or_default();
            if self.ends_here(written) || self.piece.len() >= MOST {
                self.finish()?;
            }
        }
        Ok(())
    }

    /// A long row ends a piece more often than a short one, so that pieces are of similar length.
    fn ends_here(&self, row: &[u8]) -> bool {
        let mut hasher = SipHasher13::new_with_key(&self.key);
        hasher.write(row);
        let one_in = u64::try_from(USUAL / row.len().max(1)).unwrap_or(1).max(1);
        hasher.finish().is_multiple_of(one_in)
    }

    fn finish(&mut self) -> BackupResult<()> {
        if self.heading.take().is_some() {
            (self.out)(&self.piece)?;
            self.piece.clear();
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(rows: &[Vec<Cell>]) -> Vec<Vec<u8>> {
        let mut found = Vec::new();
        let mut keep = |piece: &[u8]| {
            found.push(piece.to_vec());
            Ok(())
        };
        let mut cutter = Cutter::new([7; 16], &mut keep);
        for some in rows.chunks(500) {
            cutter.add(Cargo::Rows { table: 1, rows: some.to_vec() }).unwrap();
        }
        cutter.add(Cargo::End).unwrap();
        found
    }

    #[test]
    fn a_row_that_comes_in_between_changes_one_piece() {
        let row = |number: i64| vec![Cell::Integer(number), Cell::Text("x".repeat(500))];
        let mut rows: Vec<Vec<Cell>> = (0..20_000).map(row).collect();
        let before = pieces(&rows);
        rows.insert(3_000, row(-1));
        let after = pieces(&rows);
        let new = after.iter().filter(|piece| !before.contains(piece)).count();
        assert!(before.len() > 15, "{}", before.len());
        assert!((1..=2).contains(&new), "{new}");
    }
}
