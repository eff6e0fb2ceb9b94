//! The gate on Postgres, and what its connection promises beside.

use std::time::Duration;

use async_trait::async_trait;
use pdpp_store::postgres::PostgresTexts;
use pdpp_store::prepare::PreparedRecord;
use pdpp_store::text::{TextRead, TextReader};
use pdpp_store::{ReadScope, StoreError};
use pdpp_testkit::postgres::{FreshDatabase, fresh_database};
use tokio_postgres::{Client, NoTls};

use crate::backend::{Backend, connection, id, notes, path, read};
use crate::costs::Measured;
use crate::{grants, long_field, matches, postgres_blocks, probe, windows};

const NAME: &str = "postgres::p0_field_window_gate";

#[tokio::test]
async fn p0_field_window_gate() {
    if let Some(job) = probe::asked() {
        return probe::run(&open(&job.store).await, &job).await;
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
    let hasty = PostgresTexts::connect(database.url(), Duration::from_millis(1)).await.unwrap();
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
    let answer = PostgresTexts::connect(database.url(), deadline).await.err();
    assert!(matches!(answer, Some(StoreError::TooNew { found: 99, .. })), "{answer:?}");

    let Some(database) = fresh_database().await else {
        return;
    };
    let client = plain(database.url()).await;
    client.batch_execute("CREATE TABLE records (somebody_elses text)").await.unwrap();
    let answer = PostgresTexts::connect(database.url(), deadline).await.err();
    assert!(matches!(answer, Some(StoreError::NotAStore)), "{answer:?}");
}

struct Postgres<'a> {
    database: &'a FreshDatabase,
    texts: PostgresTexts,
}

impl<'a> Postgres<'a> {
    async fn open(database: &'a FreshDatabase) -> Self {
        Self { database, texts: open(database.url()).await }
    }
}

#[async_trait]
impl Backend for Postgres<'_> {
    async fn put(&self, name: &str, record: PreparedRecord) {
        self.texts.put_record(&connection(name), &record).await.unwrap();
    }

    fn reader(&self) -> &dyn TextReader {
        &self.texts
    }

    async fn lose_texts(&self) {
        let client = plain(self.database.url()).await;
        client.batch_execute("DROP TABLE texts; DROP TABLE text_chunks;").await.unwrap();
    }
}

async fn open(url: &str) -> PostgresTexts {
    PostgresTexts::connect(url, Duration::from_secs(30)).await.unwrap()
}

/// A connection beside the store's.
pub async fn plain(url: &str) -> Client {
    let (client, connection) = tokio_postgres::connect(url, NoTls).await.unwrap();
    tokio::spawn(connection);
    client
}
