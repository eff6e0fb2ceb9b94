//! Health and keys of a Postgres store.

use async_trait::async_trait;

use super::blob_bytes::BlobBytes;
use super::dialect::BEGIN_SNAPSHOT;
use super::driver::Connection;
use super::errors::from_driver;
use super::writer_guard::is_at_work;
use super::{Backend, spawn};
use crate::error::StoreResult;
use crate::maintenance::{Maintenance, VerifyReport};

/// One snapshot, which may write into it: nothing of it is kept.
const BEGIN_CHECK: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ";

#[async_trait]
impl Maintenance for Backend {
    async fn check(&self) -> StoreResult<()> {
        self.read(|db| {
            db.query_row("SELECT change_no FROM change_counter", [], |row| row.get::<_, i64>(0))
                .map(|_| ())
                .map_err(from_driver)
        })
        .await
    }

    async fn check_writing(&self) -> StoreResult<()> {
        let writer = self.writer.clone();
        let checked = spawn(move || writer.check()).await?;
        let Some(turn) = checked else { return Ok(()) };
        let patience = self.read_deadline;
        self.read(move |db| is_at_work(db, &turn.name, patience)).await
    }

    fn sealing_key(&self) -> [u8; 32] {
        self.secrets.sealing
    }

    async fn verify(&self) -> StoreResult<VerifyReport> {
        let (hashing, files) = (self.secrets.hashing.clone(), self.blobs.clone());
        // On the writer's session and without a deadline: a full check takes as long as it takes.
        self.with_writer(move |db| {
            let transaction = db.begin(BEGIN_CHECK).map_err(from_driver)?;
            super::verify::verify(&transaction, &hashing, &files)
        })
        .await
    }
}

impl Backend {
    /// Reads for as long as it takes, and sees nothing that comes meanwhile.
    pub(super) async fn at_one_moment<T, F>(&self, read: F) -> StoreResult<T>
    where
        T: Send + 'static,
        F: FnOnce(&Connection, &BlobBytes) -> StoreResult<T> + Send + 'static,
    {
        let bytes = self.blobs.clone();
        self.with_writer(move |db| {
            db.execute_batch(BEGIN_SNAPSHOT).map_err(from_driver)?;
            let found = read(db, &bytes);
            db.execute_batch("ROLLBACK").map_err(from_driver)?;
            found
        })
        .await
    }
}
