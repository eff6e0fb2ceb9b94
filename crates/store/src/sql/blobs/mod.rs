//! Blobs: which exist and who may read them. Where their bytes are is the backend's affair.

pub(crate) mod refs;

use super::{backend, sql};

use std::collections::BTreeSet;

use async_trait::async_trait;
use backend::driver::{Connection, OptionalExtension, Params, params, walk};
use jiff::{SignedDuration, Timestamp};
use pdpp_contract::FieldName;
use pdpp_contract::blob::BlobId;

use crate::blobs::arrivals::Arrivals;
use crate::blobs::files::UploadFile;
use crate::blobs::{BlobRead, BlobStore, BlobUpload, StoredBlob};
use crate::error::{StoreError, StoreResult};
use crate::numbers::RecordNo;
use crate::opening::reserve::Reserve;
use crate::records::CollectionQuery;
use crate::records::scope::{CollectionScope, ReadScope};
use backend::Backend;
use backend::Writer;
use backend::begin_write;
use backend::blob_bytes::BlobBytes;
use backend::errors::{corrupt, from_driver};
use backend::spawn;
use refs::{forget, unlink};
use sql::connections::collection::find_collection;
use sql::records::by_id;
use sql::records::plan::Conditions;
use sql::records::{RecordRow, get};

const FIND_BLOB: &str = "
    SELECT size_bytes FROM blobs WHERE sha256 = ?1";
const ADD_BLOB: &str = "
    INSERT INTO blobs (sha256, size_bytes, created_at) VALUES (?1, ?2, ?3)
    ON CONFLICT (sha256) DO UPDATE SET created_at = excluded.created_at";
const LIST_REFS: &str = "
    SELECT record_no, field FROM blob_refs
     WHERE sha256 = ?1 AND collection_no = ?2
     ORDER BY record_no, field";
const LIST_UNUSED: &str = "
    SELECT sha256 FROM blobs b
     WHERE created_at < ?1
       AND NOT EXISTS (SELECT 1 FROM blob_refs r WHERE r.sha256 = b.sha256)";
const LIST_BLOBS: &str = "
    SELECT sha256 FROM blobs";
const CAME_AFTER: &str = "
    SELECT EXISTS (SELECT 1 FROM blobs WHERE sha256 = ?1 AND created_at > ?2)";
/// A number that no record has.
const NO_RECORD: RecordNo = RecordNo(0);
/// How long it takes at most from the list to the row.
const KEEPING: SignedDuration = SignedDuration::from_secs(60);

#[async_trait]
impl BlobStore for Backend {
    async fn new_blob(&self) -> StoreResult<Box<dyn BlobUpload>> {
        let files = self.blobs.clone();
        let file = spawn(move || files.upload()).await?;
        let (files, writer) = (self.blobs.clone(), self.writer.clone());
        Ok(Box::new(Upload { file: Some(file), files, writer }))
    }

    async fn begin_arrivals(&self) -> StoreResult<Arrivals> {
        let files = self.blobs.clone();
        spawn(move || files.begin_arrivals()).await
    }

    async fn read_blob(
        &self,
        scope: &ReadScope,
        id: BlobId,
        offset_bytes: u64,
        max_bytes: usize,
    ) -> StoreResult<Option<BlobRead>> {
        let (scope, files) = (scope.clone(), self.blobs.clone());
        self.read(move |db| {
            let Some((part, row, field)) = shown(db, &scope, id)? else {
                return Ok(None);
            };
            let Some(size_bytes) = size(db, id)? else {
                return Ok(None);
            };
            let bytes = files.read(db, id, offset_bytes, max_bytes)?;
            let bytes = bytes.ok_or_else(|| corrupt("blobs", "sha256", row.record_no))?;
            let mut data = row.data;
            data.retain(|name, _| part.fields.contains(name.as_str()));
            Ok(Some(BlobRead {
                size_bytes,
                bytes,
                connection: part.connection.clone(),
                stream: part.stream.clone(),
                record: row.id,
                field,
                data,
            }))
        })
        .await
    }

    async fn collect_blobs(&self, before: Timestamp) -> StoreResult<u64> {
        let files = self.blobs.clone();
        self.with_writer_reserved(Reserve::Ending, move |db| {
            let transaction = begin_write(db)?;
            let listed = files.listed()?;
            let mut unused = list(&transaction, LIST_UNUSED, [instant(before)])?;
            unused.retain(|blob| !listed.held.contains(blob));
            for (blob, listed_at) in &listed.left {
                // Lists are of this machine: another one may have brought the same since.
                let came_again = Self::IS_SHARED && came_after(&transaction, *blob, *listed_at)?;
                if !came_again {
                    unused.insert(*blob);
                }
            }
            let gone = forget(&transaction, &files, unused)?;
            transaction.commit().map_err(from_driver)?;
            let known = list(db, LIST_BLOBS, [])?;
            let mut stray = files.list(db)?;
            stray.retain(|blob| !known.contains(blob));
            let with_it = gone.count - u64::try_from(gone.files.len()).unwrap_or(gone.count);
            let removed = with_it + unlink(db, &files, &stray)?;
            listed.settle()?;
            Ok(removed + files.remove_uploads(before)?)
        })
        .await
    }
}

fn list(db: &Connection, sql: &str, values: impl Params) -> StoreResult<BTreeSet<BlobId>> {
    db.prepare_cached(sql)
        .and_then(|mut list| list.query_map(values, |row| row.get(0).map(BlobId))?.collect())
        .map_err(from_driver)
}

/// Whether a blob was kept, anew or again, after its import listed it and was killed.
fn came_after(db: &Connection, blob: BlobId, listed_at: Timestamp) -> StoreResult<bool> {
    let kept_by = listed_at.saturating_add(KEEPING).unwrap_or(Timestamp::MAX);
    db.query_row(CAME_AFTER, params![blob.0, instant(kept_by)], |row| row.get(0))
        .map_err(from_driver)
}

/// Fixed width, so that comparing texts compares instants.
fn instant(at: Timestamp) -> String {
    format!("{at:.9}")
}

/// The first record in the scope that shows a blob.
fn shown<'a>(
    db: &Connection,
    scope: &'a ReadScope,
    id: BlobId,
) -> StoreResult<Option<(&'a CollectionScope, RecordRow, FieldName)>> {
    let none = CollectionQuery::default();
    for part in scope.collections() {
        let Some(collection) = find_collection(db, &part.connection, &part.stream)? else {
            continue;
        };
        let conditions = Conditions::new(&collection, part, &none);
        let mut list = db.prepare_cached(LIST_REFS).map_err(from_driver)?;
        let mut rows = walk(&mut list, params![id.0, collection.no]).map_err(from_driver)?;
        let mut is_known = false;
        while let Some(row) = rows.next().map_err(from_driver)? {
            is_known = true;
            let record_no: RecordNo = row.get(0).map_err(from_driver)?;
            let field: String = row.get(1).map_err(from_driver)?;
            let holds = by_id::holds_in_sql(db, &collection, &conditions, record_no)?;
            if !holds || !part.fields.contains(field.as_str()) {
                continue;
            }
            let bad = |_| corrupt("blob_refs", "field", record_no);
            let record = get(db, record_no)?.filter(|record| record.is_shown_by(part));
            if let Some(record) = record {
                return Ok(Some((part, record, FieldName::new(field).map_err(bad)?)));
            }
        }
        if !is_known {
            // A blob that nothing refers to costs what one costs that a hidden record refers to.
            by_id::holds_in_sql(db, &collection, &conditions, NO_RECORD)?;
        }
    }
    Ok(None)
}

fn size(db: &Connection, id: BlobId) -> StoreResult<Option<u64>> {
    let size: Option<i64> = db
        .prepare_cached(FIND_BLOB)
        .and_then(|mut find| find.query_row([id.0], |row| row.get(0)).optional())
        .map_err(from_driver)?;
    Ok(size.map(|size| u64::try_from(size).unwrap_or(0)))
}

/// An upload on its way.
struct Upload {
    /// Absent only while a step is under way, and after one that broke off.
    file: Option<UploadFile>,
    files: BlobBytes,
    writer: Writer,
}

impl Upload {
    fn take(&mut self) -> StoreResult<UploadFile> {
        self.file.take().ok_or(StoreError::Conflict("the upload broke off; send it again"))
    }
}

#[async_trait]
impl BlobUpload for Upload {
    async fn write(&mut self, bytes: Vec<u8>) -> StoreResult<()> {
        let mut file = self.take()?;
        let file = spawn(move || file.write(&bytes).map(|()| file)).await?;
        self.file = Some(file);
        Ok(())
    }

    async fn keep(
        mut self: Box<Self>,
        expected: Option<BlobId>,
        now: Timestamp,
    ) -> StoreResult<Option<StoredBlob>> {
        let mut file = self.take()?;
        let (files, writer) = (self.files.clone(), self.writer.clone());
        spawn(move || {
            let (id, size_bytes) = file.finish()?;
            if expected.is_some_and(|expected| expected != id) {
                return Ok(None);
            }
            files.announce(id)?;
            writer.with(|writer| {
                let transaction = begin_write(writer)?;
                // Under the write lock, so that nobody takes the bytes for stray ones.
                files.place(&transaction, &file, id)?;
                let size = i64::try_from(size_bytes).unwrap_or(i64::MAX);
                transaction
                    .execute(ADD_BLOB, params![id.0, size, instant(now)])
                    .map_err(from_driver)?;
                transaction.commit().map_err(from_driver)?;
                Ok(Some(StoredBlob { id, size_bytes }))
            })
        })
        .await
    }
}
