//! Statements: prepared when first used, kept as long as their session.

use super::Error;
use super::Result;
use super::params::Params;
use super::rows::{Cursor, MappedRows, Row, Rows};
use super::session::Connection;

/// Rows of a walk that are fetched first.
const FIRST_BATCH: u32 = 32;

/// A statement of a session.
pub(crate) struct Statement<'a> {
    db: &'a Connection,
    sql: String,
}

impl Connection {
    /// A statement; the server sees it when it is first run.
    #[expect(clippy::unnecessary_wraps, reason = "the other driver's may fail")]
    pub(in super::super) fn prepare_cached(&self, sql: &str) -> Result<Statement<'_>> {
        Ok(Statement { db: self, sql: sql.to_owned() })
    }

    pub(in super::super) fn prepare(&self, sql: &str) -> Result<Statement<'_>> {
        self.prepare_cached(sql)
    }

    pub(in super::super) fn query_row<T>(
        &self,
        sql: &str,
        values: impl Params,
        read: impl FnOnce(&Row<'_>) -> Result<T>,
    ) -> Result<T> {
        let first = self.ask(sql, values.into_values())?.into_iter().next();
        read(&Row::new(first.ok_or(Error::NoRow)?))
    }

    pub(in super::super) fn execute(&self, sql: &str, values: impl Params) -> Result<usize> {
        let changed = self.change(sql, values.into_values())?;
        Ok(usize::try_from(changed).unwrap_or(usize::MAX))
    }
}

impl<'a> Statement<'a> {
    pub(in super::super) fn query_row<T>(
        &mut self,
        values: impl Params,
        read: impl FnOnce(&Row<'_>) -> Result<T>,
    ) -> Result<T> {
        self.db.query_row(&self.sql, values, read)
    }

    pub(in super::super) fn query_map<T, F>(
        &mut self,
        values: impl Params,
        read: F,
    ) -> Result<MappedRows<F>>
    where
        F: FnMut(&Row<'_>) -> Result<T>,
    {
        let rows = self.db.ask(&self.sql, values.into_values())?.into_iter();
        Ok(MappedRows { rows, read })
    }

    pub(in super::super) fn query(&mut self, values: impl Params) -> Result<Rows<'a>> {
        self.db.ask(&self.sql, values.into_values()).map(Rows::of)
    }

    pub(in super::super) fn execute(&mut self, values: impl Params) -> Result<usize> {
        self.db.execute(&self.sql, values)
    }
}

/// Runs one prepared statement whose outcome nobody waits for.
pub(in super::super) fn run(db: &Connection, sql: &str, values: impl Params) -> Result<()> {
    db.send_values(sql, values.into_values())
}

/// Adds a row; the number it was given, which stands in the named column.
pub(in super::super) fn insert(
    db: &Connection,
    sql: &str,
    number: &str,
    values: impl Params,
) -> Result<i64> {
    db.query_row(&format!("{sql} RETURNING {number}"), values, |row| row.get(0))
}

/// Rows that are pulled one by one, of which there may be very many. Inside a transaction.
pub(in super::super) fn walk<'a>(
    statement: &mut Statement<'a>,
    values: impl Params,
) -> Result<Rows<'a>> {
    let db = statement.db;
    let cursor = Cursor { db, number: db.open_cursor(), batch: FIRST_BATCH };
    let sql = format!("DECLARE walk_{} NO SCROLL CURSOR FOR {}", cursor.number, statement.sql);
    db.change(&sql, values.into_values())?;
    Ok(Rows::behind(cursor))
}
