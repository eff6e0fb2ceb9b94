//! Health and keys of a SQLite store.

use async_trait::async_trait;

use super::Backend;
use super::errors::from_driver;
use crate::error::StoreResult;
use crate::maintenance::{Maintenance, VerifyReport};

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

    /// The file is ours alone: whoever can read it can write it in turn.
    async fn check_writing(&self) -> StoreResult<()> {
        Ok(())
    }

    fn sealing_key(&self) -> [u8; 32] {
        self.secrets.sealing
    }

    async fn verify(&self) -> StoreResult<VerifyReport> {
        let (hashing, files) = (self.secrets.hashing.clone(), self.blobs.clone());
        // On the writer's connection and without a deadline: a full check takes as long as it takes.
        self.with_writer(move |db| super::verify::verify(db, &hashing, &files)).await
    }
}
