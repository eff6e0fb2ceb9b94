//! References from records to blobs, in the record's transaction, and the blobs they leave behind.

use std::collections::BTreeSet;

use super::backend::driver::{Connection, Params, params};
use pdpp_contract::blob::BlobId;

use super::backend::begin_write;
use super::backend::blob_bytes::BlobBytes;
use super::backend::errors::from_driver;
use super::sql::write::record::{RecordNumbers, put_row, run};
use crate::error::StoreResult;
use crate::insert::{Insert, insert};
use crate::numbers::{ChangeNo, CollectionNo};

const LIST_REFS: &str = "
    SELECT DISTINCT sha256 FROM blob_refs WHERE record_no = ?1";
const DROP_REFS: &str = "
    DELETE FROM blob_refs WHERE record_no = ?1";
const ADD_REF: Insert = insert!(blob_refs(sha256, collection_no, record_no, field));
const IS_USED: &str = "
    SELECT EXISTS (SELECT 1 FROM blob_refs WHERE sha256 = ?1)";
const IS_KEPT: &str = "
    SELECT EXISTS (SELECT 1 FROM blobs WHERE sha256 = ?1)";
const DROP_BLOB: &str = "
    DELETE FROM blobs WHERE sha256 = ?1";
const LIST_OF_COLLECTION: &str = "
    SELECT DISTINCT b.sha256
      FROM record_keys k JOIN blob_refs b ON b.record_no = k.record_no
     WHERE k.collection_no = ?1 AND k.change_no <= ?2";
const DROP_OF_COLLECTION: &str = "
    DELETE FROM blob_refs
     WHERE record_no IN (SELECT record_no FROM record_keys
                          WHERE collection_no = ?1 AND change_no <= ?2)";

/// Replaces the references of a record; the blobs it referred to before join `lost`.
pub(crate) fn replace(
    db: &Connection,
    record: RecordNumbers,
    refs: &[(String, BlobId)],
    lost: &mut BTreeSet<BlobId>,
) -> StoreResult<()> {
    lost.extend(list(db, LIST_REFS, [record.record_no])?);
    run(db, DROP_REFS, [record.record_no])?;
    add(db, record, refs)
}

/// Adds the references of a record that has none.
pub(crate) fn add(
    db: &Connection,
    record: RecordNumbers,
    refs: &[(String, BlobId)],
) -> StoreResult<()> {
    let distinct: BTreeSet<_> = refs.iter().map(|(field, blob)| (field, blob.0)).collect();
    for (field, blob) in distinct {
        put_row(db, &ADD_REF, params![blob, record.collection_no, record.record_no, field])?;
    }
    Ok(())
}

/// Takes the references of a collection's records away, up to a change.
pub(crate) fn drop_through(
    db: &Connection,
    collection_no: CollectionNo,
    through: ChangeNo,
    lost: &mut BTreeSet<BlobId>,
) -> StoreResult<()> {
    lost.extend(list(db, LIST_OF_COLLECTION, params![collection_no, through])?);
    run(db, DROP_OF_COLLECTION, params![collection_no, through])
}

/// Blobs that nobody refers to any more and that are no longer listed.
#[derive(Debug, Default)]
pub(crate) struct Forgotten {
    pub count: u64,
    /// Those whose bytes are files, which go after the commit.
    pub files: Vec<BlobId>,
}

/// Forgets the blobs among these that a write left without a reference. What an import has brought stays:
/// its record may still be to come.
pub(crate) fn forget_replaced(
    db: &Connection,
    bytes: &BlobBytes,
    mut lost: BTreeSet<BlobId>,
) -> StoreResult<Forgotten> {
    if !lost.is_empty() {
        let listed = bytes.listed()?;
        lost.retain(|blob| !listed.held.contains(blob));
    }
    forget(db, bytes, lost)
}

/// Forgets those of these blobs that nobody refers to, as an erasure does.
pub(crate) fn forget(
    db: &Connection,
    bytes: &BlobBytes,
    unused: BTreeSet<BlobId>,
) -> StoreResult<Forgotten> {
    let mut gone = Forgotten::default();
    for blob in unused {
        if holds(db, IS_USED, blob)? || db.execute(DROP_BLOB, [blob.0]).map_err(from_driver)? == 0 {
            continue;
        }
        gone.count += 1;
        if !bytes.forget(db, blob)? {
            gone.files.push(blob);
        }
    }
    Ok(gone)
}

/// Takes the files of forgotten blobs away. Under the write lock: the same bytes may have come again.
pub(crate) fn unlink(db: &mut Connection, files: &BlobBytes, gone: &[BlobId]) -> StoreResult<u64> {
    if gone.is_empty() {
        return Ok(0);
    }
    let transaction = begin_write(db)?;
    let mut removed = 0;
    for blob in gone {
        if !holds(&transaction, IS_KEPT, *blob)? && files.remove(&transaction, *blob)? {
            removed += 1;
        }
    }
    transaction.commit().map_err(from_driver)?;
    Ok(removed)
}

fn holds(db: &Connection, sql: &str, blob: BlobId) -> StoreResult<bool> {
    db.prepare_cached(sql)
        .and_then(|mut ask| ask.query_row([blob.0], |row| row.get(0)))
        .map_err(from_driver)
}

fn list(db: &Connection, sql: &str, values: impl Params) -> StoreResult<Vec<BlobId>> {
    db.prepare_cached(sql)
        .and_then(|mut list| list.query_map(values, |row| row.get(0).map(BlobId))?.collect())
        .map_err(from_driver)
}
