//! Where SQLite's language differs: names of types, and the check of its own structure.

use std::collections::HashSet;

use crate::error::StoreResult;
use crate::numbers::RecordNo;
use crate::sqlite::driver::types::Value;
use crate::sqlite::driver::{Connection, params};
use crate::sqlite::errors::from_driver;

/// The type of a number.
pub(super) const NUMBER: &str = "INTEGER";
/// The type of a key.
pub(super) const BYTES: &str = "BLOB";
/// Versions with a value of another type than we write, which only SQLite could hold.
const WRONG_TYPES: &str = "
    SELECT count(*) FROM versions
     WHERE typeof(emitted_at) <> 'text' OR typeof(flags) <> 'integer'";

/// Whether a row must fit a page; here it grows over as many as it needs.
pub(super) const ROWS_FIT_A_PAGE: bool = false;

/// The last number that each table gave out, where numbers are never given twice.
pub(super) fn last_numbers(db: &Connection) -> StoreResult<Vec<(String, i64)>> {
    db.prepare("SELECT name, seq FROM sqlite_sequence")
        .and_then(|mut list| list.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect())
        .map_err(from_driver)
}

/// Goes on after a number.
pub(super) fn set_last_number(db: &Connection, table: &str, last: i64) -> StoreResult<()> {
    db.execute("DELETE FROM sqlite_sequence WHERE name = ?1", [table]).map_err(from_driver)?;
    db.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (?1, ?2)", params![table, last])
        .map(|_| ())
        .map_err(from_driver)
}

/// Takes everything out of a table; its numbers begin again.
pub(super) fn empty(db: &Connection, table: &str) -> StoreResult<()> {
    db.execute(&format!("DELETE FROM {table}"), [])
        .and_then(|_| db.execute("DELETE FROM sqlite_sequence WHERE name = ?1", [table]))
        .map(|_| ())
        .map_err(from_driver)
}

/// A condition that a column is one of these numbers, and its value, if it needs one.
pub(super) fn in_list(
    column: &str,
    _: usize,
    numbers: &HashSet<RecordNo>,
) -> (String, Option<Value>) {
    let each: Vec<String> = numbers.iter().map(RecordNo::to_string).collect();
    (format!("{column} IN ({})", each.join(", ")), None)
}

/// Does a part of something longer; a statement that fails in it ends nothing else.
pub(super) fn apart<T>(_: &Connection, part: impl FnOnce() -> StoreResult<T>) -> StoreResult<T> {
    part()
}

/// Every column of every table.
#[cfg(test)]
pub(super) fn all_columns(db: &Connection) -> StoreResult<Vec<String>> {
    db.prepare(
        "SELECT t.name || '.' || c.name FROM sqlite_schema t, pragma_table_info(t.name) c
          WHERE t.type = 'table'",
    )
    .and_then(|mut list| list.query_map([], |row| row.get(0))?.collect())
    .map_err(from_driver)
}

/// What is wrong with the database itself, in words.
pub(super) fn structure_faults(db: &Connection) -> StoreResult<Vec<String>> {
    let mut faults: Vec<String> = db
        .prepare("PRAGMA integrity_check(20)")
        .and_then(|mut check| check.query_map([], |row| row.get(0))?.collect())
        .map_err(from_driver)?;
    faults.retain(|row| row != "ok");
    let wrong: i64 = db.query_row(WRONG_TYPES, [], |row| row.get(0)).map_err(from_driver)?;
    if wrong > 0 {
        faults.push(format!("{wrong} versions of the wrong form"));
    }
    Ok(faults)
}
