//! The gate on SQLite.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use async_trait::async_trait;
use pdpp_store::prepare::PreparedRecord;
use pdpp_store::text::TextReader;
use pdpp_store::{Store, StoreOptions};

use crate::backend::{Backend, SameBytes, connect_both, keep};
use crate::costs::Measured;
use crate::{grants, long_field, matches, probe, windows};

const NAME: &str = "sqlite::p0_field_window_gate";

#[tokio::test]
async fn p0_field_window_gate() {
    if let Some(job) = probe::asked() {
        return probe::run(&*open(Path::new(&job.store)).await, &job).await;
    }
    let dir = tempfile::tempdir().unwrap();
    let backend = Sqlite::create(dir.path().join("gate.sqlite")).await;
    windows::are_exact(&backend).await;
    matches::are_exact(&backend).await;
    grants::are_kept(&backend).await;
    grants::end_before_the_text(&backend).await;

    let file = dir.path().join("costs.sqlite");
    let backend = Sqlite::create(file.clone()).await;
    let fields = long_field::put_all(&backend).await;
    drop(backend);
    let measured = Measured { test: NAME, store: file.to_str().unwrap(), fields: &fields };
    let costs = measured.costs();
    measured.read_bytes_do_not_grow(&costs);
    measured.memory_does_not_grow(&costs);
}

struct Sqlite {
    file: PathBuf,
    store: Arc<dyn Store>,
}

impl Sqlite {
    /// A new store with the connections `a` and `b`.
    async fn create(file: PathBuf) -> Self {
        let store = open(&file).await;
        connect_both(&*store).await;
        Self { file, store }
    }
}

#[async_trait]
impl Backend for Sqlite {
    async fn put(&self, name: &str, record: PreparedRecord) {
        keep(&*self.store, name, record).await;
    }

    fn reader(&self) -> &dyn TextReader {
        &*self.store
    }

    async fn lose_texts(&self) {
        let db = rusqlite::Connection::open(&self.file).unwrap();
        db.execute_batch("DROP TABLE texts; DROP TABLE text_chunks;").unwrap();
    }
}

async fn open(file: &Path) -> Arc<dyn Store> {
    pdpp_store::open(StoreOptions::new(file, Arc::new(SameBytes))).await.unwrap()
}
