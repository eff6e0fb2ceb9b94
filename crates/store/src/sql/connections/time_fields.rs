//! Moving the version log to another time field: the keys of the former one stay beside it.
//!
//! The log has no values. Where a version's value of the new field is the one the record has now, its
//! key is known; where it differs, nobody could have seen that version by this field, and it stays
//! without a key, which means outside.

use std::collections::HashSet;

use super::backend::driver::{Connection, OptionalExtension, params};
use pdpp_contract::{FieldName, Json};

use super::backend::errors::from_driver;
use super::collection::Shape;
use super::sql::changes::track::read_version;
use super::sql::records::get;
use super::sql::write::record::run;
use crate::changes::versions::Version;
use crate::error::StoreResult;
use crate::numbers::{CollectionNo, RecordNo};
use crate::records::sort_key::SortKey;
use crate::records::time_keys::{TimeKeys, keys_to_bytes, spans_from_bytes, spans_to_bytes};
use crate::writes::prepare::time_key_of;

const LIST_FORMER: &str = "
    SELECT name FROM time_fields WHERE collection_no = ?1";
const ADD_FORMER: &str = "
    INSERT INTO time_fields (collection_no, name) VALUES (?1, ?2)
    ON CONFLICT DO NOTHING";
const DROP_FORMER: &str = "
    DELETE FROM time_fields WHERE collection_no = ?1 AND name = ?2";
const FIND_FIELD: &str = "
    SELECT field_no FROM collection_fields WHERE collection_no = ?1 AND name = ?2";
const NEXT_KEYS: &str = "
    SELECT record_no FROM record_keys
     WHERE collection_no = ?1 AND record_no > ?2
     ORDER BY record_no
     LIMIT 500";
const LIST_VERSIONS: &str = "
    SELECT change_no, deleted, flags, emitted_at, time_key, field_hashes, other_times
      FROM versions
     WHERE record_no = ?1
     ORDER BY change_no";
const SET_TIMES: &str = "
    UPDATE versions SET time_key = ?3, other_times = ?4 WHERE record_no = ?1 AND change_no = ?2";
const FIND_SPANS: &str = "
    SELECT time_min, time_max, other_times FROM pruned WHERE record_no = ?1";
const SET_SPANS: &str = "
    UPDATE pruned SET time_min = ?2, time_max = ?3, other_times = ?4 WHERE record_no = ?1";

/// The former time fields of a collection.
pub(crate) fn former(db: &Connection, collection_no: CollectionNo) -> StoreResult<HashSet<String>> {
    db.prepare_cached(LIST_FORMER)
        .and_then(|mut list| list.query_map([collection_no], |row| row.get(0))?.collect())
        .map_err(from_driver)
}

/// The keys that a record with this JSON has in some fields.
pub(crate) fn keys_in<'a>(json: &str, fields: impl Iterator<Item = (&'a str, u16)>) -> TimeKeys {
    let Ok(Json::Object(data)) = Json::parse(json) else {
        return TimeKeys::new();
    };
    fields.filter_map(|(name, no)| Some((no, time_key_of(&data, name)?.into_bytes()))).collect()
}

/// Rewrites the log of a collection when its time field changes from one shape to the next.
pub(super) fn rebase(
    db: &Connection,
    collection_no: CollectionNo,
    from: &Shape,
    to: &Shape,
) -> StoreResult<()> {
    let (old, new) = (time_field(from), time_field(to));
    if old == new {
        return Ok(());
    }
    if let Some(old) = old {
        run(db, ADD_FORMER, params![collection_no, old.as_str()])?;
    }
    if let Some(new) = new {
        run(db, DROP_FORMER, params![collection_no, new.as_str()])?;
    }
    let rebase = Rebase {
        db,
        old: number(db, collection_no, old)?,
        new: number(db, collection_no, new)?,
        field: new,
    };
    let mut last = RecordNo(0);
    loop {
        let records: Vec<RecordNo> = db
            .prepare_cached(NEXT_KEYS)
            .and_then(|mut list| {
                list.query_map(params![collection_no, last], |row| row.get(0))?.collect()
            })
            .map_err(from_driver)?;
        let Some(end) = records.last() else {
            return Ok(());
        };
        last = *end;
        for record_no in records {
            rebase.versions(record_no)?;
            rebase.spans(record_no)?;
        }
    }
}

fn time_field(shape: &Shape) -> Option<&FieldName> {
    shape.time.and_then(|at| shape.columns.get(at)).map(|column| &column.field)
}

fn number(
    db: &Connection,
    collection_no: CollectionNo,
    field: Option<&FieldName>,
) -> StoreResult<Option<u16>> {
    let Some(field) = field else {
        return Ok(None);
    };
    db.query_row(FIND_FIELD, params![collection_no, field.as_str()], |row| row.get(0))
        .optional()
        .map_err(from_driver)
}

/// From which field to which, by number; a field that no record ever had has none.
struct Rebase<'a> {
    db: &'a Connection,
    old: Option<u16>,
    new: Option<u16>,
    field: Option<&'a FieldName>,
}

impl Rebase<'_> {
    fn versions(&self, record_no: RecordNo) -> StoreResult<()> {
        let versions: Vec<Version> = self
            .db
            .prepare_cached(LIST_VERSIONS)
            .and_then(|mut list| list.query_map([record_no], |row| read_version(row, 0))?.collect())
            .map_err(from_driver)?;
        let now = self.key_now(record_no)?;
        let newest = versions.last().and_then(|newest| self.hash(newest));
        for version in versions {
            let mut other = version.other_times.clone();
            let known = self.new.and_then(|new| other.remove(&new));
            let same = newest.is_some() && self.hash(&version) == newest;
            let time_key = known.or_else(|| now.clone().filter(|_| same));
            if let (Some(old), Some(key)) = (self.old, version.time_key) {
                other.insert(old, key);
            }
            let values = params![record_no, version.change_no, time_key, keys_to_bytes(&other)];
            run(self.db, SET_TIMES, values)?;
        }
        Ok(())
    }

    fn hash(&self, version: &Version) -> Option<u64> {
        version.hash(self.new?)
    }

    /// The new field's key in the live record.
    fn key_now(&self, record_no: RecordNo) -> StoreResult<Option<Vec<u8>>> {
        let Some(field) = self.field else {
            return Ok(None);
        };
        let row = get(self.db, record_no)?;
        Ok(row.and_then(|row| time_key_of(&row.data, field.as_str())).map(SortKey::into_bytes))
    }

    fn spans(&self, record_no: RecordNo) -> StoreResult<()> {
        type Columns = (Option<Vec<u8>>, Option<Vec<u8>>, Option<Vec<u8>>);
        let found: Option<Columns> = self
            .db
            .prepare_cached(FIND_SPANS)
            .and_then(|mut find| {
                find.query_row([record_no], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
                    .optional()
            })
            .map_err(from_driver)?;
        let Some((first, last, other)) = found else {
            return Ok(());
        };
        let mut other = spans_from_bytes(other.as_deref());
        // Without a span, nobody could have seen what was pruned by this field.
        let (new_first, new_last) = self.new.and_then(|new| other.remove(&new)).unzip();
        if let (Some(old), Some(first), Some(last)) = (self.old, first, last) {
            other.insert(old, (first, last));
        }
        run(self.db, SET_SPANS, params![record_no, new_first, new_last, spans_to_bytes(&other)])
    }
}
