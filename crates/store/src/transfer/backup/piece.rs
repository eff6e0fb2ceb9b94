//! A piece: some rows of one table, or a span of a file, as bytes and back.

use crate::transfer::layout::Layout;
use crate::transfer::{Cargo, Cell, TABLES};

/// Whose rows follow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Heading {
    /// A table that every store has, by its place in the list.
    Table(usize),
    /// A typed copy.
    Copies(i64),
    /// The last numbers that were given out: a table's name and a number in each row.
    Counters,
}

const TABLE: u8 = b'T';
const COPIES: u8 = b'C';
const COUNTERS: u8 = b'N';
const FILE: u8 = b'F';
/// The piece after the last span of a file.
pub(super) const END_OF_FILE: &[u8] = b"E";

const NULL: u8 = 0;
const INTEGER: u8 = 1;
const TEXT: u8 = 2;
const BYTES: u8 = 3;

impl Heading {
    /// What a piece with its rows begins with. A table stands there by name, for readers of later years.
    pub(crate) fn write(self, to: &mut Vec<u8>) {
        match self {
            Self::Table(at) => {
                to.push(TABLE);
                write_bytes(to, TABLES.get(at).map_or("", |table| table.name).as_bytes());
            }
            Self::Copies(projection_no) => {
                to.push(COPIES);
                to.extend(projection_no.to_le_bytes());
            }
            Self::Counters => to.push(COUNTERS),
        }
    }
}

/// A row behind its heading.
pub(crate) fn write_row(to: &mut Vec<u8>, row: &[Cell]) {
    to.extend(length(row.len()));
    for cell in row {
        match cell {
            Cell::Null => to.push(NULL),
            Cell::Integer(number) => {
                to.push(INTEGER);
                to.extend(number.to_le_bytes());
            }
            Cell::Text(text) => {
                to.push(TEXT);
                write_bytes(to, text.as_bytes());
            }
            Cell::Bytes(bytes) => {
                to.push(BYTES);
                write_bytes(to, bytes);
            }
        }
    }
}

/// A span of a file.
pub(crate) fn span(bytes: &[u8]) -> Vec<u8> {
    [&[FILE], bytes].concat()
}

/// What a piece holds; nothing when it makes no sense.
pub(super) fn read(piece: &[u8], layout: Layout) -> Option<Vec<Cargo>> {
    let mut from = Reading(piece);
    match from.byte()? {
        TABLE => {
            let name = from.text()?;
            let table = layout.tables.iter().position(|table| table.name == name)?;
            let width = layout.tables.get(table)?.cells().len();
            let rows = from.rows()?;
            let is_sound = rows.iter().all(|row| row.len() == width);
            is_sound.then(|| vec![Cargo::Rows { table, rows }])
        }
        COPIES => {
            let projection_no = from.number()?;
            Some(vec![Cargo::Copies { projection_no, rows: from.rows()? }])
        }
        COUNTERS => from.rows()?.into_iter().map(counter).collect(),
        FILE => Some(vec![Cargo::Bytes(from.0.to_vec())]),
        _ if piece == END_OF_FILE => Some(vec![Cargo::Bytes(Vec::new())]),
        _ => None,
    }
}

fn counter(row: Vec<Cell>) -> Option<Cargo> {
    match <[Cell; 2]>::try_from(row) {
        Ok([Cell::Text(table), Cell::Integer(last)]) => Some(Cargo::Counter { table, last }),
        _ => None,
    }
}

fn write_bytes(to: &mut Vec<u8>, bytes: &[u8]) {
    to.extend(length(bytes.len()));
    to.extend(bytes);
}

fn length(of: usize) -> [u8; 8] {
    u64::try_from(of).unwrap_or(u64::MAX).to_le_bytes()
}

/// The rest of a piece.
struct Reading<'a>(&'a [u8]);

impl<'a> Reading<'a> {
    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    fn byte(&mut self) -> Option<u8> {
        self.take(1)?.first().copied()
    }

    fn number(&mut self) -> Option<i64> {
        Some(i64::from_le_bytes(self.take(8)?.try_into().ok()?))
    }

    fn length(&mut self) -> Option<usize> {
        usize::try_from(self.number()?).ok()
    }

    fn bytes(&mut self) -> Option<&'a [u8]> {
        let length = self.length()?;
        self.take(length)
    }

    fn text(&mut self) -> Option<String> {
        String::from_utf8(self.bytes()?.to_vec()).ok()
    }

    fn rows(&mut self) -> Option<Vec<Vec<Cell>>> {
        let mut rows = Vec::new();
        while !self.0.is_empty() {
            // No length is believed before its cells are there.
            let mut row = Vec::new();
            for _ in 0..self.length()? {
                row.push(self.cell()?);
            }
            rows.push(row);
        }
        Some(rows)
    }

    fn cell(&mut self) -> Option<Cell> {
        match self.byte()? {
            NULL => Some(Cell::Null),
            INTEGER => self.number().map(Cell::Integer),
            TEXT => self.text().map(Cell::Text),
            BYTES => self.bytes().map(|bytes| Cell::Bytes(bytes.to_vec())),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(piece: &[u8]) -> Option<Vec<Cargo>> {
        super::read(piece, Layout::default())
    }

    #[test]
    fn a_piece_gives_back_what_was_put_in() {
        let rows = [
            vec![Cell::Text("ä".to_owned()), Cell::Bytes(vec![0, 255])],
            vec![Cell::Null, Cell::Integer(i64::MIN)],
        ];
        let mut piece = Vec::new();
        Heading::Table(0).write(&mut piece);
        for row in &rows {
            write_row(&mut piece, row);
        }
        let found = read(&piece).unwrap();
        assert!(matches!(&found[..], [Cargo::Rows { table: 0, rows: same }] if same[..] == rows));
        let span = read(&span(b"Nobody")).unwrap();
        assert!(matches!(&span[..], [Cargo::Bytes(bytes)] if bytes == b"Nobody"));
        assert!(matches!(&read(END_OF_FILE).unwrap()[..], [Cargo::Bytes(none)] if none.is_empty()));
    }

    #[test]
    fn no_beginning_of_a_piece_is_taken_for_another_row() {
        let mut piece = Vec::new();
        Heading::Table(0).write(&mut piece);
        let start = piece.len();
        write_row(&mut piece, &[Cell::Text("name".to_owned()), Cell::Bytes(vec![1; 40])]);
        for cut in start + 1..piece.len() {
            assert!(read(&piece[..cut]).is_none(), "{cut}");
        }
        assert!(read(b"").is_none() && read(b"?").is_none());
    }
}
