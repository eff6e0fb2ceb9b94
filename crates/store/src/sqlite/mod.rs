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
mod halt;
#[cfg(test)]
mod hidden_cost_tests;
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
mod read_only;
mod reserve_file;
#[cfg(test)]
mod search_cost_tests;
mod store_file;
#[cfg(test)]
mod testing;
mod writer;

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
#[path = "../sql/by_id.rs"]
mod by_id;
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
#[cfg(test)]
#[path = "../sql/hidden_notes.rs"]
mod hidden_notes;
#[path = "../sql/judging.rs"]
mod judging;
#[path = "../sql/kin.rs"]
mod kin;
#[path = "../sql/known_keys.rs"]
mod known_keys;
#[path = "../sql/list.rs"]
mod list;
#[path = "../sql/list_plan.rs"]
mod list_plan;
#[path = "../sql/list_walk.rs"]
mod list_walk;
#[path = "../sql/marks.rs"]
mod marks;
#[path = "../sql/moving.rs"]
mod moving;
#[cfg(test)]
#[path = "../sql/newer_schema_tests.rs"]
mod newer_schema_tests;
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
#[path = "../sql/search_since.rs"]
mod search_since;
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
#[cfg(test)]
#[cfg(feature = "conformance")]
#[path = "../sql/verify_beside_tests.rs"]
mod verify_beside_tests;
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
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use rusqlite::{Connection, Transaction};

use crate::blob_files::BlobFiles;
use crate::error::{StoreError, StoreResult};
use crate::layout::Layout;
use crate::reserve::Reserve;
use crate::schema_check::SchemaCheck;
use crate::secrets::Secrets;
use crate::{Store, StoreOptions};
use blob_bytes::BlobBytes;
use errors::from_driver;
use halt::Halt;
use pool::ReaderPool;
use presence::Presence;
use read_only::Access;
use reserve_file::ReserveFile;
use writer::{Writer, begin_write};

/// An open SQLite store.
pub(crate) struct Backend {
    readers: Arc<ReaderPool>,
    writer: Writer,
    read_deadline: Duration,
    schema: Arc<SchemaCheck>,
    secrets: Secrets,
    blobs: BlobBytes,
    /// Whether the log still holds old images that a reader kept it from losing.
    owes_truncation: Arc<AtomicBool>,
    presence: Presence,
    halt: Halt,
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
            if options.may_be_read_only
                && let Some(access) = read_only::access(&options.path)
            {
                return Self::open_to_read(options, access);
            }
            let reserve = ReserveFile::beside(&options.path, options.reserve_bytes);
            let mut opened = migrations::open_writer(&options);
            // Even a reader needs a little room for what it shares with writers.
            while matches!(opened, Err(StoreError::Full)) && reserve.release(Reserve::Ending)? {
                opened = migrations::open_writer(&options);
            }
            let (writer, secrets, presence) = opened?;
            if let Err(error) = reserve.ensure() {
                tracing::warn!("no disk space is reserved for ending access and erasing: {error}");
            }
            let directory = options.path.parent().map(Path::to_path_buf).unwrap_or_default();
            // A process that ended in the middle may have left old images behind.
            let owes = erasing::log_has_pages(&options.path);
            let readers = ReaderPool::new(options.path.clone(), options.readers, Access::Shared);
            Ok(Self {
                layout: options.layout,
                directory,
                blobs: BlobBytes::new(BlobFiles::new(options.blobs), reserve.clone()),
                owes_truncation: Arc::new(AtomicBool::new(owes)),
                readers: Arc::new(readers),
                writer: Writer::new(Some(writer), &options.path, reserve)?,
                read_deadline: options.read_deadline,
                schema: Arc::default(),
                secrets,
                presence,
                halt: Halt::beside(&options.path),
            })
        })
        .await
    }

    /// Opens a store that cannot be written here.
    fn open_to_read(options: StoreOptions, access: Access) -> StoreResult<Self> {
        let readers = ReaderPool::new(options.path.clone(), options.readers, access);
        let secrets = migrations::read_secrets(&readers.open()?, &options)?;
        let reserve = ReserveFile::beside(&options.path, 0);
        Ok(Self {
            layout: options.layout,
            directory: options.path.parent().map(Path::to_path_buf).unwrap_or_default(),
            blobs: BlobBytes::new(BlobFiles::new(options.blobs), reserve.clone()),
            owes_truncation: Arc::default(),
            readers: Arc::new(readers),
            writer: Writer::new(None, &options.path, reserve)?,
            read_deadline: options.read_deadline,
            schema: Arc::default(),
            secrets,
            presence: Presence::none(),
            halt: Halt::beside(&options.path),
        })
    }

    /// Runs a read on a pooled connection, in one snapshot and under the deadline.
    pub(crate) async fn read<T, F>(&self, read: F) -> StoreResult<T>
    where
        T: Send + 'static,
        F: FnOnce(&Connection) -> StoreResult<T> + Send + 'static,
    {
        let read = self.checked(read)?;
        ReaderPool::run(&self.readers, self.read_deadline, read).await
    }

    /// Runs a read of a few rows that every call of an agent needs.
    pub(crate) async fn glance<T, F>(&self, read: F) -> StoreResult<T>
    where
        T: Send + 'static,
        F: FnOnce(&Connection) -> StoreResult<T> + Send + 'static,
    {
        let read = self.checked(read)?;
        ReaderPool::glance(&self.readers, self.read_deadline, read).await
    }

    /// A read of the file that was opened, by the tables that this version knows.
    fn checked<T, F>(
        &self,
        read: F,
    ) -> StoreResult<impl FnOnce(&Connection) -> StoreResult<T> + Send + use<T, F>>
    where
        F: FnOnce(&Connection) -> StoreResult<T> + Send,
    {
        self.writer.file.check()?;
        let schema = self.schema.is_due().then(|| Arc::clone(&self.schema));
        Ok(move |db: &Connection| {
            if let Some(schema) = schema {
                migrations::check_version(db)?;
                schema.passed();
            }
            read(db)
        })
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
            let transaction = begin_write(writer)?;
            let outcome = write(&transaction)?;
            transaction.commit().map_err(from_driver)?;
            Ok(outcome)
        })
        .await
    }

    /// The same for a write that a full disk must not stop, which may use the reserved space.
    pub(crate) async fn write_reserved<T, F>(&self, reserve: Reserve, write: F) -> StoreResult<T>
    where
        T: Send + 'static,
        F: Fn(&Transaction<'_>) -> StoreResult<T> + Send + 'static,
    {
        self.with_writer_reserved(reserve, move |writer| {
            let transaction = begin_write(writer)?;
            let outcome = write(&transaction)?;
            transaction.commit().map_err(from_driver)?;
            Ok(outcome)
        })
        .await
    }

    /// The same for a revocation. When it cannot be kept, no agent is served until it is.
    pub(crate) async fn write_revocation<T, F>(&self, what: String, write: F) -> StoreResult<T>
    where
        T: Send + 'static,
        F: Fn(&Transaction<'_>) -> StoreResult<T> + Send + 'static,
    {
        let outcome = self.write_reserved(Reserve::Ending, write).await;
        match &outcome {
            Ok(_) => self.halt.end(&what),
            Err(StoreError::Full) => self.halt.begin(&what),
            Err(_) => {}
        }
        outcome
    }

    /// Fails while agents are not to be served.
    pub(crate) fn check_serving(&self) -> StoreResult<()> {
        self.halt.check()
    }

    /// The same outside a transaction.
    pub(crate) async fn with_writer_reserved<T, F>(
        &self,
        reserve: Reserve,
        work: F,
    ) -> StoreResult<T>
    where
        T: Send + 'static,
        F: FnMut(&mut Connection) -> StoreResult<T> + Send + 'static,
    {
        let writer = self.writer.clone();
        spawn(move || writer.with_reserve(reserve, work)).await
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

/// Moves blocking work off the async threads.
pub(crate) async fn spawn<T, F>(work: F) -> StoreResult<T>
where
    T: Send + 'static,
    F: FnOnce() -> StoreResult<T> + Send + 'static,
{
    tokio::task::spawn_blocking(work).await.map_err(StoreError::unavailable)?
}
