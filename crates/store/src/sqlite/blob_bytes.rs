//! The bytes of blobs: files beside the database.

use jiff::Timestamp;
use pdpp_contract::blob::BlobId;

use super::driver::Connection;
use crate::arrivals::{Arrivals, Listed};
use crate::blob_files::{BlobFiles, UploadFile};
use crate::error::StoreResult;

/// Where bytes are kept. Methods that change something are called under the write lock.
#[derive(Debug, Clone)]
pub(super) struct BlobBytes(BlobFiles);

impl BlobBytes {
    pub(super) fn new(files: BlobFiles) -> Self {
        Self(files)
    }

    pub(super) fn upload(&self) -> StoreResult<UploadFile> {
        self.0.upload()
    }

    pub(super) fn begin_arrivals(&self) -> StoreResult<Arrivals> {
        self.0.begin_arrivals()
    }

    pub(super) fn announce(&self, id: BlobId) -> StoreResult<()> {
        self.0.announce(id)
    }

    pub(super) fn listed(&self) -> StoreResult<Listed> {
        self.0.listed()
    }

    pub(super) fn place(&self, _: &Connection, file: &UploadFile, id: BlobId) -> StoreResult<()> {
        self.0.place(file, id)
    }

    /// Whether the bytes go with the transaction; files do not.
    #[expect(
        clippy::unused_self,
        clippy::unnecessary_wraps,
        reason = "the other backend's are rows"
    )]
    pub(super) fn forget(&self, _: &Connection, _: BlobId) -> StoreResult<bool> {
        Ok(false)
    }

    pub(super) fn remove(&self, _: &Connection, id: BlobId) -> StoreResult<bool> {
        self.0.remove(id)
    }

    pub(super) fn read(
        &self,
        _: &Connection,
        id: BlobId,
        offset_bytes: u64,
        max_bytes: usize,
    ) -> StoreResult<Option<Vec<u8>>> {
        self.0.read(id, offset_bytes, max_bytes)
    }

    pub(super) fn digest(&self, _: &Connection, id: BlobId) -> StoreResult<Option<(BlobId, u64)>> {
        self.0.digest(id)
    }

    pub(super) fn list(&self, _: &Connection) -> StoreResult<Vec<BlobId>> {
        self.0.list()
    }

    pub(super) fn remove_uploads(&self, before: Timestamp) -> StoreResult<u64> {
        self.0.remove_uploads(before)
    }
}
