//! When what a scope shows of a record was last processed.
//!
//! A change that touches hidden fields only must not show, not even as a newer time. The version
//! log tells, without content, how far back the visible part has been the same.

use std::collections::HashSet;

use super::backend::driver::{Connection, params};

use super::backend::errors::from_driver;
use super::sql::records::RecordRow;
use crate::error::StoreResult;
use crate::numbers::{ChangeNo, CollectionNo, RecordNo};
use crate::records::scope::{CollectionScope, TimeBounds};
use crate::records::sort_key::SortKey;
use crate::records::time_keys::keys_from_bytes;
use crate::writes::prepare::FLAG_REVISED;

const LIST_VERSIONS: &str = "
    SELECT deleted, flags, time_key, field_hashes, emitted_at, change_no, other_times
      FROM versions
     WHERE record_no = ?1
     ORDER BY change_no DESC";
const FIND_COLLECTION: &str = "
    SELECT collection_no FROM record_keys WHERE record_no = ?1";
const LIST_FIELDS: &str = "
    SELECT f.field_no, f.name, t.name IS NOT NULL
      FROM collection_fields f
      LEFT JOIN time_fields t ON t.collection_no = f.collection_no AND t.name = f.name
     WHERE f.collection_no = ?1";

/// The `emitted_at` of the oldest version since which the visible part is unchanged.
pub(crate) fn visible(
    db: &Connection,
    scope: &CollectionScope,
    row: &RecordRow,
) -> StoreResult<String> {
    if row.flags & FLAG_REVISED == 0 {
        return Ok(row.emitted_at.clone());
    }
    let collection_no: CollectionNo = db
        .prepare_cached(FIND_COLLECTION)
        .and_then(|mut find| find.query_row([row.record_no], |row| row.get(0)))
        .map_err(from_driver)?;
    let fields = Fields::of(db, scope, collection_no, |name| scope.fields.contains(name))?;
    let since = unchanged_since(db, scope, &fields, row.record_no)?;
    Ok(since.map_or_else(|| row.emitted_at.clone(), |since| since.emitted_at))
}

/// Since when a part of a record has been as it is.
pub(crate) struct UnchangedSince {
    pub emitted_at: String,
    pub change_no: ChangeNo,
}

/// The oldest version of a visible record since which it has been visible and some of its fields are
/// unchanged; `None` only when the log is empty.
pub(crate) fn unchanged_since(
    db: &Connection,
    scope: &CollectionScope,
    fields: &Fields,
    record_no: RecordNo,
) -> StoreResult<Option<UnchangedSince>> {
    let Fields { shown, time, former_time } = fields;
    let mut list = db.prepare_cached(LIST_VERSIONS).map_err(from_driver)?;
    let mut rows = list.query([record_no]).map_err(from_driver)?;
    let mut newest: Option<(Vec<u8>, Vec<u8>)> = None;
    let mut since = None;
    while let Some(version) = rows.next().map_err(from_driver)? {
        let deleted: bool = version.get(0).map_err(from_driver)?;
        let flags: i64 = version.get(1).map_err(from_driver)?;
        let mut time_key: Option<Vec<u8>> = version.get(2).map_err(from_driver)?;
        if let Some(field) = former_time {
            let other: Option<Vec<u8>> = version.get(6).map_err(from_driver)?;
            time_key = keys_from_bytes(other.as_deref()).remove(field);
        }
        let hashes: Vec<u8> = version.get(3).map_err(from_driver)?;
        let hidden = flags & scope.hidden_marks() != 0;
        let time_hash = hashes_of(&hashes, time);
        // The row is visible. The log may lack the key of the scope's field; the same value as now
        // lies inside whatever the field.
        let same_time = newest.as_ref().is_none_or(|(_, newest)| *newest == time_hash);
        if deleted || hidden || !(same_time || inside(scope.time.as_ref(), time_key.as_deref())) {
            break;
        }
        let visible = hashes_of(&hashes, shown);
        match &newest {
            Some((newest, _)) if *newest != visible => break,
            Some(_) => {}
            None => newest = Some((visible, time_hash)),
        }
        since = Some(UnchangedSince {
            emitted_at: version.get(4).map_err(from_driver)?,
            change_no: version.get(5).map_err(from_driver)?,
        });
    }
    Ok(since)
}

/// Numbers of the fields that matter to a scope.
pub(crate) struct Fields {
    shown: HashSet<u16>,
    time: HashSet<u16>,
    /// The field of the scope's limit, if the log keeps its keys beside those of the present one.
    former_time: Option<u16>,
}

impl Fields {
    /// The wanted fields of a collection, and those that limit the scope.
    pub(crate) fn of(
        db: &Connection,
        scope: &CollectionScope,
        collection_no: CollectionNo,
        wanted: impl Fn(&str) -> bool,
    ) -> StoreResult<Self> {
        let rows: Vec<(u16, String, bool)> = db
            .prepare_cached(LIST_FIELDS)
            .and_then(|mut list| {
                list.query_map(params![collection_no], |row| {
                    Ok((row.get(0)?, row.get(1)?, row.get(2)?))
                })?
                .collect()
            })
            .map_err(from_driver)?;
        let numbers = |wanted: &dyn Fn(&str) -> bool| {
            rows.iter().filter(|(_, name, _)| wanted(name)).map(|(number, ..)| *number).collect()
        };
        let limits =
            |name: &str| scope.time.as_ref().is_some_and(|time| time.field.as_str() == name);
        let former = rows.iter().find(|(_, name, former)| *former && limits(name));
        Ok(Self {
            shown: numbers(&wanted),
            time: numbers(&limits),
            former_time: former.map(|(number, ..)| *number),
        })
    }
}

/// The entries of a version's hashes that belong to some fields.
fn hashes_of(hashes: &[u8], fields: &HashSet<u16>) -> Vec<u8> {
    let is_wanted = |entry: &&[u8]| match entry {
        [high, low, ..] => fields.contains(&u16::from_be_bytes([*high, *low])),
        _ => false,
    };
    hashes.chunks(10).filter(is_wanted).flatten().copied().collect()
}

/// Whether a version's time lies inside a scope's bounds, by its key.
fn inside(time: Option<&TimeBounds>, key: Option<&[u8]>) -> bool {
    let Some(time) = time else {
        return true;
    };
    let Some(key) = key else {
        return false;
    };
    let bound = |instant| SortKey::time(instant);
    time.since.is_none_or(|since| key >= bound(since).as_bytes())
        && time.until.is_none_or(|until| key < bound(until).as_bytes())
}
