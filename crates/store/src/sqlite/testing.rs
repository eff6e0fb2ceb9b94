//! A fresh store for the tests of the shared bodies.

use std::sync::Arc;

use pdpp_testkit::RepeatedByte;

use crate::sqlite::Backend;
use crate::{StoreOptions, StoreResult};

/// Edits of an audit event that only this backend would take.
pub(super) const ODD_EDITS: &[&str] =
    &["operation = x'ff'", "hash = zeroblob(32)", "hash = zeroblob(3)"];

/// What a newer version does to the tables, as far as an older one can tell.
pub(super) const NEWER_SCHEMA: &str = "PRAGMA user_version = 9999";

/// An empty store and what keeps it alive.
pub(super) async fn fresh() -> Option<(Backend, tempfile::TempDir)> {
    let directory = tempfile::tempdir().unwrap();
    let options = StoreOptions::new(directory.path().join("store.db"), Arc::new(RepeatedByte(7)));
    Some((Backend::open(options).await.unwrap(), directory))
}

/// The same store, opened by somebody else.
pub(super) async fn another(guard: &tempfile::TempDir) -> StoreResult<Backend> {
    Backend::open(StoreOptions::new(guard.path().join("store.db"), Arc::new(RepeatedByte(7)))).await
}
