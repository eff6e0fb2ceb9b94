//! SQLite's driver under the names that the shared bodies use.

pub(super) use rusqlite::{
    Connection, OptionalExtension, Params, Result, Row, Rows, ToSql, Transaction,
    TransactionBehavior, params, params_from_iter,
};

/// Values of any type.
pub(super) mod types {
    pub(in super::super) use rusqlite::types::{Value, ValueRef};
}

/// How many rows are worth reading with one question: each costs nothing here.
pub(super) const READ_AHEAD: usize = 1;

/// A condition that a number is among those of [`among`].
pub(super) const AMONG: &str = "= ?1";

/// Numbers as the one value of a condition: never more than are read with one question.
pub(super) fn among(numbers: &[i64]) -> types::Value {
    numbers.first().map_or(types::Value::Null, |number| types::Value::Integer(*number))
}

/// The driver's own error.
pub(super) type Error = rusqlite::Error;

/// Runs one prepared statement whose outcome nobody waits for.
pub(super) fn run(db: &Connection, sql: &str, values: impl Params) -> Result<()> {
    db.prepare_cached(sql).and_then(|mut statement| statement.execute(values)).map(|_| ())
}

/// Adds a row; the number it was given, which stands in the named column.
pub(super) fn insert(
    db: &Connection,
    sql: &str,
    _number: &str,
    values: impl Params,
) -> Result<i64> {
    db.prepare_cached(sql).and_then(|mut add| add.insert(values))
}

/// Adds a row; nobody waits for its outcome.
pub(super) fn add_row(db: &Connection, sql: &str, values: impl Params) -> Result<()> {
    run(db, sql, values)
}

/// Adds one of many rows; the number it was given, which stands in the named column.
pub(super) fn add_numbered(
    db: &Connection,
    sql: &str,
    number: &str,
    values: impl Params,
) -> Result<i64> {
    insert(db, sql, number, values)
}

/// Rows that are pulled one by one, of which there may be very many.
pub(super) fn walk<'a>(
    statement: &'a mut rusqlite::Statement<'_>,
    values: impl Params,
) -> Result<Rows<'a>> {
    statement.query(values)
}
