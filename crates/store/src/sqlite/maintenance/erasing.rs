//! Erasure: what was deleted or replaced is in no file any more.
//!
//! Freed pages are overwritten by `secure_delete`; the write-ahead log still holds their old images
//! until it is written back and cut to nothing. A reader with an old snapshot prevents that. Our own
//! reads end at their deadline, so an erasure waits for them; if somebody else's read lasts longer,
//! the erasure says so, and every later write tries again.

use std::path::Path;
use std::sync::atomic::Ordering;
use std::time::Duration;

use pdpp_contract::blob::BlobId;
use rusqlite::Connection;

use crate::error::{StoreError, StoreResult};
use crate::opening::reserve::Reserve;
use crate::sqlite::Backend;
use crate::sqlite::errors::from_driver;
use crate::sqlite::spawn;
use crate::sqlite::sql::blobs::refs;

/// How long an ordinary write waits for readers before it leaves the log to a later one.
const PATIENCE: Duration = Duration::from_millis(500);
/// The writer's usual patience.
pub(super) const BUSY_TIMEOUT: Duration = Duration::from_secs(30);

/// Who can write a file can also erase in it.
#[expect(clippy::unnecessary_wraps, reason = "the other backend may refuse")]
pub(crate) fn check_may_erase(_: &Connection) -> StoreResult<()> {
    Ok(())
}

impl Backend {
    /// Ends an erasure: the files of blobs that nobody refers to, then the log.
    pub(crate) async fn forget_old_pages(&self, gone: Vec<BlobId>) -> StoreResult<()> {
        let (files, owed) = (self.blobs.clone(), self.owes_truncation.clone());
        let writer = self.writer.clone();
        spawn(move || {
            writer.with_reserve(Reserve::Ending, |writer| {
                refs::unlink(writer, &files, &gone)?;
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
        })
        .await
    }

    /// The same after one step of an erasure, so that the log stays small. What a reader keeps is left to
    /// the end.
    pub(crate) async fn forget_step(&self, gone: Vec<BlobId>) -> StoreResult<()> {
        let (files, writer) = (self.blobs.clone(), self.writer.clone());
        spawn(move || {
            writer.with_reserve(Reserve::Ending, |writer| {
                refs::unlink(writer, &files, &gone)?;
                cut_log_soon(writer);
                Ok(())
            })
        })
        .await
    }

    /// The same after a write that replaced or deleted something. A busy log is left to a later one.
    pub(crate) fn forget_replaced(
        &self,
    ) -> impl FnOnce(&mut Connection, bool) -> StoreResult<()> + use<> {
        let owed = self.owes_truncation.clone();
        move |writer, replaced| {
            if !replaced && !owed.load(Ordering::Relaxed) {
                return Ok(());
            }
            writer.busy_timeout(PATIENCE).map_err(from_driver)?;
            let cut = cut_log(writer);
            owed.store(!matches!(cut, Ok(true)), Ordering::Relaxed);
            writer.busy_timeout(BUSY_TIMEOUT).map_err(from_driver)?;
            cut.map(drop)
        }
    }
}

/// Whether the log of a store holds anything.
pub(crate) fn log_has_pages(store: &Path) -> bool {
    let mut log = store.as_os_str().to_owned();
    log.push("-wal");
    std::fs::metadata(log).is_ok_and(|about| about.len() > 0)
}

/// Writes the log back and cuts it to nothing; `false` when a reader is in the way.
pub(super) fn cut_log(writer: &Connection) -> StoreResult<bool> {
    let busy: i64 = writer
        .query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get(0))
        .map_err(from_driver)?;
    Ok(busy == 0)
}

/// The same without waiting long; whether it holds nothing now.
pub(crate) fn cut_log_soon(writer: &Connection) -> bool {
    let cut = writer.busy_timeout(PATIENCE).map_err(from_driver).and_then(|()| cut_log(writer));
    // The usual patience was set before, so it can be set again.
    let _ = writer.busy_timeout(BUSY_TIMEOUT);
    matches!(cut, Ok(true))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use pdpp_contract::ports::Entropy;

    use super::*;
    use crate::StoreOptions;

    struct Fixed;

    impl Entropy for Fixed {
        fn fill(&self, bytes: &mut [u8]) {
            bytes.fill(7);
        }
    }

    const CANARY: &str = "a canary that sings";

    fn is_somewhere(directory: &std::path::Path) -> bool {
        let files = std::fs::read_dir(directory).unwrap();
        let mut files = files.map(|file| std::fs::read(file.unwrap().path()).unwrap());
        files.any(|bytes| bytes.windows(CANARY.len()).any(|part| part == CANARY.as_bytes()))
    }

    #[tokio::test]
    async fn a_long_read_delays_the_end_of_old_pages_and_the_next_write_sees_to_it() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("store.db");
        let store = Backend::open(StoreOptions::new(path.clone(), Arc::new(Fixed))).await.unwrap();
        let write = "INSERT INTO store_meta (name, value) VALUES ('canary', ?1)";
        store.write(|db| db.execute(write, [CANARY]).map_err(from_driver)).await.unwrap();
        // Somebody else's program, in the middle of a read.
        let reader = Connection::open(&path).unwrap();
        reader.execute_batch("BEGIN; SELECT count(*) FROM store_meta").unwrap();
        let _: i64 =
            reader.query_row("SELECT count(*) FROM store_meta", [], |row| row.get(0)).unwrap();
        let erase = "DELETE FROM store_meta WHERE name = 'canary'";
        store.write(|db| db.execute(erase, []).map_err(from_driver)).await.unwrap();
        let end = async |replaced: bool| {
            let forget = store.forget_replaced();
            store.with_writer(move |db| forget(db, replaced)).await.unwrap();
            store.owes_truncation.load(Ordering::Relaxed)
        };
        assert!(end(true).await, "the log cannot be cut now");
        assert!(is_somewhere(directory.path()), "the reader's old pages are still there");
        assert!(end(false).await);
        drop(reader);
        assert!(!end(false).await, "a later write that replaces nothing cuts it");
        assert!(!is_somewhere(directory.path()));
    }
}
