//! The embedded backend: one SQLite file, one writer, a few read-only connections.

mod aggregate;
mod aggregate_plan;
#[cfg(feature = "baseline")]
pub mod baseline;
mod blob_refs;
mod blobs;
mod change_track;
mod changes;
mod connections;
mod count;
#[cfg(test)]
mod damage_tests;
mod declared;
mod emitted;
mod erasing;
mod errors;
mod list;
mod list_plan;
mod maintenance;
mod migrations;
#[cfg(test)]
mod plan_tests;
mod pool;
mod project;
mod prune;
mod quarantine;
mod records;
mod related;
mod remove;
mod reproject;
mod search;
mod search_index;
mod search_pieces;
mod search_sieve;
mod search_view;
mod search_write;
mod text;
mod text_match;
mod text_nested;
mod time_fields;
mod verify;
mod verify_access;
mod verify_blobs;
mod verify_record;
mod write_record;
mod write_text;
mod writes;

mod audit;
mod grants;
mod oauth;
mod owner;
mod sessions;
mod tokens;

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use rusqlite::{Connection, Transaction, TransactionBehavior};

use crate::blob_files::BlobFiles;
use crate::error::{StoreError, StoreResult};
use crate::hashing::HashKey;
use crate::{Store, StoreOptions};
use errors::from_sqlite;
use pool::ReaderPool;

/// An open SQLite store.
pub(crate) struct Sqlite {
    readers: Arc<ReaderPool>,
    writer: Arc<Mutex<Connection>>,
    read_deadline: Duration,
    secrets: Secrets,
    blobs: BlobFiles,
    /// Whether the log still holds old images that a reader kept it from losing.
    owes_truncation: Arc<AtomicBool>,
}

/// Keys that live in the store, so that every process in front of it shares them.
#[derive(Clone)]
pub(crate) struct Secrets {
    /// Seals cursors and handles.
    pub sealing: [u8; 32],
    /// Keys the hashes of the version log.
    pub hashing: HashKey,
}

impl Store for Sqlite {}

impl Sqlite {
    pub(crate) async fn open(options: StoreOptions) -> StoreResult<Self> {
        spawn(move || {
            let (writer, secrets) = migrations::open_writer(&options)?;
            let blobs = BlobFiles::new(options.blobs);
            // A process that ended in the middle may have left old images behind.
            let owes = erasing::log_has_pages(&options.path);
            Ok(Self {
                blobs,
                owes_truncation: Arc::new(AtomicBool::new(owes)),
                readers: Arc::new(ReaderPool::new(options.path, options.readers.max(1))),
                writer: Arc::new(Mutex::new(writer)),
                read_deadline: options.read_deadline,
                secrets,
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

    /// Runs a write in one transaction: all of it is kept, or nothing.
    pub(crate) async fn write<T, F>(&self, write: F) -> StoreResult<T>
    where
        T: Send + 'static,
        F: FnOnce(&Transaction<'_>) -> StoreResult<T> + Send + 'static,
    {
        let writer = Arc::clone(&self.writer);
        spawn(move || {
            // A panic in an earlier write rolled its transaction back; the connection is sound.
            let mut writer = writer.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            let transaction = writer
                .transaction_with_behavior(TransactionBehavior::Immediate)
                .map_err(from_sqlite)?;
            let outcome = write(&transaction)?;
            transaction.commit().map_err(from_sqlite)?;
            Ok(outcome)
        })
        .await
    }

    /// Runs a write outside a transaction, for statements that cannot stand inside one.
    pub(crate) async fn with_writer<T, F>(&self, work: F) -> StoreResult<T>
    where
        T: Send + 'static,
        F: FnOnce(&mut Connection) -> StoreResult<T> + Send + 'static,
    {
        let writer = Arc::clone(&self.writer);
        spawn(move || {
            let mut writer = writer.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            work(&mut writer)
        })
        .await
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
