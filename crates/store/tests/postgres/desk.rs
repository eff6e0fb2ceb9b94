//! A store on a server, with one connection to write to.

use std::sync::Arc;
use std::time::Duration;

use pdpp_contract::ports::Entropy;
use pdpp_store::{Database, Store, StoreOptions, StoreResult};
use pdpp_store_conformance::sample::{Account, SAMPLE, declaration};

/// Keys need not be secret here.
struct SameBytes;

impl Entropy for SameBytes {
    fn fill(&self, bytes: &mut [u8]) {
        bytes.fill(7);
    }
}

/// The usual options for a database.
pub fn options(url: &str) -> StoreOptions {
    let path = std::env::temp_dir().join("unused");
    StoreOptions::new(path, Arc::new(SameBytes)).on_postgres(Database::new(url))
}

pub async fn open(url: &str) -> StoreResult<Arc<dyn Store>> {
    pdpp_store::open(options(url)).await
}

/// The same with few readers who wait for a short time.
pub async fn open_hasty(url: &str, readers: usize, read_deadline: Duration) -> Arc<dyn Store> {
    pdpp_store::open(StoreOptions { readers, read_deadline, ..options(url) }).await.unwrap()
}

pub async fn account(store: &Arc<dyn Store>) -> Account {
    Account::open(store, "a").await
}

/// The same with notes whose titles and bodies are searched.
pub async fn searched_account(store: &Arc<dyn Store>) -> Account {
    let plain = r#""aggregations": {"group_by": ["kind", "done"]}"#;
    let searched = format!(r#"{plain}, "search": {{"lexical_fields": ["title", "body"]}}"#);
    Account::declared(store, "a", declaration(&SAMPLE.replacen(plain, &searched, 1))).await
}

pub fn note(number: usize) -> String {
    format!(r#"{{"id":"n{number}","at":"2026-01-01T00:00:00Z","title":"note {number}"}}"#)
}

/// How many notes a reader sees.
pub async fn count(account: &Account) -> StoreResult<u64> {
    let scope = account.scope("notes");
    let stats = account.store.collection_stats(&scope).await?;
    Ok(stats.iter().map(|stats| stats.record_count).sum())
}
