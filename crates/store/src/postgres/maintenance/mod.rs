//! Health and keys of a Postgres store.

pub(crate) mod compact;
pub(crate) mod erasing;
pub(crate) mod structure;

use async_trait::async_trait;

use crate::error::StoreResult;
use crate::maintenance::{Maintenance, VerifyReport};
use crate::postgres::Backend;
use crate::postgres::blob_bytes::BlobBytes;
use crate::postgres::connection::writer_guard::is_at_work;
use crate::postgres::dialect::BEGIN_SNAPSHOT;
use crate::postgres::driver::Connection;
use crate::postgres::errors::from_driver;
use crate::postgres::spawn;

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
            crate::postgres::sql::verify::verify(&transaction, &hashing, &files)
        })
        .await
    }
}

impl Backend {
    /// Reads for as long as it takes, and sees nothing that comes meanwhile.
    pub(crate) async fn at_one_moment<T, F>(&self, read: F) -> StoreResult<T>
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
