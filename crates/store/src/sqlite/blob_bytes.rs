//! The bytes of blobs: files beside the database.

use std::path::Path;

use jiff::Timestamp;
use pdpp_contract::blob::BlobId;

use crate::blobs::arrivals::{Arrivals, Listed};
use crate::blobs::files::{BlobFiles, UploadFile};
use crate::error::StoreResult;
use crate::sqlite::connection::read_only::{self, Access};
use crate::sqlite::connection::reserve_file::ReserveFile;
use crate::sqlite::driver::Connection;
use crate::sqlite::errors::from_driver;

const IS_KEPT: &str = "
    SELECT EXISTS (SELECT 1 FROM blobs WHERE sha256 = ?1)";

/// Where bytes are kept. Methods that change something are called under the write lock.
#[derive(Debug, Clone)]
pub(crate) struct BlobBytes(BlobFiles, ReserveFile);

impl BlobBytes {
    pub(super) fn new(files: BlobFiles, reserve: ReserveFile) -> Self {
        Self(files, reserve)
    }

    /// Begins a file, unless it would use up what was given free for others.
    pub(super) fn upload(&self) -> StoreResult<UploadFile> {
        self.1.ensure()?;
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

    /// Whether a blob that a snapshot knows was taken away since. Files follow no snapshot.
    #[expect(clippy::unused_self, reason = "the other backend's are rows")]
    pub(super) fn was_removed(&self, db: &Connection, id: BlobId) -> StoreResult<bool> {
        let Some(path) = db.path() else { return Ok(false) };
        let now = read_only::open(Path::new(path), Access::Shared)?;
        let kept: bool = now.query_row(IS_KEPT, [id.0], |row| row.get(0)).map_err(from_driver)?;
        Ok(!kept)
    }

    pub(super) fn list(&self, _: &Connection) -> StoreResult<Vec<BlobId>> {
        self.0.list()
    }

    pub(super) fn remove_uploads(&self, before: Timestamp) -> StoreResult<u64> {
        self.0.remove_uploads(before)
    }
}
