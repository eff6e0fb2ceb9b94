//! An open SQLite store: every read and write of the statements goes through here.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use rusqlite::{Connection, Transaction};

use super::blob_bytes::BlobBytes;
use super::connection::halt::Halt;
use super::connection::pool::ReaderPool;
use super::connection::presence::Presence;
use super::connection::read_only::{self, Access};
use super::connection::reserve_file::ReserveFile;
use super::connection::writer::{Writer, begin_write};
use super::errors::from_driver;
use super::keys::parallel::Helpers;
use super::maintenance::erasing;
use super::migrations;
use crate::blobs::files::BlobFiles;
use crate::error::{StoreError, StoreResult};
use crate::opening::reserve::Reserve;
use crate::opening::schema_check::SchemaCheck;
use crate::opening::secrets::Secrets;
use crate::transfer::layout::Layout;
use crate::{AccessStore, RecordStore, Store, StoreOptions};

/// An open SQLite store.
pub(crate) struct Backend {
    pub(super) readers: Arc<ReaderPool>,
    pub(super) writer: Writer,
    pub(super) read_deadline: Duration,
    pub(super) schema: Arc<SchemaCheck>,
    pub(super) secrets: Secrets,
    pub(super) blobs: BlobBytes,
    /// Whether the log still holds old images that a reader kept it from losing.
    pub(super) owes_truncation: Arc<AtomicBool>,
    pub(super) presence: Presence,
    pub(super) halt: Halt,
    /// Where files may grow that are needed for a while.
    pub(super) directory: PathBuf,
    /// The tables that are moved; other than the newest only while an older backup is taken in.
    pub(super) layout: Layout,
}

impl Store for Backend {}
impl RecordStore for Backend {}
impl AccessStore for Backend {}

impl Backend {
    /// A lock keeps a second server away.
    pub(super) const IS_SHARED: bool = false;

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
    pub(super) fn temporary_files(&self) -> String {
        self.directory.to_string_lossy().into_owned()
    }

    /// Sessions that may help with a read.
    #[expect(clippy::unused_self, reason = "the other backend has sessions to lend")]
    pub(super) fn helpers(&self) -> Helpers {
        Helpers
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
