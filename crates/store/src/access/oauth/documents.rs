//! Documents fetched from elsewhere, and assertions that must not be used twice.

use async_trait::async_trait;
use jiff::Timestamp;

use crate::error::StoreResult;

/// A fetched document, or the memory of a failure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FetchedDocument {
    /// What came; `None` when nothing usable did.
    pub body: Option<String>,
    /// When it was fetched.
    pub fetched_at: Timestamp,
    /// The first instant at which it should be fetched again.
    pub fresh_until: Timestamp,
}

/// Fetched documents by address.
#[async_trait]
pub trait OauthDocumentStore: Send + Sync {
    /// The document of this address, fresh or not.
    async fn find_document(&self, url: &str) -> StoreResult<Option<FetchedDocument>>;

    /// Keeps a document in place of an older one.
    async fn keep_document(&self, url: &str, document: FetchedDocument) -> StoreResult<()>;

    /// Uses an assertion up. `false` when it was used before: of two callers one is told `true`.
    async fn spend_assertion(&self, hash: [u8; 32], expires_at: Timestamp) -> StoreResult<bool>;

    /// Forgets what is of no use any more: ended requests, old assertions and documents, superseded
    /// refresh tokens and renewed access tokens whose time is over, and the sealed successors of
    /// refresh tokens superseded before `successors_until`.
    async fn sweep_oauth(&self, now: Timestamp, successors_until: Timestamp) -> StoreResult<()>;
}
