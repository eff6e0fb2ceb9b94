//! Classifying stored records again, after the rules for what they carry have changed.

use std::sync::Arc;

use async_trait::async_trait;
use pdpp_contract::JsonObject;

use crate::error::StoreResult;
use crate::writes::prepare::Classification;

/// Says what a record carries that a grant may leave out.
pub type Classify = Arc<dyn Fn(&JsonObject) -> Classification + Send + Sync>;

/// How far a new classification is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Classified {
    /// Records looked at by this call.
    pub records: u64,
    /// Records among them that are marked otherwise than before.
    pub changed: u64,
    /// Whether every record has been classified.
    pub done: bool,
}

/// Classifying what a store of an earlier version holds.
#[async_trait]
pub trait RecordClassifier: Send + Sync {
    /// Whether records wait for a new classification. Never again, once they do not.
    async fn needs_classification(&self) -> StoreResult<bool>;

    /// Lets every record wait for a new classification, as opening a store of an earlier version does.
    async fn request_classification(&self) -> StoreResult<()>;

    /// Classifies the next records in one transaction; several processes share the work. A record that is
    /// marked otherwise than before has a new version, and its parts and the thread it began go with it.
    /// Holds one record at a time.
    async fn classify_some(&self, classify: Classify) -> StoreResult<Classified>;
}
