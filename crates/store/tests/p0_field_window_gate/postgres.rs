//! The gate on Postgres, and what its connection promises beside.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use pdpp_store::prepare::PreparedRecord;
use pdpp_store::text::{TextRead, TextReader};
use pdpp_store::{Database, ReadScope, Store, StoreError, StoreOptions, StoreResult};
use pdpp_testkit::postgres::{FreshDatabase, fresh_database};
use tokio_postgres::{Client, NoTls};

use crate::backend::{Backend, SameBytes, connect_both, id, keep, notes, path, read};
use crate::costs::Measured;
use crate::{grants, long_field, matches, postgres_blocks, probe, windows};

const NAME: &str = "postgres::p0_field_window_gate";

#[tokio::test]
async fn p0_field_window_gate() {
    if let Some(job) = probe::asked() {
        return probe::run(&*open(&job.store).await, &job).await;
    }
    let Some(database) = fresh_database().await else {
        return;
    };
    let backend = Postgres::open(&database).await;
    windows::are_exact(&backend).await;
    matches::are_exact(&backend).await;
    grants::are_kept(&backend).await;
    grants::end_before_the_text(&backend).await;
    drop(backend);

    let Some(database) = fresh_database().await else {
        return;
    };
    let backend = Postgres::open(&database).await;
    let fields = long_field::put_all(&backend).await;
    a_read_ends_at_its_deadline(&database).await;
    an_abandoned_read_does_no_harm(&backend).await;
    drop(backend);
    let measured = Measured { test: NAME, store: database.url(), fields: &fields };
    let costs = postgres_blocks::do_not_grow(&measured).await;
    measured.memory_does_not_grow(&costs);
}

async fn a_read_ends_at_its_deadline(database: &FreshDatabase) {
    let hasty = connect(database.url(), Duration::from_millis(1)).await.unwrap();
    let scope = ReadScope::new(vec![notes("a", &["body"])]);
    let all = TextRead::Match { q: "xyzzy".to_owned(), before: 0, after: 0, limit: 1 };
    let answer = hasty.read_text(&scope, &id("16m"), &path("body"), all).await;
    assert!(matches!(answer, Err(StoreError::DeadlineExceeded)), "{answer:?}");
}

async fn an_abandoned_read_does_no_harm(backend: &Postgres<'_>) {
    let scope = ReadScope::new(vec![notes("a", &["body"])]);
    let all = TextRead::Match { q: "xyzzy".to_owned(), before: 0, after: 0, limit: 1 };
    let (id, path) = (id("16m"), path("body"));
    let reading = backend.reader().read_text(&scope, &id, &path, all);
    assert!(tokio::time::timeout(Duration::from_millis(5), reading).await.is_err());
    let window = read(backend, "64k", "body", TextRead::Range { start: 0, limit: 7 }).await;
    assert_eq!(window.text.chars().count(), 7);
}

#[tokio::test]
async fn a_database_is_set_up_once_and_foreign_or_newer_ones_are_left_alone() {
    let Some(database) = fresh_database().await else {
        return;
    };
    let deadline = Duration::from_secs(20);
    open(database.url()).await;
    open(database.url()).await;
    let client = plain(database.url()).await;
    client.batch_execute("UPDATE schema_version SET version = 99").await.unwrap();
    let answer = connect(database.url(), deadline).await.err();
    assert!(matches!(answer, Some(StoreError::TooNew { found: 99, .. })), "{answer:?}");

    let Some(database) = fresh_database().await else {
        return;
    };
    let client = plain(database.url()).await;
    client.batch_execute("CREATE TABLE records (somebody_elses text)").await.unwrap();
    let answer = connect(database.url(), deadline).await.err();
    assert!(matches!(answer, Some(StoreError::NotAStore)), "{answer:?}");
}

struct Postgres<'a> {
    database: &'a FreshDatabase,
    store: Arc<dyn Store>,
}

impl<'a> Postgres<'a> {
    async fn open(database: &'a FreshDatabase) -> Self {
        let store = open(database.url()).await;
        connect_both(&*store).await;
        Self { database, store }
    }
}

#[async_trait]
impl Backend for Postgres<'_> {
    async fn put(&self, name: &str, record: PreparedRecord) {
        keep(&*self.store, name, record).await;
    }

    fn reader(&self) -> &dyn TextReader {
        &*self.store
    }

    async fn lose_texts(&self) {
        let client = plain(self.database.url()).await;
        client.batch_execute("DROP TABLE texts; DROP TABLE text_chunks;").await.unwrap();
    }
}

async fn open(url: &str) -> Arc<dyn Store> {
    connect(url, Duration::from_secs(30)).await.unwrap()
}

async fn connect(url: &str, read_deadline: Duration) -> StoreResult<Arc<dyn Store>> {
    let options = StoreOptions::new("unused", Arc::new(SameBytes)).on_postgres(Database::new(url));
    pdpp_store::open(StoreOptions { read_deadline, ..options }).await
}

/// A connection beside the store's.
pub async fn plain(url: &str) -> Client {
    let (client, connection) = tokio_postgres::connect(url, NoTls).await.unwrap();
    tokio::spawn(connection);
    client
}
