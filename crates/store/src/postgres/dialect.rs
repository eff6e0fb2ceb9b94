//! Where Postgres' language differs: names of types, and the check of its own structure.

use std::collections::HashSet;

use crate::error::StoreResult;
use crate::numbers::RecordNo;
use crate::postgres::driver::types::Value;
use crate::postgres::driver::{Connection, params};
use crate::postgres::errors::from_driver;
use crate::postgres::maintenance::structure;

/// The type of a number.
pub(super) const NUMBER: &str = "bigint";
/// The type of a key.
pub(super) const BYTES: &str = "bytea";

/// Whether a row must fit a page, apart from values that are long enough to be moved out of it.
pub(super) const ROWS_FIT_A_PAGE: bool = true;

/// One snapshot, until it is rolled back.
pub(super) const BEGIN_SNAPSHOT: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";

/// Tables that give out numbers, and the column that holds them. Those of the last one may be given
/// again on SQLite, where nothing is ever taken out of it.
pub(super) const NUMBERED: [(&str, &str); 12] = [
    ("connections", "connection_no"),
    ("projections", "projection_no"),
    ("collections", "collection_no"),
    ("record_keys", "record_no"),
    ("texts", "text_no"),
    ("quarantine", "item_no"),
    ("packages", "package_no"),
    ("grants", "grant_no"),
    ("oauth_clients", "client_no"),
    ("oauth_requests", "request_no"),
    ("oauth_families", "family_no"),
    ("declarations", "declaration_no"),
];

/// The last number that each table gave out.
pub(super) fn last_numbers(db: &Connection) -> StoreResult<Vec<(String, i64)>> {
    let last = |(table, column): (&str, &str)| {
        // Not less than what is taken: a copy of the tables alone may have left the counters behind.
        let sql = format!(
            "SELECT greatest(CASE WHEN is_called THEN last_value ELSE 0 END,
                             (SELECT coalesce(max({column}), 0) FROM {table}))
               FROM {table}_{column}_seq"
        );
        db.query_row(&sql, [], |row| row.get(0)).map(|last| (table.to_owned(), last))
    };
    // The other backend counts the last one by itself.
    let counted = NUMBERED.into_iter().take(11).map(last);
    counted.collect::<Result<_, _>>().map_err(from_driver)
}

/// Goes on after a number. Called for every table that counts, so that the last one follows.
pub(super) fn set_last_number(db: &Connection, table: &str, last: i64) -> StoreResult<()> {
    for (name, column) in NUMBERED {
        let last = if name == table { last } else { 0 };
        let sql = format!(
            "SELECT setval('{name}_{column}_seq', greatest(?1, 1, n.newest), true)
               FROM (SELECT coalesce(max({column}), 0) AS newest FROM {name}) AS n
              WHERE greatest(?1, n.newest) > 0"
        );
        if name == table || name == "declarations" {
            db.execute(&sql, params![last]).map_err(from_driver)?;
        }
    }
    Ok(())
}

/// Takes everything out of a table; its numbers begin again.
pub(super) fn empty(db: &Connection, table: &str) -> StoreResult<()> {
    db.execute_batch(&format!("TRUNCATE {table} RESTART IDENTITY")).map_err(from_driver)
}

/// A condition that a column is one of these numbers, and its value, if it needs one. Here the list is a
/// value, so that the statement, which is kept prepared, is the same for all lists.
pub(super) fn in_list(
    column: &str,
    place: usize,
    numbers: &HashSet<RecordNo>,
) -> (String, Option<Value>) {
    let each: Vec<String> = numbers.iter().map(RecordNo::to_string).collect();
    let test = format!("{column} = ANY (CAST(string_to_array(?{place}, ',') AS bigint[]))");
    (test, Some(Value::Text(each.join(","))))
}

/// Does a part of something longer: a statement that fails in it does not end the transaction.
pub(super) fn apart<T>(db: &Connection, part: impl FnOnce() -> StoreResult<T>) -> StoreResult<T> {
    db.execute_batch("SAVEPOINT part").map_err(from_driver)?;
    let done = part();
    let end = match &done {
        Ok(_) => "RELEASE SAVEPOINT part",
        Err(_) => "ROLLBACK TO SAVEPOINT part; RELEASE SAVEPOINT part",
    };
    // A session that has ended has its own error, which comes first.
    match (done, db.execute_batch(end).map_err(from_driver)) {
        (Ok(_), Err(error)) => Err(error),
        (done, _) => done,
    }
}

/// Every column of every table.
#[cfg(test)]
pub(super) fn all_columns(db: &Connection) -> StoreResult<Vec<String>> {
    db.prepare(
        "SELECT CAST(table_name || '.' || column_name AS text) FROM information_schema.columns
          WHERE table_schema = current_schema()",
    )
    .and_then(|mut list| list.query_map([], |row| row.get(0))?.collect())
    .map_err(from_driver)
}

/// What is wrong with the database itself, in words. The server answers for its own pages.
pub(super) fn structure_faults(db: &Connection) -> StoreResult<Vec<String>> {
    structure::faults(db)
}
