//! The keys of a time field, many to a row: a row per key would cost more to send than to find.

use super::declared::{Collection, StoredKind};
use super::driver::types::Value;
use super::driver::{Connection, params_from_iter};
use super::errors::{corrupt, from_driver};
use super::list_plan::Conditions;
use crate::error::StoreResult;

/// Bytes of the key of an instant.
pub(super) const KEY_BYTES: usize = 13;
/// Keys asked for at once: the server packs a quarter of a megabyte faster than more. Few under test, so
/// that pages end everywhere.
pub(super) const PAGE_KEYS: usize = if cfg!(feature = "conformance") { 5 } else { 20_000 };

/// Is told each key, or none where a record lacks one, and how many records have it.
pub(super) type Told<'a> = dyn FnMut(Option<&[u8]>, u64) -> StoreResult<()> + 'a;

/// Walks over the keys of a column in order; `None` when that cannot be done this way.
///
/// `from` goes up to the number of the collection, which is its one value.
pub(super) fn walk_packed(
    db: &Connection,
    (collection, at): (&Collection, usize),
    conditions: &Conditions<'_>,
    from: &str,
    told: &mut Told<'_>,
) -> StoreResult<Option<u64>> {
    let kind = collection.shape.columns.get(at).map(|column| column.kind);
    let is_time = matches!(kind, Some(StoredKind::Date | StoredKind::DateTime));
    // Another column's condition may have a narrower index than the one in this order.
    if !is_time || conditions.columns.iter().any(|test| test.column != at) {
        return Ok(None);
    }
    let walk = Packed { db, collection, conditions, from, at };
    let missing = walk.count("IS NULL", None)?;
    told(None, missing)?;
    let mut count = missing;
    let mut after = Vec::new();
    loop {
        let page = walk.page(&after)?;
        let (keys, rest) = page.as_chunks::<KEY_BYTES>();
        if !rest.is_empty() {
            return Err(corrupt("projection", "time key", collection.projection_no));
        }
        let Some(last) = keys.last() else { return Ok(Some(count)) };
        // Records with the last key of a full page may go on behind it.
        let is_full = keys.len() == PAGE_KEYS;
        let whole = if is_full { keys.partition_point(|key| key < last) } else { keys.len() };
        for run in keys.get(..whole).unwrap_or(&[]).chunk_by(|one, next| one == next) {
            let records = u64::try_from(run.len()).unwrap_or(0);
            told(run.first().map(<[u8; KEY_BYTES]>::as_slice), records)?;
            count += records;
        }
        if !is_full {
            return Ok(Some(count));
        }
        // The next page begins with them; unless they fill pages, and are counted instead.
        if let Some(before) = whole.checked_sub(1).and_then(|at| keys.get(at)) {
            after = before.to_vec();
        } else {
            let records = walk.count("= ?", Some(last))?;
            told(Some(last), records)?;
            count += records;
            after = last.to_vec();
        }
    }
}

/// One column of one collection on its way.
struct Packed<'a> {
    db: &'a Connection,
    collection: &'a Collection,
    conditions: &'a Conditions<'a>,
    from: &'a str,
    at: usize,
}

impl Packed<'_> {
    /// The next keys after one, in order, one after the other.
    fn page(&self, after: &[u8]) -> StoreResult<Vec<u8>> {
        let Self { at, from, .. } = self;
        let mut sql = format!(
            "SELECT string_agg(x.k, CAST(NULL AS bytea)) FROM (SELECT p.c{at} AS k {from} AND p.c{at} > ?"
        );
        let mut values = vec![Value::Integer(self.collection.no), Value::Blob(after.to_vec())];
        self.conditions.write_sql(&mut sql, &mut values);
        sql.push_str(&format!(" ORDER BY p.c{at} LIMIT {PAGE_KEYS}) x"));
        let keys: Option<Vec<u8>> = self.one(&sql, values)?;
        Ok(keys.unwrap_or_default())
    }

    /// How many records have this key, or none.
    fn count(&self, test: &str, key: Option<&[u8; KEY_BYTES]>) -> StoreResult<u64> {
        let Self { at, from, .. } = self;
        let mut sql = format!("SELECT count(*) {from} AND p.c{at} {test}");
        let mut values = vec![Value::Integer(self.collection.no)];
        values.extend(key.map(|key| Value::Blob(key.to_vec())));
        self.conditions.write_sql(&mut sql, &mut values);
        let count: i64 = self.one(&sql, values)?;
        Ok(u64::try_from(count).unwrap_or(0))
    }

    fn one<T: super::driver::FromColumn>(&self, sql: &str, values: Vec<Value>) -> StoreResult<T> {
        self.db
            .prepare_cached(sql)
            .and_then(|mut find| find.query_row(params_from_iter(values), |row| row.get(0)))
            .map_err(from_driver)
    }
}
