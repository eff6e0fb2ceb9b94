//! An open connection: its schema up to date, its statements prepared, its reads under a deadline.

use std::time::Duration;

use tokio::sync::Mutex;
use tokio_postgres::{Client, IsolationLevel, NoTls, Transaction};

use super::errors::from_postgres;
use super::migrations::migrate;
use super::statements::Prepared;
use crate::error::{StoreError, StoreResult};

/// Windows into the texts of a Postgres store, over one connection.
///
/// The window path only: [`crate::text::TextReader`], and [`PostgresTexts::put_record`] to have
/// something to read. Reads take turns.
pub struct PostgresTexts {
    pub(super) client: Mutex<Client>,
    pub(super) prepared: Prepared,
    read_deadline: Duration,
}

impl PostgresTexts {
    /// Connects, creating the tables when the database is empty and bringing them up to date
    /// otherwise. Refuses a database that is not ours and one that a newer version wrote.
    pub async fn connect(url: &str, read_deadline: Duration) -> StoreResult<Self> {
        let (mut client, connection) =
            tokio_postgres::connect(url, NoTls).await.map_err(from_postgres)?;
        tokio::spawn(async move {
            if let Err(error) = connection.await {
                tracing::warn!("the connection to Postgres ended: {error}");
            }
        });
        migrate(&mut client).await?;
        let prepared = Prepared::on(&client).await?;
        // A statement whose reader has given up ends on the server too.
        let timeout = format!("SET statement_timeout = {}", read_deadline.as_millis().max(1));
        client.batch_execute(&timeout).await.map_err(from_postgres)?;
        Ok(Self { client: Mutex::new(client), prepared, read_deadline })
    }

    /// Runs a read in one snapshot and under the deadline; its turn counts.
    pub(super) async fn read<T>(
        &self,
        read: impl AsyncFnOnce(&Snapshot<'_>) -> StoreResult<T>,
    ) -> StoreResult<T> {
        let work = async {
            let mut client = self.client.lock().await;
            let transaction = client
                .build_transaction()
                .isolation_level(IsolationLevel::RepeatableRead)
                .read_only(true)
                .start()
                .await
                .map_err(from_postgres)?;
            // Nothing is kept, so nobody waits for the end: dropping rolls back.
            read(&Snapshot { transaction, prepared: &self.prepared }).await
        };
        tokio::time::timeout(self.read_deadline, work)
            .await
            .map_err(|_| StoreError::DeadlineExceeded)?
    }
}

/// One snapshot of the database, for one read.
pub(super) struct Snapshot<'a> {
    pub transaction: Transaction<'a>,
    pub prepared: &'a Prepared,
}
