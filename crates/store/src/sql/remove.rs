//! Taking a connection away with everything that belongs to it.

use std::collections::BTreeSet;

use super::driver::{Connection as Db, params};
use jiff::Timestamp;
use pdpp_contract::ConnectionId;
use pdpp_contract::blob::BlobId;

use super::blob_bytes::BlobBytes;
use super::blob_refs;
use super::connection_row::find;
use super::declared::table;
use super::errors::from_driver;
use super::grants;
use super::search_write::remove_rows;
use super::write_text::CHUNK_BITS;
use crate::connections::{Connection, ConnectionRef, Erased};
use crate::error::StoreResult;

/// Statements that empty one collection; `?1` is its number.
const EMPTY_COLLECTION: &[&str] = &[
    "DELETE FROM versions WHERE record_no IN
        (SELECT record_no FROM record_keys WHERE collection_no = ?1)",
    "DELETE FROM records WHERE record_no IN
        (SELECT record_no FROM record_keys WHERE collection_no = ?1)",
    "DELETE FROM pruned WHERE collection_no = ?1",
    "DELETE FROM changes WHERE collection_no = ?1",
    "DELETE FROM record_keys WHERE collection_no = ?1",
    "DELETE FROM time_fields WHERE collection_no = ?1",
    "DELETE FROM collection_fields WHERE collection_no = ?1",
    "DELETE FROM collections WHERE collection_no = ?1",
];
const LIST_COLLECTIONS: &str = "
    SELECT c.collection_no, c.projection_no, c.record_count
      FROM collections c JOIN connections n ON n.connection_no = c.connection_no
     WHERE n.connection_id = ?1";
const LIST_TEXTS: &str = "
    SELECT t.text_no
      FROM texts t JOIN record_keys k ON k.record_no = t.record_no
     WHERE k.collection_no = ?1";

/// Erases a connection inside a transaction.
pub(super) fn remove_connection(
    db: &super::driver::Transaction<'_>,
    (id, bytes): (&ConnectionId, &BlobBytes),
    now: Timestamp,
) -> StoreResult<Option<(Erased, Vec<BlobId>)>> {
    let Some(connection) = find(db, &ConnectionRef::Id(id.clone()))? else {
        return Ok(None);
    };
    let collections: Vec<(i64, i64, i64)> = db
        .prepare_cached(LIST_COLLECTIONS)
        .and_then(|mut list| {
            list.query_map([id.as_str()], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?
                .collect()
        })
        .map_err(from_driver)?;
    let (mut records, mut texts) = (0, 0);
    let mut lost = BTreeSet::new();
    for (collection_no, projection_no, count) in collections {
        texts += erase_texts(db, collection_no)?;
        blob_refs::drop_all(db, collection_no, &mut lost)?;
        erase_words(db, collection_no)?;
        let typed = format!("DELETE FROM {} WHERE collection_no = ?1", table(projection_no));
        db.execute(&typed, [collection_no]).map_err(from_driver)?;
        for statement in EMPTY_COLLECTION {
            db.execute(statement, [collection_no]).map_err(from_driver)?;
        }
        records += u64::try_from(count).unwrap_or(0);
    }
    for statement in [
        "DELETE FROM quarantine WHERE connection_no =
            (SELECT connection_no FROM connections WHERE connection_id = ?1)",
        "DELETE FROM connections WHERE connection_id = ?1",
    ] {
        db.execute(statement, params![id.as_str()]).map_err(from_driver)?;
    }
    let grants = grants::end_for_connection(db, id, now)?;
    let gone = blob_refs::forget(db, bytes, lost)?;
    let blobs = gone.count;
    let Connection { id, name, .. } = connection;
    Ok(Some((Erased { id, name, records, texts, blobs, grants }, gone.files)))
}

/// Takes every word of a collection out of the index.
fn erase_words(db: &Db, collection_no: i64) -> StoreResult<()> {
    let numbers: Vec<i64> = db
        .prepare_cached("SELECT record_no FROM record_keys WHERE collection_no = ?1")
        .and_then(|mut list| list.query_map([collection_no], |row| row.get(0))?.collect())
        .map_err(from_driver)?;
    numbers.into_iter().try_for_each(|record_no| remove_rows(db, record_no))
}

fn erase_texts(db: &Db, collection_no: i64) -> StoreResult<u64> {
    let numbers: Vec<i64> = db
        .prepare_cached(LIST_TEXTS)
        .and_then(|mut list| list.query_map([collection_no], |row| row.get(0))?.collect())
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
