//! Erasure: what was deleted or replaced is in no file any more.
//!
//! Freed pages are overwritten by `secure_delete`; the write-ahead log still holds their old images
//! until it is written back and cut to nothing. A reader with an old snapshot prevents that. Our own
//! reads end at their deadline, so an erasure waits for them; if somebody else's read lasts longer,
//! the erasure says so, and every later write tries again.

use std::sync::atomic::Ordering;
use std::time::Duration;

use pdpp_contract::blob::BlobId;
use rusqlite::Connection;

use super::errors::from_sqlite;
use super::{Sqlite, blob_refs};
use crate::error::{StoreError, StoreResult};

/// How long an ordinary write waits for readers before it leaves the log to a later one.
const PATIENCE: Duration = Duration::from_millis(500);
/// The writer's usual patience.
pub(super) const BUSY_TIMEOUT: Duration = Duration::from_secs(30);

impl Sqlite {
    /// Ends an erasure: the files of blobs that nobody refers to, then the log.
    pub(super) async fn forget_old_pages(&self, gone: Vec<BlobId>) -> StoreResult<()> {
        let (files, owed) = (self.blobs.clone(), self.owes_truncation.clone());
        self.with_writer(move |writer| {
            blob_refs::unlink(writer, &files, &gone)?;
            let cut = cut_log(writer)?;
            owed.store(!cut, Ordering::Relaxed);
            if cut {
                return Ok(());
            }
            Err(StoreError::Conflict(
                "it is erased, but a long read by another program kept old pages in the log; end \
                 that read and erase again",
            ))
        })
        .await
    }

    /// The same after a write that replaced or deleted something. A busy log is left to a later one.
    pub(super) fn forget_replaced(
        &self,
    ) -> impl FnOnce(&mut Connection, bool) -> StoreResult<()> + use<> {
        let owed = self.owes_truncation.clone();
        move |writer, replaced| {
            if !replaced && !owed.load(Ordering::Relaxed) {
                return Ok(());
            }
            writer.busy_timeout(PATIENCE).map_err(from_sqlite)?;
            let cut = cut_log(writer);
            writer.busy_timeout(BUSY_TIMEOUT).map_err(from_sqlite)?;
            owed.store(!cut?, Ordering::Relaxed);
            Ok(())
        }
    }
}

/// Writes the log back and cuts it to nothing; `false` when a reader is in the way.
pub(super) fn cut_log(writer: &Connection) -> StoreResult<bool> {
    let busy: i64 = writer
        .query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get(0))
        .map_err(from_sqlite)?;
    Ok(busy == 0)
}
