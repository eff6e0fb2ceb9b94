//! The Postgres backend: the shared bodies over sessions of a server that several processes use.

#[cfg(feature = "baseline")]
pub mod baseline;
mod blob_bytes;
mod compact;
mod connect;
mod dialect;
mod driver;
#[cfg(test)]
mod driver_tests;
mod erasing;
mod errors;
#[cfg(test)]
mod errors_tests;
#[cfg(test)]
mod hidden_cost_tests;
mod hosts;
mod index_words;
#[cfg(test)]
mod index_words_tests;
mod key_stretch;
mod keys_ahead;
mod maintenance;
mod migrations;
#[cfg(test)]
mod migrations_tests;
mod packed_help;
mod packed_keys;
mod pool;
#[cfg(test)]
mod pool_tests;
mod presence;
mod structure;
#[cfg(test)]
mod taking_tests;
#[cfg(test)]
mod testing;
mod tls;
#[cfg(test)]
mod turns_tests;
mod writer;
mod writer_guard;
#[cfg(test)]
mod writer_tests;

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

use std::sync::Arc;
use std::time::Duration;

use crate::blob_files::BlobFiles;
use crate::error::{StoreError, StoreResult};
use crate::layout::Layout;
use crate::reserve::Reserve;
use crate::schema_check::SchemaCheck;
use crate::secrets::Secrets;
use crate::{Database, Store, StoreOptions};
use blob_bytes::BlobBytes;
use connect::Server;
use driver::{Connection, Transaction};
use errors::from_driver;
use migrations::begin_write;
use pool::ReaderPool;
use writer::Writer;

/// An open Postgres store.
pub(crate) struct Backend {
    readers: Arc<ReaderPool>,
    writer: Writer,
    read_deadline: Duration,
    schema: Arc<SchemaCheck>,
    secrets: Secrets,
    blobs: BlobBytes,
    /// The tables that are moved; other than the newest only while an older backup is taken in.
    layout: Layout,
}

impl Store for Backend {}

impl Backend {
    /// Any number of servers may work on one database.
    const IS_SHARED: bool = true;

    /// Connects, creating the tables when the database is empty and bringing them up to date
    /// otherwise.
    pub(crate) async fn open(database: &Database, options: StoreOptions) -> StoreResult<Self> {
        let server = Server::parse(database)?;
        spawn(move || {
            let mut first = server.connect()?;
            let secrets = migrations::migrate(&mut first, &options)?;
            let server = server.of_store(secrets.sealing);
            let readers = Arc::new(ReaderPool::new(server.clone(), options.readers.max(1)));
            let watched = (Arc::clone(&readers), options.read_deadline);
            Ok(Self {
                layout: options.layout,
                readers,
                writer: Writer::new(server, first, watched)?,
                read_deadline: options.read_deadline,
                schema: Arc::default(),
                secrets,
                blobs: BlobBytes::new(BlobFiles::new(options.blobs)),
            })
        })
        .await
    }

    /// Runs a read on a pooled session, in one snapshot and under the deadline.
    pub(in crate::postgres) async fn read<T, F>(&self, read: F) -> StoreResult<T>
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
    pub(in crate::postgres) async fn glance<T, F>(&self, read: F) -> StoreResult<T>
    where
        T: Send + 'static,
        F: FnOnce(&Connection) -> StoreResult<T> + Send + 'static,
    {
        self.read(read).await
    }

    /// Sessions that may help with a read.
    fn helpers(&self) -> packed_help::Helpers {
        packed_help::Helpers { pool: Arc::clone(&self.readers), deadline: self.read_deadline }
    }

    /// Runs a write in one transaction: all of it is kept, or nothing.
    pub(in crate::postgres) async fn write<T, F>(&self, write: F) -> StoreResult<T>
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
    pub(in crate::postgres) async fn write_reserved<T, F>(
        &self,
        _: Reserve,
        write: F,
    ) -> StoreResult<T>
    where
        T: Send + 'static,
        F: Fn(&Transaction<'_>) -> StoreResult<T> + Send + 'static,
    {
        self.write(write).await
    }

    /// The same for a revocation.
    pub(in crate::postgres) async fn write_revocation<T, F>(
        &self,
        _: String,
        write: F,
    ) -> StoreResult<T>
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
    pub(in crate::postgres) fn check_serving(&self) -> StoreResult<()> {
        Ok(())
    }

    /// The same outside a transaction.
    pub(in crate::postgres) async fn with_writer_reserved<T, F>(
        &self,
        _: Reserve,
        work: F,
    ) -> StoreResult<T>
    where
        T: Send + 'static,
        F: FnMut(&mut Connection) -> StoreResult<T> + Send + 'static,
    {
        self.with_writer(work).await
    }

    /// Runs single statements that wait for no other writer: on a session of the readers.
    pub(in crate::postgres) async fn aside<T, F>(&self, work: F) -> StoreResult<T>
    where
        T: Send + 'static,
        F: FnOnce(&Connection) -> StoreResult<T> + Send + 'static,
    {
        ReaderPool::lend(&self.readers, self.read_deadline, work).await
    }

    /// Runs a write outside a transaction.
    pub(in crate::postgres) async fn with_writer<T, F>(&self, work: F) -> StoreResult<T>
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
