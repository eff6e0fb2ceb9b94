//! Typed copies: one narrow table per shape of stream, derived from the records and rebuildable.

use super::backend::driver::{
    Connection, OptionalExtension, ToSql, insert, params, params_from_iter,
};

use super::backend::dialect::{BYTES, NUMBER};
use super::backend::errors::{corrupt, from_driver};
use super::collection::{Index, Shape, index_name, measures, table};
use super::sql::write::record::{put_row, run};
use super::width;
use crate::error::StoreResult;
use crate::insert::Insert;
use crate::numbers::{CollectionNo, RecordNo};
use crate::records::sort_key::SortKey;

const FIND_PROJECTION: &str = "
    SELECT projection_no
      FROM projections
     WHERE connector_key = ?1 AND stream = ?2 AND shape = ?3";
const ADD_PROJECTION: &str = "
    INSERT INTO projections (connector_key, stream, shape)
    VALUES (?1, ?2, ?3)";

/// Finds or creates the table for a shape.
pub(super) fn ensure_projection(
    db: &Connection,
    connector_key: &str,
    stream: &str,
    shape: &Shape,
) -> StoreResult<i64> {
    let text = serde_json::to_string(shape).map_err(|_| corrupt("projections", "shape", 0))?;
    let found = db
        .query_row(FIND_PROJECTION, params![connector_key, stream, text], |row| row.get(0))
        .optional()
        .map_err(from_driver)?;
    if let Some(no) = found {
        return Ok(no);
    }
    width::check_new(stream, shape)?;
    let values = params![connector_key, stream, text];
    let no = insert(db, ADD_PROJECTION, "projection_no", values).map_err(from_driver)?;
    db.execute_batch(&create_table(no, shape)).map_err(from_driver)?;
    Ok(no)
}

/// The statements that make the table of a shape.
pub(crate) fn create_table(no: i64, shape: &Shape) -> String {
    let table = table(no);
    let columns: String = (0..shape.columns.len()).map(|at| format!(", c{at} {BYTES}")).collect();
    let mut sql = format!(
        "CREATE TABLE {table} (record_no {NUMBER} PRIMARY KEY, collection_no {NUMBER} NOT NULL,
             flags {NUMBER} NOT NULL, key_order {BYTES} NOT NULL{columns});"
    );
    for (at, column) in shape.columns.iter().enumerate() {
        let index = index_name(no, at);
        let by = match (column.index, shape.cursor) {
            (Index::None, _) => continue,
            (Index::Value, Some(cursor)) if cursor != at => format!("c{at}, c{cursor}, key_order"),
            (Index::Value | Index::Order, _) => format!("c{at}, key_order"),
        };
        // Carried along so that an aggregate need not look up rows: the flags, which many grants ask
        // about, in every index; the measured columns in one.
        let mut carried = ", flags".to_owned();
        if shape.main() == Some(at) {
            carried.extend(measures(shape).map(|at| format!(", c{at}")));
        }
        sql.push_str(&format!("CREATE INDEX {index} ON {table} (collection_no, {by}{carried});"));
    }
    sql
}

/// The columns of every typed copy; one per key follows.
pub(crate) const FIXED_COLUMNS: [&str; 4] = ["record_no", "collection_no", "flags", "key_order"];

/// A row of a typed copy.
pub(crate) struct ProjectionRow<'a> {
    pub record_no: RecordNo,
    pub collection_no: CollectionNo,
    pub flags: i64,
    pub key_order: &'a [u8],
    pub keys: &'a [Option<SortKey>],
}

/// The statement that writes a typed copy of a record that has none.
///
/// Never `INSERT OR REPLACE`: on a table with indexes that opens a savepoint for every record, and
/// each savepoint makes the word index write its pending words to disk.
pub(crate) fn put_statement(projection_no: i64, columns: usize) -> Insert {
    let keys = (0..columns).map(|at| format!("c{at}"));
    let names: Vec<String> = FIXED_COLUMNS.map(str::to_owned).into_iter().chain(keys).collect();
    Insert::new(&table(projection_no), &names)
}

/// Writes the typed copy of a record with a [`put_statement`].
pub(crate) fn put(db: &Connection, statement: &Insert, row: &ProjectionRow<'_>) -> StoreResult<()> {
    let fixed: [&dyn ToSql; 4] = [&row.record_no, &row.collection_no, &row.flags, &row.key_order];
    let keys: Vec<Option<&[u8]>> =
        row.keys.iter().map(|key| key.as_ref().map(SortKey::as_bytes)).collect();
    let values = fixed.into_iter().chain(keys.iter().map(|key| key as &dyn ToSql));
    put_row(db, statement, params_from_iter(values))
}

/// Removes the typed copy of a record.
pub(crate) fn remove(db: &Connection, projection_no: i64, record_no: RecordNo) -> StoreResult<()> {
    let sql = format!("DELETE FROM {} WHERE record_no = ?1", table(projection_no));
    run(db, &sql, [record_no])
}
