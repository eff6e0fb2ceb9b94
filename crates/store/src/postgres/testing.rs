//! A fresh store for the tests of the shared bodies.

use std::sync::Arc;
use std::time::Duration;

use pdpp_testkit::RepeatedByte;
use pdpp_testkit::postgres::{FreshDatabase, fresh_database};

use crate::postgres::Backend;
use crate::{Database, StoreOptions, StoreResult};

/// Edits of an audit event that only this backend would take.
pub(super) const ODD_EDITS: &[&str] = &["hash = decode('00', 'hex')", "hash = ''"];

/// What a newer version does to the tables, as far as an older one can tell.
pub(super) const NEWER_SCHEMA: &str = "UPDATE schema_version SET version = 9999";

/// A store and what keeps it alive.
type Fresh = (Backend, (FreshDatabase, tempfile::TempDir));

/// An empty store; `None` when Postgres is left out.
pub(super) async fn fresh() -> Option<Fresh> {
    fresh_with(Duration::from_secs(20)).await
}

/// The same, where nobody waits for longer than this.
pub(super) async fn fresh_with(read_deadline: Duration) -> Option<Fresh> {
    let database = fresh_database().await?;
    let directory = tempfile::tempdir().unwrap();
    let options = StoreOptions::new(directory.path().join("store.db"), Arc::new(RepeatedByte(7)));
    let options = StoreOptions { read_deadline, ..options };
    let store = Backend::open(&Database::new(database.url()), options).await.unwrap();
    Some((store, (database, directory)))
}

/// The same store, opened by somebody else.
pub(super) async fn another(guard: &(FreshDatabase, tempfile::TempDir)) -> StoreResult<Backend> {
    let (database, directory) = guard;
    let options = StoreOptions::new(directory.path().join("store.db"), Arc::new(RepeatedByte(7)));
    Backend::open(&Database::new(database.url()), options).await
}
