//! SQLite's driver under the names that the shared bodies use.

use rusqlite::types::{FromSql, FromSqlResult, ToSqlOutput};
pub(super) use rusqlite::{
    Connection, OptionalExtension, Params, Result, Row, Rows, ToSql, Transaction,
    TransactionBehavior, params, params_from_iter,
};

use crate::insert::{Insert, NumberedInsert};
use crate::numbers::{ChangeNo, CollectionNo, ConnectionNo, RecordNo};

/// Values of any type.
pub(super) mod types {
    pub(in super::super) use rusqlite::types::{Value, ValueRef};
}

/// How many rows are worth reading with one question: each costs nothing here.
pub(super) const READ_AHEAD: usize = 1;

/// A condition that a number is among those of [`among`].
pub(super) const AMONG: &str = "IN (SELECT value FROM json_each(?1))";

/// The same, where values are bound in the order in which they stand.
pub(super) const AMONG_NEXT: &str = "IN (SELECT value FROM json_each(?))";

/// Numbers as the one value of a condition.
pub(super) fn among<N: ToString>(numbers: &[N]) -> types::Value {
    let each: Vec<String> = numbers.iter().map(N::to_string).collect();
    types::Value::Text(format!("[{}]", each.join(",")))
}

macro_rules! numbers {
    ($($number:ty),*) => {
        $(
            impl ToSql for $number {
                fn to_sql(&self) -> Result<ToSqlOutput<'_>> {
                    Ok(ToSqlOutput::from(self.0))
                }
            }

            impl FromSql for $number {
                fn column_result(value: types::ValueRef<'_>) -> FromSqlResult<Self> {
                    i64::column_result(value).map(Self)
                }
            }
        )*
    };
}

numbers!(ConnectionNo, CollectionNo, RecordNo, ChangeNo);

/// The driver's own error.
pub(crate) type Error = rusqlite::Error;

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
pub(super) fn add_row(db: &Connection, row: &Insert, values: impl Params) -> Result<()> {
    run(db, &row.statement, values)
}

/// Adds one of many rows; the number it was given.
pub(super) fn add_numbered(
    db: &Connection,
    row: &NumberedInsert,
    values: impl Params,
) -> Result<i64> {
    insert(db, &row.unnumbered.statement, row.number, values)
}

/// Rows that are pulled one by one, of which there may be very many.
pub(super) fn walk<'a>(
    statement: &'a mut rusqlite::Statement<'_>,
    values: impl Params,
) -> Result<Rows<'a>> {
    statement.query(values)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_found_among_any_number_of_them() {
        let db = Connection::open_in_memory().unwrap();
        db.execute_batch(
            "CREATE TABLE t (no INTEGER PRIMARY KEY); INSERT INTO t VALUES (1), (2), (3)",
        )
        .unwrap();
        let found = |numbers: &[i64]| -> Vec<i64> {
            db.prepare_cached(&format!("SELECT no FROM t WHERE no {AMONG} ORDER BY no"))
                .and_then(|mut list| list.query_map([among(numbers)], |row| row.get(0))?.collect())
                .unwrap()
        };
        assert_eq!(found(&[]), [0; 0]);
        assert_eq!(found(&[2]), [2]);
        assert_eq!(found(&[3, 1, 9]), [1, 3]);
    }
}
