//! Taking a connection away with everything that belongs to it, step by step.
//!
//! Its grants end first. Then records go, some in each transaction, and after each step the store is sound
//! and the log is cut: the room that is needed does not grow with what is erased. What breaks off goes on
//! when the connection is removed again.

use std::collections::BTreeSet;

use super::backend::driver::{Connection as Db, Transaction, params};
use jiff::Timestamp;
use pdpp_contract::ConnectionId;
use pdpp_contract::blob::BlobId;

use super::backend::Backend;
use super::backend::blob_bytes::BlobBytes;
use super::backend::errors::from_driver;
use super::backend::maintenance::erasing::check_may_erase;
use super::collection::table;
use super::row::find;
use super::sql::access::grants;
use super::sql::accounts;
use super::sql::blobs::refs;
use super::sql::search::write::remove_rows;
use super::sql::write::text::CHUNK_BITS;
use crate::error::{StoreError, StoreResult};
use crate::numbers::{ChangeNo, CollectionNo, RecordNo};
use crate::opening::reserve::Reserve;
use crate::records::connections::{ConnectionRef, Erased};

/// Records of one step.
const STEP: i64 = 1_000;
/// A step on a disk without room is this many times smaller than the one before.
const SMALLER: i64 = 8;
/// Long text of one step, for each record that it may hold.
const TEXT_BYTES: i64 = 8 * 1024;

const LIST_COLLECTIONS: &str = "
    SELECT c.collection_no, c.projection_no
      FROM collections c JOIN connections n ON n.connection_no = c.connection_no
     WHERE n.connection_id = ?1
     ORDER BY c.collection_no";
/// The records that changed first, which an index has in this order.
const LIST_KEYS: &str = "
    SELECT k.change_no, k.record_no,
           (SELECT CAST(coalesce(sum(t.bytes), 0) AS BIGINT)
              FROM texts t
             WHERE t.record_no = k.record_no)
      FROM record_keys k
     WHERE k.collection_no = ?1
     ORDER BY k.change_no
     LIMIT ?2";
const LIST_TEXTS: &str = "
    SELECT t.text_no
      FROM record_keys k JOIN texts t ON t.record_no = k.record_no
     WHERE k.collection_no = ?1 AND k.change_no <= ?2";
const DROP_CHANGES: &str = "
    DELETE FROM changes
     WHERE collection_no = ?1
       AND change_no IN (SELECT v.change_no
                           FROM record_keys k JOIN versions v ON v.record_no = k.record_no
                          WHERE k.collection_no = ?1 AND k.change_no <= ?2)";
/// Tables with rows of a record, besides its typed copy.
const OF_RECORD: [&str; 3] = ["versions", "pruned", "records"];
const DROP_KEYS: &str = "
    DELETE FROM record_keys WHERE collection_no = ?1 AND change_no <= ?2";
const COUNT_LESS: &str = "
    UPDATE collections SET record_count = record_count - ?2 WHERE collection_no = ?1";
const DROP_QUARANTINE: &str = "
    DELETE FROM quarantine
     WHERE item_no IN (SELECT q.item_no
                         FROM quarantine q JOIN connections n ON n.connection_no = q.connection_no
                        WHERE n.connection_id = ?1
                        ORDER BY q.item_no
                        LIMIT ?2)";
const HAS_KEYS: &str = "
    SELECT EXISTS (SELECT 1 FROM record_keys WHERE collection_no = ?1)";
/// Statements that end a collection without records; `?1` is its number.
const END_COLLECTION: [&str; 5] = [
    "DELETE FROM pruned WHERE collection_no = ?1",
    "DELETE FROM changes WHERE collection_no = ?1",
    "DELETE FROM time_fields WHERE collection_no = ?1",
    "DELETE FROM collection_fields WHERE collection_no = ?1",
    "DELETE FROM collections WHERE collection_no = ?1",
];
const DROP_CONNECTION: &str = "
    DELETE FROM connections WHERE connection_id = ?1";

/// What one step erased.
#[derive(Default)]
struct Step {
    records: u64,
    texts: u64,
    blobs: u64,
    files: Vec<BlobId>,
}

/// Removes a connection; `None` when there is none of this id.
pub(super) async fn remove_connection(
    store: &Backend,
    id: &ConnectionId,
    now: Timestamp,
) -> StoreResult<Option<Erased>> {
    let named = id.clone();
    let begun = store.write_reserved(Reserve::Ending, move |db| begin(db, &named, now)).await?;
    let Some(mut erased) = begun else {
        store.forget_old_pages(Vec::new()).await?;
        return Ok(None);
    };
    let mut most = STEP;
    loop {
        let (named, files) = (id.clone(), store.blobs.clone());
        let step = store
            .write_reserved(Reserve::Ending, move |db| erase_some(db, &named, &files, most))
            .await;
        match step {
            Ok(Some(step)) => {
                erased.records += step.records;
                erased.texts += step.texts;
                erased.blobs += step.blobs;
                store.forget_step(step.files).await?;
            }
            Ok(None) => {
                let named = id.clone();
                let end = store.write_reserved(Reserve::Ending, move |db| end(db, &named, now));
                // What came meanwhile goes as well.
                if let Some(grants) = end.await? {
                    erased.grants += grants;
                    store.forget_old_pages(Vec::new()).await?;
                    return Ok(Some(erased));
                }
            }
            Err(StoreError::Full) if most > 1 => {
                most = (most / SMALLER).max(1);
                store.forget_step(Vec::new()).await?;
            }
            Err(error) => return Err(error),
        }
    }
}

/// Ends the grants of a connection.
fn begin(db: &Transaction<'_>, id: &ConnectionId, now: Timestamp) -> StoreResult<Option<Erased>> {
    check_may_erase(db)?;
    let Some(connection) = find(db, &ConnectionRef::Id(id.clone()))? else {
        return Ok(None);
    };
    let grants = grants::end_for_connection(db, id, now)?;
    // Nothing syncs into it any more.
    accounts::remove(db, id)?;
    let (id, name) = (connection.id, connection.name);
    Ok(Some(Erased { id, name, records: 0, texts: 0, blobs: 0, grants }))
}

/// Erases some records, or else some refused items; `None` when nothing is left.
fn erase_some(
    db: &Transaction<'_>,
    id: &ConnectionId,
    bytes: &BlobBytes,
    most: i64,
) -> StoreResult<Option<Step>> {
    for (collection_no, projection_no) in collections(db, id)? {
        let Some(keys) = Keys::first(db, collection_no, most)? else { continue };
        return keys.erase(db, bytes, projection_no).map(Some);
    }
    let items = db.execute(DROP_QUARANTINE, params![id.as_str(), most]).map_err(from_driver)?;
    Ok((items > 0).then(Step::default))
}

/// Ends a connection that has no records; how many grants were issued meanwhile and end with it. `None`
/// when records came.
fn end(db: &Transaction<'_>, id: &ConnectionId, now: Timestamp) -> StoreResult<Option<u64>> {
    for (collection_no, _) in collections(db, id)? {
        let has_keys: bool =
            db.query_row(HAS_KEYS, [collection_no], |row| row.get(0)).map_err(from_driver)?;
        if has_keys {
            return Ok(None);
        }
        for statement in END_COLLECTION {
            db.execute(statement, [collection_no]).map_err(from_driver)?;
        }
    }
    if db.execute(DROP_QUARANTINE, params![id.as_str(), 1]).map_err(from_driver)? > 0 {
        return Err(StoreError::Conflict("something was imported meanwhile; remove it again"));
    }
    let grants = grants::end_for_connection(db, id, now)?;
    accounts::remove(db, id)?;
    db.execute(DROP_CONNECTION, [id.as_str()]).map_err(from_driver)?;
    Ok(Some(grants))
}

fn collections(db: &Db, id: &ConnectionId) -> StoreResult<Vec<(CollectionNo, i64)>> {
    db.prepare_cached(LIST_COLLECTIONS)
        .and_then(|mut list| {
            list.query_map([id.as_str()], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
        })
        .map_err(from_driver)
}

/// The keys of a collection up to a change.
struct Keys {
    collection_no: CollectionNo,
    through: ChangeNo,
    records: Vec<RecordNo>,
}

impl Keys {
    /// Some of them, at least one; `None` when there is none.
    fn first(db: &Db, collection_no: CollectionNo, most: i64) -> StoreResult<Option<Self>> {
        let listed: Vec<(ChangeNo, RecordNo, i64)> = db
            .prepare_cached(LIST_KEYS)
            .and_then(|mut list| {
                list.query_map(params![collection_no, most], |row| {
                    Ok((row.get(0)?, row.get(1)?, row.get(2)?))
                })?
                .collect()
            })
            .map_err(from_driver)?;
        let (mut through, mut text_bytes, mut records) = (None, 0_i64, Vec::new());
        for (change_no, record_no, bytes) in listed {
            text_bytes = text_bytes.saturating_add(bytes);
            if through.is_some() && text_bytes > TEXT_BYTES.saturating_mul(most) {
                break;
            }
            through = Some(change_no);
            records.push(record_no);
        }
        Ok(through.map(|through| Self { collection_no, through, records }))
    }

    fn erase(&self, db: &Db, bytes: &BlobBytes, projection_no: i64) -> StoreResult<Step> {
        let (collection_no, through) = (self.collection_no, self.through);
        let numbers = params![collection_no, through];
        let mut step = Step { texts: erase_texts(db, collection_no, through)?, ..Step::default() };
        let mut lost = BTreeSet::new();
        refs::drop_through(db, collection_no, through, &mut lost)?;
        self.records.iter().try_for_each(|record_no| remove_rows(db, *record_no))?;
        db.execute(DROP_CHANGES, numbers).map_err(from_driver)?;
        let mut live = 0;
        for table in [table(projection_no)].into_iter().chain(OF_RECORD.map(str::to_owned)) {
            // The records themselves come last.
            live = db
                .execute(
                    &format!(
                        "DELETE FROM {table}
                          WHERE record_no IN (SELECT record_no FROM record_keys
                                               WHERE collection_no = ?1 AND change_no <= ?2)"
                    ),
                    numbers,
                )
                .map_err(from_driver)?;
        }
        let live = i64::try_from(live).unwrap_or(0);
        db.execute(COUNT_LESS, params![collection_no, live]).map_err(from_driver)?;
        db.execute(DROP_KEYS, numbers).map_err(from_driver)?;
        let gone = refs::forget(db, bytes, lost)?;
        step.records = u64::try_from(live).unwrap_or(0);
        (step.blobs, step.files) = (gone.count, gone.files);
        Ok(step)
    }
}

fn erase_texts(db: &Db, collection_no: CollectionNo, through: ChangeNo) -> StoreResult<u64> {
    let numbers: Vec<i64> = db
        .prepare_cached(LIST_TEXTS)
        .and_then(|mut list| {
            list.query_map(params![collection_no, through], |row| row.get(0))?.collect()
        })
        .map_err(from_driver)?;
    for text_no in &numbers {
        db.prepare_cached("DELETE FROM text_chunks WHERE chunk_no >= ?1 AND chunk_no < ?2")
            .and_then(|mut drop| drop.execute([text_no << CHUNK_BITS, (text_no + 1) << CHUNK_BITS]))
            .map_err(from_driver)?;
        db.prepare_cached("DELETE FROM texts WHERE text_no = ?1")
            .and_then(|mut drop| drop.execute([text_no]))
            .map_err(from_driver)?;
    }
    Ok(u64::try_from(numbers.len()).unwrap_or(u64::MAX))
}
