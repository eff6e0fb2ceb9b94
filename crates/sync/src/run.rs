//! A run of an account: it holds the lease, writes through the engine, and counts.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use pdpp_auth::OwnerAccess;
use pdpp_contract::import::ImportItem;
use pdpp_contract::ports::Clock;
use pdpp_contract::{ApiError, ConnectionId, ErrorCode, JsonObject, RecordId, StreamName};
use pdpp_engine::Engine;
use pdpp_engine::synced::SyncWriter;
use pdpp_import::blobs::Blobs;
use pdpp_import::texts::reader::FileTextReader;
use pdpp_store::Store;
use pdpp_store::accounts::sync::{FolderState, ItemNo, SyncCommit, SyncedItem};
use pdpp_store::accounts::{RunCounts, RunNo};

use crate::attachments::SyncedFiles;
use crate::fault::SyncFault;

/// Is told how many items of how many are written.
pub type RunProgress = Arc<dyn Fn(u64, u64) + Send + Sync>;

/// Makes what reads the text of files, for one thread at a time.
pub type TextReaders = Arc<dyn Fn() -> Box<dyn FileTextReader> + Send + Sync>;

/// What a run works with.
pub struct RunContext {
    store: Arc<dyn Store>,
    engine: Engine,
    owner: OwnerAccess,
    clock: Arc<dyn Clock>,
    connection: ConnectionId,
    writer: SyncWriter,
    run: RunNo,
    texts: TextReaders,
    progress: RunProgress,
    counted: Counted,
}

#[derive(Default)]
struct Counted {
    added: AtomicU64,
    changed: AtomicU64,
    kept: AtomicU64,
    rejected: AtomicU64,
    bytes: AtomicU64,
    items: AtomicU64,
    expected: AtomicU64,
}

/// What is the same for all runs of a process.
pub(crate) struct RunParts {
    pub store: Arc<dyn Store>,
    pub engine: Engine,
    pub owner: OwnerAccess,
    pub clock: Arc<dyn Clock>,
    pub texts: TextReaders,
}

impl RunContext {
    pub(crate) async fn begin(
        parts: RunParts,
        connection: ConnectionId,
        run: RunNo,
        progress: RunProgress,
    ) -> Result<Self, SyncFault> {
        let RunParts { store, engine, owner, clock, texts } = parts;
        let writer = engine.sync_writer(&owner, &connection).await?;
        let counted = Counted::default();
        Ok(Self { store, engine, owner, clock, connection, writer, run, texts, progress, counted })
    }

    /// The number of the run.
    pub fn run_no(&self) -> RunNo {
        self.run
    }

    /// The current instant.
    pub fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// Where files go that come along.
    pub fn files(&self) -> Box<dyn Blobs> {
        let runtime = tokio::runtime::Handle::current();
        Box::new(SyncedFiles::new(self.engine.clone(), self.owner.clone(), runtime))
    }

    /// Who reads the text of files that come along.
    pub fn texts(&self) -> Box<dyn FileTextReader> {
        (self.texts)()
    }

    /// The states of all folders.
    pub async fn folder_states(&self) -> Result<Vec<FolderState>, SyncFault> {
        Ok(self.store.folder_states(&self.connection).await?)
    }

    /// The items of a folder.
    pub async fn folder_items(&self, folder: &str) -> Result<Vec<SyncedItem>, SyncFault> {
        Ok(self.store.folder_items(&self.connection, folder).await?)
    }

    /// How many items a folder has in one numbering.
    pub async fn count_items(&self, folder: &str, epoch: i64) -> Result<u64, SyncFault> {
        Ok(self.store.count_items(&self.connection, folder, epoch).await?)
    }

    /// Items of a folder by their numbers.
    pub async fn find_items(
        &self,
        folder: &str,
        numbers: Vec<ItemNo>,
    ) -> Result<Vec<SyncedItem>, SyncFault> {
        Ok(self.store.find_items(&self.connection, folder, numbers).await?)
    }

    /// Where records stand.
    pub async fn places_of(&self, records: Vec<RecordId>) -> Result<Vec<SyncedItem>, SyncFault> {
        Ok(self.store.places_of(&self.connection, records).await?)
    }

    /// A record with its long texts.
    pub async fn whole_record(
        &self,
        stream: &StreamName,
        id: &RecordId,
    ) -> Result<Option<JsonObject>, SyncFault> {
        Ok(self.writer.whole_record(stream, id).await?)
    }

    /// Writes records and their places in one step.
    pub async fn write(&self, items: Vec<ImportItem>, commit: SyncCommit) -> Result<(), SyncFault> {
        let written = self.writer.write(items, commit).await?;
        let written = written.ok_or(SyncFault::TakenOver)?;
        self.counted.added.fetch_add(written.added, Ordering::Relaxed);
        let changed = written.changed + written.deleted;
        self.counted.changed.fetch_add(changed, Ordering::Relaxed);
        self.counted.rejected.fetch_add(written.rejected, Ordering::Relaxed);
        Ok(())
    }

    /// The fault of a file that could not be kept.
    pub fn not_kept(&self, error: &io::Error) -> SyncFault {
        let message = format!("an attachment could not be kept: {error}");
        SyncFault::Write(ApiError::new(ErrorCode::Unavailable, message))
    }

    /// Counts a record that stays although its source deleted it.
    pub fn note_kept(&self) {
        self.counted.kept.fetch_add(1, Ordering::Relaxed);
    }

    /// Counts what the source sent.
    pub fn note_bytes(&self, bytes: u64) {
        self.counted.bytes.fetch_add(bytes, Ordering::Relaxed);
    }

    /// Says how many items will be written.
    pub fn expect_items(&self, count: usize) {
        self.counted.expected.store(u64::try_from(count).unwrap_or(0), Ordering::Relaxed);
    }

    /// Counts items that were written.
    pub fn note_items(&self, count: usize) {
        let count = u64::try_from(count).unwrap_or(0);
        let done = self.counted.items.fetch_add(count, Ordering::Relaxed) + count;
        (self.progress)(done, self.counted.expected.load(Ordering::Relaxed));
    }

    /// What was counted so far.
    pub fn counts(&self) -> RunCounts {
        let read = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        let kept = read(&self.counted.kept);
        RunCounts {
            added: read(&self.counted.added),
            // What was kept was changed, too: it was marked.
            changed: read(&self.counted.changed).saturating_sub(kept),
            kept,
            rejected: read(&self.counted.rejected),
            bytes: read(&self.counted.bytes),
        }
    }

    /// Keeps the lease until the run is not the newest any more, or this is dropped.
    pub(crate) async fn hold(&self, lease: Duration) -> SyncFault {
        loop {
            tokio::time::sleep(lease / 3).await;
            let length = SignedDuration::try_from(lease).unwrap_or(SignedDuration::from_secs(60));
            let until = self.now() + length;
            match self.store.keep_lease(&self.connection, self.run, until).await {
                Ok(true) => {}
                Ok(false) => return SyncFault::TakenOver,
                // What is written says in its own transaction whether it may be.
                Err(error) => tracing::debug!("cannot prolong a lease: {error}"),
            }
        }
    }
}
