//! Health and keys of a SQLite store.

pub(crate) mod compact;
pub(crate) mod erasing;

use std::sync::Arc;

use async_trait::async_trait;

use crate::error::StoreResult;
use crate::maintenance::{Maintenance, VerifyReport};
use crate::sqlite::Backend;
use crate::sqlite::blob_bytes::BlobBytes;
use crate::sqlite::driver::Connection;
use crate::sqlite::errors::from_driver;
use crate::sqlite::spawn;

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
        spawn(move || writer.check()).await
    }

    fn sealing_key(&self) -> [u8; 32] {
        self.secrets.sealing
    }

    async fn verify(&self) -> StoreResult<VerifyReport> {
        let hashing = self.secrets.hashing.clone();
        self.at_one_moment(move |db, files| crate::sqlite::sql::verify::verify(db, &hashing, files))
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
        self.writer.file.check()?;
        let (readers, bytes) = (Arc::clone(&self.readers), self.blobs.clone());
        spawn(move || readers.at_one_moment(|db| read(db, &bytes))).await
    }
}
