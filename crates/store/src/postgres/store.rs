//! An open Postgres store: every read and write of the statements goes through here.

use std::sync::Arc;
use std::time::Duration;

use super::blob_bytes::BlobBytes;
use super::connection::pool::ReaderPool;
use super::connection::writer::Writer;
use super::connection::{Server, presence};
use super::driver::{Connection, Transaction};
use super::errors::from_driver;
use super::keys::parallel::Helpers;
use super::migrations::{self, begin_write};
use crate::blobs::files::BlobFiles;
use crate::error::{StoreError, StoreResult};
use crate::opening::reserve::Reserve;
use crate::opening::schema_check::SchemaCheck;
use crate::opening::secrets::Secrets;
use crate::transfer::layout::Layout;
use crate::{AccessStore, Database, RecordStore, Store, StoreOptions};

/// An open Postgres store.
pub(crate) struct Backend {
    pub(super) readers: Arc<ReaderPool>,
    pub(super) writer: Writer,
    pub(super) read_deadline: Duration,
    pub(super) schema: Arc<SchemaCheck>,
    pub(super) secrets: Secrets,
    pub(super) blobs: BlobBytes,
    /// The tables that are moved; other than the newest only while an older backup is taken in.
    pub(super) layout: Layout,
}

impl Store for Backend {}
impl RecordStore for Backend {}
impl AccessStore for Backend {}

impl Backend {
    /// Any number of servers may work on one database.
    pub(super) const IS_SHARED: bool = true;

    /// Connects, creating the tables when the database is empty and bringing them up to date
    /// otherwise.
    pub(crate) async fn open(database: &Database, options: StoreOptions) -> StoreResult<Self> {
        let server = Server::parse(database)?;
        spawn(move || {
            let mut first = server.connect()?;
            let secrets = migrations::migrate(&mut first, &options)?;
            let server = server.of_store(secrets.sealing);
            let readers = Arc::new(ReaderPool::new(server.clone(), options.readers.max(1)));
            Ok(Self {
                layout: options.layout,
                writer: Writer::new(server, first, Arc::clone(&readers), options.read_deadline)?,
                readers,
                read_deadline: options.read_deadline,
                schema: Arc::default(),
                secrets,
                blobs: BlobBytes::new(BlobFiles::new(options.blobs)),
            })
        })
        .await
    }

    /// Runs a read on a pooled session, in one snapshot and under the deadline.
    pub(super) async fn read<T, F>(&self, read: F) -> StoreResult<T>
    where
        T: Send + 'static,
        F: FnOnce(&Connection) -> StoreResult<T> + Send + 'static,
    {
        let schema = self.schema.is_due().then(|| Arc::clone(&self.schema));
        let read = move |db: &Connection| {
            if let Some(schema) = schema {
                migrations::check_version(db)?;
                schema.passed();
            }
            read(db)
        };
        ReaderPool::run(&self.readers, self.read_deadline, read).await
    }

    /// Runs a read of a few rows that every call of an agent needs.
    pub(super) async fn glance<T, F>(&self, read: F) -> StoreResult<T>
    where
        T: Send + 'static,
        F: FnOnce(&Connection) -> StoreResult<T> + Send + 'static,
    {
        self.read(read).await
    }

    /// Sessions that may help with a read.
    pub(super) fn helpers(&self) -> Helpers {
        Helpers { pool: Arc::clone(&self.readers), deadline: self.read_deadline }
    }

    /// Runs a write in one transaction: all of it is kept, or nothing.
    pub(super) async fn write<T, F>(&self, write: F) -> StoreResult<T>
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

    /// The same for a write that a full disk must not stop. Room on the disk of its server is its
    /// operator's to keep.
    pub(super) async fn write_reserved<T, F>(&self, _: Reserve, write: F) -> StoreResult<T>
    where
        T: Send + 'static,
        F: Fn(&Transaction<'_>) -> StoreResult<T> + Send + 'static,
    {
        self.write(write).await
    }

    /// The same for a revocation.
    pub(super) async fn write_revocation<T, F>(&self, _: String, write: F) -> StoreResult<T>
    where
        T: Send + 'static,
        F: Fn(&Transaction<'_>) -> StoreResult<T> + Send + 'static,
    {
        self.write(write).await
    }

    /// Agents are served whenever the database answers.
    #[expect(
        clippy::unused_self,
        clippy::unnecessary_wraps,
        reason = "the other backend may refuse"
    )]
    pub(super) fn check_serving(&self) -> StoreResult<()> {
        Ok(())
    }

    /// The same outside a transaction.
    pub(super) async fn with_writer_reserved<T, F>(&self, _: Reserve, work: F) -> StoreResult<T>
    where
        T: Send + 'static,
        F: FnMut(&mut Connection) -> StoreResult<T> + Send + 'static,
    {
        self.with_writer(work).await
    }

    /// Runs single statements that wait for no other writer: on a session of the readers.
    pub(super) async fn aside<T, F>(&self, work: F) -> StoreResult<T>
    where
        T: Send + 'static,
        F: FnOnce(&Connection) -> StoreResult<T> + Send + 'static,
    {
        ReaderPool::lend(&self.readers, self.read_deadline, work).await
    }

    /// Runs a write outside a transaction.
    pub(super) async fn with_writer<T, F>(&self, work: F) -> StoreResult<T>
    where
        T: Send + 'static,
        F: FnOnce(&mut Connection) -> StoreResult<T> + Send + 'static,
    {
        let writer = self.writer.clone();
        spawn(move || writer.with(work)).await
    }
}

/// Drops a named schema with everything in it, unless somebody works there.
pub(crate) async fn erase_schema(database: Database) -> StoreResult<()> {
    let Some(schema) = database.schema() else {
        return Err(StoreError::Conflict("only a schema of our own can be dropped"));
    };
    spawn(move || {
        let db = Server::parse(&database)?.connect()?;
        presence::alone(&db)?;
        db.execute_batch(&format!("DROP SCHEMA IF EXISTS {schema} CASCADE")).map_err(from_driver)
    })
    .await
}

/// Moves blocking work off the async threads.
pub(crate) async fn spawn<T, F>(work: F) -> StoreResult<T>
where
    T: Send + 'static,
    F: FnOnce() -> StoreResult<T> + Send + 'static,
{
    tokio::task::spawn_blocking(work).await.map_err(StoreError::unavailable)?
}
