//! The embedded backend: one SQLite file, one writer, a few read-only connections.

#[cfg(feature = "baseline")]
pub mod baseline;
mod blob_bytes;
mod compact;
#[cfg(test)]
mod damage_tests;
mod dialect;
mod driver;
mod erasing;
mod errors;
mod index_words;
mod keys_ahead;
mod maintenance;
mod migrations;
mod packed_help;
mod packed_keys;
#[cfg(test)]
mod plan_tests;
mod pool;
mod presence;
#[cfg(test)]
mod search_cost_tests;
#[cfg(test)]
mod testing;

// The bodies that both backends share, over this backend's driver.
#[path = "../sql/aggregate.rs"]
mod aggregate;
#[path = "../sql/aggregate_plan.rs"]
mod aggregate_plan;
#[path = "../sql/audit/mod.rs"]
mod audit;
#[path = "../sql/blob_refs.rs"]
mod blob_refs;
#[path = "../sql/blobs.rs"]
mod blobs;
#[path = "../sql/change_steps.rs"]
mod change_steps;
#[path = "../sql/change_track.rs"]
mod change_track;
#[path = "../sql/changes.rs"]
mod changes;
#[path = "../sql/connection_row.rs"]
mod connection_row;
#[path = "../sql/connections.rs"]
mod connections;
#[path = "../sql/count.rs"]
mod count;
#[path = "../sql/declarations.rs"]
mod declarations;
#[path = "../sql/declared.rs"]
mod declared;
#[path = "../sql/emitted.rs"]
mod emitted;
#[path = "../sql/grants/mod.rs"]
mod grants;
#[path = "../sql/known_keys.rs"]
mod known_keys;
#[path = "../sql/list.rs"]
mod list;
#[path = "../sql/list_plan.rs"]
mod list_plan;
#[path = "../sql/list_walk.rs"]
mod list_walk;
#[path = "../sql/moving.rs"]
mod moving;
#[path = "../sql/oauth/mod.rs"]
mod oauth;
#[path = "../sql/owner.rs"]
mod owner;
#[path = "../sql/paces.rs"]
mod paces;
#[path = "../sql/project.rs"]
mod project;
#[path = "../sql/prune.rs"]
mod prune;
#[path = "../sql/quarantine.rs"]
mod quarantine;
#[path = "../sql/records.rs"]
mod records;
#[path = "../sql/related.rs"]
mod related;
#[path = "../sql/remove.rs"]
mod remove;
#[path = "../sql/reproject.rs"]
mod reproject;
#[path = "../sql/retention.rs"]
mod retention;
#[path = "../sql/rows_ahead.rs"]
mod rows_ahead;
#[path = "../sql/search.rs"]
mod search;
#[path = "../sql/search_ahead.rs"]
mod search_ahead;
#[path = "../sql/search_check.rs"]
mod search_check;
#[path = "../sql/search_index.rs"]
mod search_index;
#[path = "../sql/search_pieces.rs"]
mod search_pieces;
#[path = "../sql/search_seen.rs"]
mod search_seen;
#[path = "../sql/search_sieve.rs"]
mod search_sieve;
#[path = "../sql/search_view.rs"]
mod search_view;
#[path = "../sql/search_write.rs"]
mod search_write;
#[path = "../sql/seen_time.rs"]
mod seen_time;
#[path = "../sql/sessions.rs"]
mod sessions;
#[path = "../sql/taking.rs"]
mod taking;
#[path = "../sql/text.rs"]
mod text;
#[path = "../sql/text_match.rs"]
mod text_match;
#[path = "../sql/text_nested.rs"]
mod text_nested;
#[path = "../sql/time_fields.rs"]
mod time_fields;
#[path = "../sql/tokens.rs"]
mod tokens;
#[path = "../sql/verify.rs"]
mod verify;
#[path = "../sql/verify_access.rs"]
mod verify_access;
#[path = "../sql/verify_ahead.rs"]
mod verify_ahead;
#[path = "../sql/verify_blobs.rs"]
mod verify_blobs;
#[path = "../sql/verify_orphans.rs"]
mod verify_orphans;
#[path = "../sql/verify_record.rs"]
mod verify_record;
#[path = "../sql/width.rs"]
mod width;
#[path = "../sql/write_batch.rs"]
mod write_batch;
#[path = "../sql/write_record.rs"]
mod write_record;
#[path = "../sql/write_text.rs"]
mod write_text;
#[path = "../sql/writes.rs"]
mod writes;

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use rusqlite::{Connection, Transaction, TransactionBehavior};

use crate::blob_files::BlobFiles;
use crate::error::{StoreError, StoreResult};
use crate::layout::Layout;
use crate::secrets::Secrets;
use crate::{Store, StoreOptions};
use blob_bytes::BlobBytes;
use errors::from_driver;
use pool::ReaderPool;
use presence::Presence;

/// An open SQLite store.
pub(crate) struct Backend {
    readers: Arc<ReaderPool>,
    writer: Writer,
    read_deadline: Duration,
    secrets: Secrets,
    blobs: BlobBytes,
    /// Whether the log still holds old images that a reader kept it from losing.
    owes_truncation: Arc<AtomicBool>,
    presence: Presence,
    /// Where files may grow that are needed for a while.
    directory: PathBuf,
    /// The tables that are moved; other than the newest only while an older backup is taken in.
    layout: Layout,
}

impl Store for Backend {}

impl Backend {
    /// A lock keeps a second server away.
    const IS_SHARED: bool = false;

    pub(crate) async fn open(options: StoreOptions) -> StoreResult<Self> {
        spawn(move || {
            let (writer, secrets, presence) = migrations::open_writer(&options)?;
            let directory = options.path.parent().map(Path::to_path_buf).unwrap_or_default();
            let blobs = BlobBytes::new(BlobFiles::new(options.blobs));
            // A process that ended in the middle may have left old images behind.
            let owes = erasing::log_has_pages(&options.path);
            Ok(Self {
                layout: options.layout,
                directory,
                blobs,
                owes_truncation: Arc::new(AtomicBool::new(owes)),
                readers: Arc::new(ReaderPool::new(options.path, options.readers.max(1))),
                writer: Writer(Arc::new(Mutex::new(writer))),
                read_deadline: options.read_deadline,
                secrets,
                presence,
            })
        })
        .await
    }

    /// Runs a read on a pooled connection, in one snapshot and under the deadline.
    pub(crate) async fn read<T, F>(&self, read: F) -> StoreResult<T>
    where
        T: Send + 'static,
        F: FnOnce(&Connection) -> StoreResult<T> + Send + 'static,
    {
        let deadline = self.read_deadline;
        ReaderPool::run(&self.readers, deadline, read).await
    }

    /// Runs a read of a few rows that every call of an agent needs.
    pub(crate) async fn glance<T, F>(&self, read: F) -> StoreResult<T>
    where
        T: Send + 'static,
        F: FnOnce(&Connection) -> StoreResult<T> + Send + 'static,
    {
        ReaderPool::glance(&self.readers, self.read_deadline, read).await
    }

    /// The directory of the store, for files that are needed for a while.
    fn temporary_files(&self) -> String {
        self.directory.to_string_lossy().into_owned()
    }

    /// Sessions that may help with a read.
    #[expect(clippy::unused_self, reason = "the other backend has sessions to lend")]
    fn helpers(&self) -> packed_help::Helpers {
        packed_help::Helpers
    }

    /// Runs a write in one transaction: all of it is kept, or nothing.
    pub(crate) async fn write<T, F>(&self, write: F) -> StoreResult<T>
    where
        T: Send + 'static,
        F: FnOnce(&Transaction<'_>) -> StoreResult<T> + Send + 'static,
    {
        self.with_writer(move |writer| {
            let transaction = writer
                .transaction_with_behavior(TransactionBehavior::Immediate)
                .map_err(from_driver)?;
            let outcome = write(&transaction)?;
            transaction.commit().map_err(from_driver)?;
            Ok(outcome)
        })
        .await
    }

    /// Runs single statements. There is one writer here, so they take their turn.
    pub(crate) async fn aside<T, F>(&self, work: F) -> StoreResult<T>
    where
        T: Send + 'static,
        F: FnOnce(&Connection) -> StoreResult<T> + Send + 'static,
    {
        self.with_writer(|writer| work(writer)).await
    }

    /// Runs a write outside a transaction, for statements that cannot stand inside one.
    pub(crate) async fn with_writer<T, F>(&self, work: F) -> StoreResult<T>
    where
        T: Send + 'static,
        F: FnOnce(&mut Connection) -> StoreResult<T> + Send + 'static,
    {
        let writer = self.writer.clone();
        spawn(move || writer.with(work)).await
    }
}

/// The one connection that writes; its users take turns.
#[derive(Clone)]
pub(crate) struct Writer(Arc<Mutex<Connection>>);

impl Writer {
    /// Waits for its turn, then works.
    fn with<T>(&self, work: impl FnOnce(&mut Connection) -> StoreResult<T>) -> StoreResult<T> {
        // A panic in an earlier write rolled its transaction back; the connection is sound.
        let mut writer = self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        work(&mut writer)
    }
}

/// Moves blocking work off the async threads.
pub(crate) async fn spawn<T, F>(work: F) -> StoreResult<T>
where
    T: Send + 'static,
    F: FnOnce() -> StoreResult<T> + Send + 'static,
{
    tokio::task::spawn_blocking(work).await.map_err(StoreError::unavailable)?
}
