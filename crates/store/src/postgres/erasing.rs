//! Erasure: what was deleted or replaced is in no table any more.
//!
//! The server keeps old row versions until it vacuums, its log and its backups longer; both are the
//! operator's to set. An erasure that an owner asked for vacuums the tables that held content.

use pdpp_contract::blob::BlobId;

use super::driver::Connection;
use super::errors::from_driver;
use super::{Backend, blob_refs};
use crate::error::{StoreError, StoreResult};

/// Tables whose rows hold content or words of it.
const HOLD_CONTENT: &str = "
    VACUUM records, text_chunks, texts, search_index, search_rows, versions, record_keys,
           quarantine, grants";

impl Backend {
    /// Ends an erasure: the bytes of blobs that nobody refers to, then old row versions.
    pub(super) async fn forget_old_pages(&self, gone: Vec<BlobId>) -> StoreResult<()> {
        let files = self.blobs.clone();
        self.with_writer(move |writer| {
            blob_refs::unlink(writer, &files, &gone)?;
            match writer.execute_batch(HOLD_CONTENT).map_err(from_driver) {
                // Somebody else is vacuuming, or may and we may not: the server does it in time.
                Err(StoreError::Conflict(_)) | Ok(()) => Ok(()),
                Err(error) => Err(error),
            }
        })
        .await
    }

    /// The same after a write that replaced or deleted something: left to the server.
    #[expect(clippy::unused_self, reason = "the other backend keeps a log to cut")]
    pub(super) fn forget_replaced(
        &self,
    ) -> impl FnOnce(&mut Connection, bool) -> StoreResult<()> + use<> {
        |_, _| Ok(())
    }
}
