//! The keys of a time field, many to a row: a row per key would cost more to send than to find.

use super::spans::{Key, KeyRange};
use crate::aggregate::time_buckets::BucketCounts;
use crate::error::StoreResult;
use crate::postgres::driver::types::{Value, ValueRef};
use crate::postgres::driver::{
    Connection, OptionalExtension, Result as DriverResult, Row, params_from_iter,
};
use crate::postgres::errors::{corrupt, from_driver};
use crate::postgres::sql::connections::collection::{Collection, StoredKind};
use crate::postgres::sql::records::plan::Conditions;

/// Keys asked for at once: the server packs a quarter of a megabyte faster than more. Few under test, so
/// that pages end everywhere.
const PAGE_KEYS: usize = if cfg!(feature = "small-pages") { 5 } else { 20_000 };

/// Counts the keys of a column; says how many records there are, or `None` when that cannot be done
/// this way.
///
/// `from` goes up to the number of the collection, which is its one value.
pub(crate) fn walk_packed(
    db: &Connection,
    collection: &Collection,
    at: usize,
    conditions: &Conditions<'_>,
    from: &str,
    counts: &mut BucketCounts,
) -> StoreResult<Option<u64>> {
    if !is_packed(collection, at, conditions) {
        return Ok(None);
    }
    Packed { db, collection, conditions, from, at }.count_in(&KeyRange::whole(), counts).map(Some)
}

/// Whether the keys of a column are walked over this way.
pub(super) fn is_packed(collection: &Collection, at: usize, conditions: &Conditions<'_>) -> bool {
    let kind = collection.shape.columns.get(at).map(|column| column.kind);
    // Another column's condition may have a narrower index than the one in this order.
    matches!(kind, Some(StoredKind::Date | StoredKind::DateTime))
        && conditions.columns.iter().all(|test| test.column == at)
}
/// What comes after a page.
enum Next {
    Nothing,
    /// Keys above this one.
    After(Key),
    /// A page full of one key, of which there may be more.
    Crowd(Key),
}

/// The keys of a page that it has all records of: those with the last key of a full page may go on
/// behind it, and are left for the next one.
fn split(keys: &[Key]) -> (&[Key], Next) {
    let Some(last) = keys.last().filter(|_| keys.len() == PAGE_KEYS) else {
        return (keys, Next::Nothing);
    };
    let whole = keys.get(..keys.partition_point(|key| key < last)).unwrap_or(&[]);
    (whole, whole.last().map_or(Next::Crowd(*last), |before| Next::After(*before)))
}

/// One column of one collection on its way.
pub(crate) struct Packed<'a> {
    pub db: &'a Connection,
    pub collection: &'a Collection,
    pub conditions: &'a Conditions<'a>,
    pub from: &'a str,
    pub at: usize,
}

impl Packed<'_> {
    /// Counts the keys in a range; says how many records there are.
    pub(crate) fn count_in(&self, range: &KeyRange, counts: &mut BucketCounts) -> StoreResult<u64> {
        let kind = self.collection.shape.columns.get(self.at).map(|column| column.kind);
        let are_dates = kind == Some(StoredKind::Date);
        let mut count = 0;
        if range.with_missing {
            count = self.count("IS NULL", None)?;
            counts.add_missing(count);
        }
        let mut after = range.after.clone();
        loop {
            let (counted, next) = self.page(&after, range.until.as_ref(), |keys| {
                let (whole, next) = split(keys);
                counts.add_keys(whole.iter().map(Key::as_slice), are_dates);
                (u64::try_from(whole.len()).unwrap_or(0), next)
            })?;
            count += counted;
            match next {
                Next::Nothing => return Ok(count),
                Next::After(key) => after = key.to_vec(),
                Next::Crowd(key) => {
                    let records = self.count("= ?", Some(&key))?;
                    counts.add_keys((0..records).map(|_| key.as_slice()), are_dates);
                    count += records;
                    after = key.to_vec();
                }
            }
        }
    }

    /// All keys in so many ranges, of one length in time.
    pub(crate) fn ranges(&self, parts: u64) -> StoreResult<Vec<KeyRange>> {
        let ends = if parts > 1 { self.ends()? } else { None };
        let split = |(first, last)| KeyRange::between(&first, &last, parts);
        Ok(ends.map_or_else(|| vec![KeyRange::whole()], split))
    }

    /// The first and the last key; `None` where no record has one.
    fn ends(&self) -> StoreResult<Option<(Key, Key)>> {
        let Self { at, from, .. } = self;
        let mut ends = ["ASC", "DESC"].into_iter().map(|order| {
            let mut sql = format!("SELECT p.c{at} {from} AND p.c{at} IS NOT NULL");
            let mut values = vec![Value::Integer(self.collection.no.0)];
            self.conditions.write_sql(&mut sql, &mut values);
            sql.push_str(&format!(" ORDER BY p.c{at} {order} LIMIT 1"));
            self.db
                .prepare_cached(&sql)
                .and_then(|mut find| {
                    find.query_row(params_from_iter(values), |row| row.get(0)).optional()
                })
                .map_err(from_driver)
        });
        match (ends.next().transpose()?.flatten(), ends.next().transpose()?.flatten()) {
            (Some(first), Some(last)) => Ok(Some((first, last))),
            _ => Ok(None),
        }
    }

    /// Lends the next keys after one, in order.
    fn page<T>(
        &self,
        after: &[u8],
        until: Option<&Key>,
        look: impl FnOnce(&[Key]) -> T,
    ) -> StoreResult<T> {
        let Self { at, from, collection, .. } = self;
        let mut sql = format!(
            "SELECT string_agg(x.k, CAST(NULL AS bytea)) FROM (SELECT p.c{at} AS k {from} AND p.c{at} > ?"
        );
        let mut values = vec![Value::Integer(collection.no.0), Value::Blob(after.to_vec())];
        if let Some(until) = until {
            sql.push_str(&format!(" AND p.c{at} <= ?"));
            values.push(Value::Blob(until.to_vec()));
        }
        self.conditions.write_sql(&mut sql, &mut values);
        sql.push_str(&format!(" ORDER BY p.c{at} LIMIT {PAGE_KEYS}) x"));
        let looked = self.one(&sql, values, |row| {
            let packed = match row.get_ref(0)? {
                ValueRef::Null => &[],
                packed => packed.as_bytes()?,
            };
            let (keys, rest) = packed.as_chunks();
            Ok(rest.is_empty().then(|| look(keys)))
        })?;
        looked.ok_or_else(|| corrupt("projection", "time key", collection.projection_no))
    }

    /// How many records have this key, or none.
    fn count(&self, test: &str, key: Option<&Key>) -> StoreResult<u64> {
        let Self { at, from, .. } = self;
        let mut sql = format!("SELECT count(*) {from} AND p.c{at} {test}");
        let mut values = vec![Value::Integer(self.collection.no.0)];
        values.extend(key.map(|key| Value::Blob(key.to_vec())));
        self.conditions.write_sql(&mut sql, &mut values);
        let count: i64 = self.one(&sql, values, |row| row.get(0))?;
        Ok(u64::try_from(count).unwrap_or(0))
    }

    fn one<T>(
        &self,
        sql: &str,
        values: Vec<Value>,
        read: impl FnOnce(&Row<'_>) -> DriverResult<T>,
    ) -> StoreResult<T> {
        self.db
            .prepare_cached(sql)
            .and_then(|mut find| find.query_row(params_from_iter(values), read))
            .map_err(from_driver)
    }
}
