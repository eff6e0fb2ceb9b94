//! Clients that registered, or that publish a document about themselves.

use async_trait::async_trait;
use jiff::Timestamp;
use pdpp_contract::ClientName;

use crate::error::StoreResult;

/// How a client became known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClientKind {
    /// It registered itself.
    Registered,
    /// Its id is the address of a document about it.
    Published,
}

/// A client to keep.
#[derive(Debug, Clone)]
pub struct NewClient {
    /// Its id.
    pub client_id: String,
    /// How it became known.
    pub kind: ClientKind,
    /// The name that packages and the audit log carry.
    pub handle: ClientName,
    /// What it said about itself, as checked.
    pub metadata_json: String,
    /// Names what matters for its security.
    pub security_hash: [u8; 32],
    /// When.
    pub created_at: Timestamp,
}

/// A client as it is stored.
#[derive(Debug, Clone)]
pub struct StoredClient {
    /// Its id.
    pub client_id: String,
    /// How it became known.
    pub kind: ClientKind,
    /// The name that packages and the audit log carry.
    pub handle: ClientName,
    /// What it said about itself.
    pub metadata_json: String,
    /// Names what matters for its security.
    pub security_hash: [u8; 32],
    /// When it became known.
    pub created_at: Timestamp,
    /// When the owner first approved something for it.
    pub approved_at: Option<Timestamp>,
}

/// Clients by their id.
#[async_trait]
pub trait OauthClientStore: Send + Sync {
    /// Keeps a client. When `most_unapproved` clients of its kind already wait for a first approval,
    /// the oldest of them makes room, one that has asked for nothing before all others. A taken id
    /// or handle is a `Conflict`.
    async fn add_client(&self, client: NewClient, most_unapproved: u64) -> StoreResult<()>;

    /// The client of this id.
    async fn find_client(&self, client_id: &str) -> StoreResult<Option<StoredClient>>;

    /// The client whose packages carry this name.
    async fn find_client_by_handle(&self, handle: &ClientName)
    -> StoreResult<Option<StoredClient>>;

    /// Replaces what a client says about itself; its id and handle stay.
    async fn update_client(
        &self,
        client_id: &str,
        metadata_json: String,
        security_hash: [u8; 32],
    ) -> StoreResult<()>;

    /// Deletes clients that were never approved since `unapproved_since` or not used since
    /// `unused_since`, with their requests; a client with a package that is not revoked stays. Says
    /// how many went.
    async fn collect_clients(
        &self,
        unapproved_since: Timestamp,
        unused_since: Timestamp,
    ) -> StoreResult<u64>;
}
