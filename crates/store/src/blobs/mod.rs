//! Blobs: files outside the database, named by their content and seen through records.

pub(crate) mod arrivals;
pub(crate) mod files;

use async_trait::async_trait;
use jiff::Timestamp;
use pdpp_contract::blob::BlobId;
use pdpp_contract::{ConnectionId, FieldName, JsonObject, RecordId, StreamName};

use crate::error::StoreResult;
use crate::records::scope::ReadScope;
pub use arrivals::Arrivals;

/// A blob that is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StoredBlob {
    /// Its digest.
    pub id: BlobId,
    /// Its bytes.
    pub size_bytes: u64,
}

/// A range of a blob, and the record through which the scope shows it.
#[derive(Debug, Clone)]
pub struct BlobRead {
    /// Bytes of the whole.
    pub size_bytes: u64,
    /// The bytes asked for, as far as there are any.
    pub bytes: Vec<u8>,
    /// Where the record comes from.
    pub connection: ConnectionId,
    /// Its stream.
    pub stream: StreamName,
    /// Its id.
    pub record: RecordId,
    /// The field that refers to the blob.
    pub field: FieldName,
    /// The record's visible fields that live in it.
    pub data: JsonObject,
}

/// A blob on its way in. Dropping it leaves nothing behind.
#[async_trait]
pub trait BlobUpload: Send {
    /// Adds bytes at the end.
    async fn write(&mut self, bytes: Vec<u8>) -> StoreResult<()>;

    /// Keeps the blob, for good when this returns. The same bytes are kept once. `None`, and nothing
    /// kept, when a digest is expected and the bytes have another one.
    async fn keep(
        self: Box<Self>,
        expected: Option<BlobId>,
        now: Timestamp,
    ) -> StoreResult<Option<StoredBlob>>;
}

/// Keeping and reading blobs.
///
/// A record refers to a blob by a top-level field whose value is an object with a `blob_id`, or a
/// list of such objects. References follow the records; a blob whose last reference goes is erased
/// before that write returns.
#[async_trait]
pub trait BlobStore: Send + Sync {
    /// Begins an upload.
    async fn new_blob(&self) -> StoreResult<Box<dyn BlobUpload>>;

    /// Begins an import, whose blobs come before the records that refer to them: until it lets go of what
    /// this returns, no write on this machine takes them away. If its process ends before that, those
    /// without a record are collected at once.
    async fn begin_arrivals(&self) -> StoreResult<Arrivals>;

    /// Reads at most `max_bytes` from `offset_bytes` of a blob that a record in the scope refers to
    /// by a field the scope shows. `None` when there is no such record, and when there are no bytes
    /// yet. Of several records the first in the order of the scope's collections is named.
    async fn read_blob(
        &self,
        scope: &ReadScope,
        id: BlobId,
        offset_bytes: u64,
        max_bytes: usize,
    ) -> StoreResult<Option<BlobRead>>;

    /// Erases blobs that no record refers to and that came before `before` or with an import that was
    /// killed and did not come again since, files that belong to no blob, and uploads that broke off; says how many files went.
    /// What a living import brings, in this process or another one, stays.
    async fn collect_blobs(&self, before: Timestamp) -> StoreResult<u64>;
}
