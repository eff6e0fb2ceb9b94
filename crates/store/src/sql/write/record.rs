//! One record into its rows, inside the batch's transaction.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::backend::driver::{self, Connection, OptionalExtension, Params, add_numbered, params};
use pdpp_contract::blob::BlobId;

use super::backend::errors::from_driver;
use super::field_hashes::field_hashes;
use super::known_keys::{KnownKeys, LiveRecord};
use super::sql::blobs::refs;
use super::sql::connections::collection::Collection;
use super::sql::connections::projection::{self, ProjectionRow};
use super::sql::connections::time_fields::keys_in;
use super::sql::search::write::{IndexFields, add_rows, remove_rows};
use super::text::{add_texts, kept_texts, put_texts};
use crate::error::StoreResult;
use crate::insert::{Insert, NumberedInsert, insert, numbered_insert};
use crate::numbers::{ChangeNo, CollectionNo, RecordNo};
use crate::records::time_keys::keys_to_bytes;
use crate::writes::WriteOutcome;
use crate::writes::prepare::{
    FLAG_REVISED, FLAG_TEXTS, INHERITED_MARKS, OWN_MARKS, PreparedContent, PreparedRecord,
    PreparedText,
};

pub(crate) const ADD_KEY: NumberedInsert =
    numbered_insert!(record_keys(record_no; collection_no, change_no, key_order));
const TOUCH_KEY: &str = "
    UPDATE record_keys SET change_no = ?2 WHERE record_no = ?1";
const PUT_RECORD: Insert = insert!(records(record_no, collection_no, flags, emitted_at, json));
const LAST_HASHES: &str = "
    SELECT deleted, field_hashes FROM versions
     WHERE record_no = ?1
     ORDER BY change_no DESC
     LIMIT 1";
const DROP_RECORD: &str = "
    DELETE FROM records WHERE record_no = ?1";
const ADD_VERSION: Insert = insert!(versions(
    record_no,
    change_no,
    deleted,
    flags,
    emitted_at,
    time_key,
    field_hashes,
    other_times,
));
pub(crate) const ADD_CHANGE: Insert = insert!(changes(collection_no, change_no, record_no));

/// A collection being written to: what is looked up once per batch, and what has changed.
pub(crate) struct OpenCollection {
    pub collection: Collection,
    pub put_projection: Insert,
    pub field_numbers: HashMap<String, u16>,
    pub index_fields: IndexFields,
    /// Former time fields, to which grants may still be bound.
    pub former_times: HashSet<String>,
    /// Blobs that lost a reference.
    pub lost_blobs: BTreeSet<BlobId>,
    pub added: i64,
    /// Keys that were looked up before the batch, each good for one use.
    pub known: KnownKeys,
}

/// A record and the collection it belongs to, by their numbers.
#[derive(Clone, Copy)]
pub(crate) struct RecordNumbers {
    pub collection_no: CollectionNo,
    pub record_no: RecordNo,
}

/// What became of one record.
pub(crate) struct Wrote {
    pub outcome: WriteOutcome,
    pub record_no: Option<RecordNo>,
    /// What it carried before, by itself.
    pub marks_before: i64,
}

impl Wrote {
    fn nothing(outcome: WriteOutcome) -> Self {
        Self { outcome, record_no: None, marks_before: 0 }
    }
}

/// Writes one record; `change_no` is used only when something changes.
pub(crate) fn write(
    db: &Connection,
    open: &mut OpenCollection,
    record: &PreparedRecord,
    change_no: ChangeNo,
) -> StoreResult<Wrote> {
    let collection_no = open.collection.no;
    let known = open.known.look(db, collection_no, &record.key_order)?;
    let (known, live) = match known {
        Some(key) => (Some(key.record_no), key.live),
        None => (None, None),
    };
    match (&record.content, known, live) {
        (None, Some(record_no), Some(_)) if !record.append_only => {
            delete(db, open, record_no, &record.emitted_at, change_no)?;
            Ok(Wrote::nothing(WriteOutcome::Deleted))
        }
        (None, _, Some(_)) => Ok(Wrote::nothing(WriteOutcome::RefusedAppendOnly)),
        (None, _, None) => Ok(Wrote::nothing(WriteOutcome::Absent)),
        (Some(content), Some(record_no), Some(live)) => {
            if same(db, record_no, content, &live)? {
                return Ok(Wrote::nothing(WriteOutcome::Unchanged));
            }
            if record.append_only {
                return Ok(Wrote::nothing(WriteOutcome::RefusedAppendOnly));
            }
            // What it was made from stays what it was made from.
            let flags = content.flags | FLAG_REVISED | live.flags & INHERITED_MARKS;
            put(db, open, &Target { record_no, change_no, flags }, record, content)?;
            let marks_before = live.flags & OWN_MARKS;
            let outcome = WriteOutcome::Changed;
            Ok(Wrote { outcome, record_no: Some(record_no), marks_before })
        }
        (Some(content), known, _) => {
            let (record_no, flags) = match known {
                Some(record_no) => (record_no, content.flags | FLAG_REVISED),
                None => (add_key(db, collection_no, change_no, &record.key_order)?, content.flags),
            };
            put(db, open, &Target { record_no, change_no, flags }, record, content)?;
            open.added += 1;
            let outcome = WriteOutcome::Added;
            Ok(Wrote { outcome, record_no: Some(record_no), marks_before: 0 })
        }
    }
}

fn same(
    db: &Connection,
    record_no: RecordNo,
    content: &PreparedContent,
    live: &LiveRecord,
) -> StoreResult<bool> {
    if live.flags & !(FLAG_REVISED | INHERITED_MARKS) != content.flags || live.json != content.json
    {
        return Ok(false);
    }
    if content.flags & FLAG_TEXTS == 0 {
        return Ok(true);
    }
    let kept = kept_texts(db, record_no)?;
    let unchanged = |text: &PreparedText| kept.get(&text.path).is_some_and(|old| old.is(text));
    Ok(kept.len() == content.texts.len() && content.texts.iter().all(unchanged))
}

fn add_key(
    db: &Connection,
    collection_no: CollectionNo,
    change_no: ChangeNo,
    key_order: &[u8],
) -> StoreResult<RecordNo> {
    let values = params![collection_no, change_no, key_order];
    add_numbered(db, &ADD_KEY, values).map(RecordNo).map_err(from_driver)
}

/// The numbers a record is written under.
struct Target {
    record_no: RecordNo,
    change_no: ChangeNo,
    flags: i64,
}

fn put(
    db: &Connection,
    open: &mut OpenCollection,
    target: &Target,
    record: &PreparedRecord,
    content: &PreparedContent,
) -> StoreResult<()> {
    let collection_no = open.collection.no;
    let Target { record_no, change_no, flags } = *target;
    // A new key has no rows yet, so that nothing needs to be looked for.
    let is_new = flags & FLAG_REVISED == 0;
    if !is_new {
        run(db, TOUCH_KEY, params![record_no, change_no])?;
        run(db, DROP_RECORD, [record_no])?;
        projection::remove(db, open.collection.projection_no, record_no)?;
    }
    put_row(db, &ADD_CHANGE, params![collection_no, change_no, record_no])?;
    let values = params![record_no, collection_no, flags, record.emitted_at, content.json];
    put_row(db, &PUT_RECORD, values)?;
    let row = ProjectionRow {
        record_no,
        collection_no,
        flags,
        key_order: &record.key_order,
        keys: &content.projected,
    };
    projection::put(db, &open.put_projection, &row)?;
    let numbers = RecordNumbers { collection_no, record_no };
    if is_new {
        refs::add(db, numbers, &content.blob_refs)?;
        add_texts(db, record_no, &content.texts)?;
    } else {
        refs::replace(db, numbers, &content.blob_refs, &mut open.lost_blobs)?;
        put_texts(db, record_no, &content.texts)?;
    }
    let hashes = field_hashes(db, open, &content.field_hashes)?;
    if is_new || words_changed(db, open, record, record_no, &hashes)? {
        if !is_new {
            remove_rows(db, record_no)?;
        }
        add_rows(db, &mut open.index_fields, numbers, &record.searched, content)?;
    }
    let time_key = content.time_key.as_ref().map(crate::SortKey::as_bytes);
    let (at, other) = (&record.emitted_at, other_times(open, content));
    put_row(db, &ADD_VERSION, params![record_no, change_no, 0, flags, at, time_key, hashes, other])
}

/// The keys of former time fields, as stored. Their numbers are known: hashes come first.
fn other_times(open: &OpenCollection, content: &PreparedContent) -> Option<Vec<u8>> {
    if open.former_times.is_empty() {
        return None;
    }
    let fields = open.former_times.iter();
    let numbered = fields.filter_map(|name| Some((name.as_str(), *open.field_numbers.get(name)?)));
    let keys = keys_in(&content.json, numbered);
    keys_to_bytes(&keys)
}

/// Whether a searched field differs from the version before, by its hash.
fn words_changed(
    db: &Connection,
    open: &OpenCollection,
    record: &PreparedRecord,
    record_no: RecordNo,
    hashes: &[u8],
) -> StoreResult<bool> {
    let before: Option<(bool, Vec<u8>)> = db
        .prepare_cached(LAST_HASHES)
        .and_then(|mut last| {
            last.query_row([record_no], |row| Ok((row.get(0)?, row.get(1)?))).optional()
        })
        .map_err(from_driver)?;
    let Some((false, before)) = before else {
        return Ok(true);
    };
    let entry = |all: &[u8], number: u16| {
        let own = |entry: &&[u8]| entry.starts_with(&number.to_be_bytes());
        all.chunks(10).find(own).map(<[u8]>::to_vec)
    };
    let numbers = record.searched.iter().filter_map(|field| open.field_numbers.get(field.as_str()));
    Ok(numbers.into_iter().any(|number| entry(&before, *number) != entry(hashes, *number)))
}

/// Takes a live record out, with its typed copy and texts; its key and versions stay.
pub(crate) fn delete(
    db: &Connection,
    open: &mut OpenCollection,
    record_no: RecordNo,
    emitted_at: &str,
    change_no: ChangeNo,
) -> StoreResult<()> {
    run(db, TOUCH_KEY, params![record_no, change_no])?;
    put_row(db, &ADD_CHANGE, params![open.collection.no, change_no, record_no])?;
    run(db, DROP_RECORD, [record_no])?;
    projection::remove(db, open.collection.projection_no, record_no)?;
    put_texts(db, record_no, &[])?;
    let numbers = RecordNumbers { collection_no: open.collection.no, record_no };
    refs::replace(db, numbers, &[], &mut open.lost_blobs)?;
    remove_rows(db, record_no)?;
    let no_time: Option<&[u8]> = None;
    let no_hashes: &[u8] = &[];
    let values = params![record_no, change_no, 1, 0, emitted_at, no_time, no_hashes, no_time];
    put_row(db, &ADD_VERSION, values)?;
    open.added -= 1;
    Ok(())
}

/// Runs one prepared statement whose outcome nobody waits for.
pub(crate) fn run(db: &Connection, sql: &str, values: impl Params) -> StoreResult<()> {
    driver::run(db, sql, values).map_err(from_driver)
}

/// Adds one of many rows with a plain `INSERT`.
pub(crate) fn put_row(db: &Connection, row: &Insert, values: impl Params) -> StoreResult<()> {
    driver::add_row(db, row, values).map_err(from_driver)
}
