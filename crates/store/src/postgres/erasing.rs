//! Erasure: what was deleted or replaced is in no table any more.
//!
//! The server keeps old row versions until it vacuums, its log and its backups longer; both are the
//! operator's to set. An erasure that an owner asked for vacuums the tables that held content.

use pdpp_contract::blob::BlobId;

use super::driver::Connection;
use super::errors::from_driver;
use super::{Backend, blob_refs, declared};
use crate::error::{StoreError, StoreResult};

/// Tables whose rows hold content, words of it or names; the typed copies come on top.
const HOLD_CONTENT: &str = "
    records, text_chunks, texts, search_index, search_rows, versions, changes, pruned, record_keys,
    blob_pieces, blob_refs, blobs, quarantine, grants, connections, collections, collection_fields,
    time_fields";
const LIST_PROJECTIONS: &str = "
    SELECT projection_no FROM projections ORDER BY projection_no";

impl Backend {
    /// Ends an erasure: the bytes of blobs that nobody refers to, then old row versions.
    pub(super) async fn forget_old_pages(&self, gone: Vec<BlobId>) -> StoreResult<()> {
        let files = self.blobs.clone();
        self.with_writer(move |writer| {
            blob_refs::unlink(writer, &files, &gone)?;
            match writer.execute_batch(&vacuum(writer)?).map_err(from_driver) {
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

/// The statement that takes away old versions of every row that may hold content.
fn vacuum(db: &Connection) -> StoreResult<String> {
    let copies: Vec<i64> = db
        .prepare(LIST_PROJECTIONS)
        .and_then(|mut list| list.query_map([], |row| row.get(0))?.collect())
        .map_err(from_driver)?;
    let copies: String = copies.iter().map(|no| format!(", {}", declared::table(*no))).collect();
    Ok(format!("VACUUM {HOLD_CONTENT}{copies}"))
}
