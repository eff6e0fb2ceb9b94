//! Rows of an answer.

use std::collections::VecDeque;

use super::Error;
use super::Result;
use super::session::Connection;
use super::values::{Cell, FromColumn, ValueRef};

/// One row.
pub(crate) struct Row<'a> {
    row: tokio_postgres::Row,
    /// Rows of the other driver borrow their statement; the shared signatures say so.
    statement: std::marker::PhantomData<&'a ()>,
}

/// Where a column stands.
pub(crate) trait RowIndex {
    fn place(self, row: &tokio_postgres::Row) -> usize;
}

impl RowIndex for usize {
    fn place(self, _: &tokio_postgres::Row) -> usize {
        self
    }
}

/// A column that is not there stands after all others, where nothing is found.
impl RowIndex for &str {
    fn place(self, row: &tokio_postgres::Row) -> usize {
        let columns = row.columns();
        columns.iter().position(|column| column.name() == self).unwrap_or(columns.len())
    }
}

impl Row<'_> {
    pub(super) fn new(row: tokio_postgres::Row) -> Self {
        Self { row, statement: std::marker::PhantomData }
    }

    pub(in super::super) fn get<I: RowIndex, T: FromColumn>(&self, at: I) -> Result<T> {
        let at = at.place(&self.row);
        T::from_column(self.get_ref(at)?).ok_or(Error::WrongType(at))
    }

    pub(in super::super) fn get_ref(&self, at: usize) -> Result<ValueRef<'_>> {
        self.row.try_get::<_, Cell<'_>>(at)?.value().ok_or(Error::WrongType(at))
    }
}

/// Rows that are looked at one after the other.
pub(crate) struct Rows<'a> {
    ready: VecDeque<tokio_postgres::Row>,
    current: Option<Row<'a>>,
    cursor: Option<Cursor<'a>>,
}

/// A cursor on the server from which rows are fetched as they are needed.
pub(crate) struct Cursor<'a> {
    pub(super) db: &'a Connection,
    pub(super) number: u32,
    pub(super) batch: u32,
}

/// Most rows fetched at once.
const LARGEST_BATCH: u32 = 4_096;
/// Roughly the bytes that a batch should have.
const BATCH_BYTES: usize = 512 << 10;

impl<'a> Rows<'a> {
    pub(super) fn of(rows: Vec<tokio_postgres::Row>) -> Self {
        Self { ready: rows.into(), current: None, cursor: None }
    }

    pub(super) fn behind(cursor: Cursor<'a>) -> Self {
        Self { ready: VecDeque::new(), current: None, cursor: Some(cursor) }
    }

    pub(in super::super) fn next(&mut self) -> Result<Option<&Row<'a>>> {
        if self.ready.is_empty()
            && let Some(cursor) = &mut self.cursor
        {
            self.ready = cursor.fetch()?.into();
        }
        self.current = self.ready.pop_front().map(Row::new);
        if self.current.is_none() {
            self.cursor = None;
        }
        Ok(self.current.as_ref())
    }
}

impl Cursor<'_> {
    fn fetch(&mut self) -> Result<Vec<tokio_postgres::Row>> {
        let sql = format!("FETCH FORWARD {} FROM walk_{}", self.batch, self.number);
        let rows = self.db.ask_once(&sql)?;
        let bytes: usize = rows.iter().map(tokio_postgres::Row::raw_size_bytes).sum();
        if bytes <= BATCH_BYTES / 4 {
            self.batch = (self.batch * 4).min(LARGEST_BATCH);
        } else if bytes > BATCH_BYTES {
            self.batch = (self.batch / 4).max(1);
        }
        Ok(rows)
    }
}

impl Drop for Cursor<'_> {
    fn drop(&mut self) {
        // The transaction's end closes it too; a session that is broken has nothing to close.
        let _ = self.db.send_text(format!("CLOSE walk_{}", self.number));
        self.db.close_cursor(self.number);
    }
}

/// The rows of a query, each made into something.
pub(crate) struct MappedRows<F> {
    pub(super) rows: std::vec::IntoIter<tokio_postgres::Row>,
    pub(super) read: F,
}

impl<T, F: FnMut(&Row<'_>) -> Result<T>> Iterator for MappedRows<F> {
    type Item = Result<T>;

    fn next(&mut self) -> Option<Self::Item> {
        self.rows.next().map(|row| (self.read)(&Row::new(row)))
    }
}
