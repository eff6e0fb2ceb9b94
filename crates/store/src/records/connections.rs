//! Connections: the configured accounts a store keeps records for, and their declarations.

use async_trait::async_trait;
use jiff::Timestamp;
use pdpp_contract::ids::DisplayName;
use pdpp_contract::{ConnectionId, ConnectionName, ConnectorKey, SourceDeclaration, StreamName};

use crate::error::StoreResult;

/// A connection as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Connection {
    /// The public id.
    pub id: ConnectionId,
    /// The owner's short name.
    pub name: ConnectionName,
    /// The owner's label.
    pub display_name: Option<DisplayName>,
    /// The kind of source.
    pub connector_key: ConnectorKey,
    /// Which declaration its records follow: a digest that names immutable content.
    pub declaration: DeclarationDigest,
    /// When it was created.
    pub created_at: Timestamp,
    /// Its streams, by name.
    pub streams: Vec<StoredStream>,
}

/// One stream of a connection, with numbers the owner may see.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredStream {
    /// The stream.
    pub name: StreamName,
    /// Records in it now.
    pub record_count: u64,
}

/// Names one declaration by its content.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DeclarationDigest(pub [u8; 32]);

/// A connection to create, or to find again by its name.
#[derive(Debug, Clone)]
pub struct NewConnection {
    /// The id to use if the connection does not exist yet.
    pub id: ConnectionId,
    /// The owner's short name.
    pub name: ConnectionName,
    /// The owner's label; `None` leaves an existing one as it is.
    pub display_name: Option<DisplayName>,
    /// What its records look like.
    pub declaration: SourceDeclaration,
    /// When this happens.
    pub now: Timestamp,
}

/// How to name a connection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ConnectionRef {
    /// By public id.
    Id(ConnectionId),
    /// By the owner's short name.
    Name(ConnectionName),
}

/// What a removal took away.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Erased {
    /// The connection that is gone.
    pub id: ConnectionId,
    /// Its short name, free again.
    pub name: ConnectionName,
    /// Records that were erased.
    pub records: u64,
    /// Long texts that were erased.
    pub texts: u64,
    /// Blobs that only its records referred to.
    pub blobs: u64,
    /// Grants that ended because they covered only this connection.
    pub grants: u64,
}

/// Which connections exist and what they declare: what a grant is resolved against.
#[async_trait]
pub trait ConnectionDirectory: Send + Sync {
    /// The connection, if it exists.
    async fn find_connection(&self, which: &ConnectionRef) -> StoreResult<Option<Connection>>;

    /// The declaration's JSON, if the store holds it.
    async fn declaration(&self, digest: DeclarationDigest) -> StoreResult<Option<String>>;
}

/// Connections and their declarations.
#[async_trait]
pub trait ConnectionStore: Send + Sync {
    /// Creates the connection, or finds it by name and brings its declaration up to date.
    ///
    /// A new declaration of the same kind of source re-derives the typed copies of existing records
    /// in the same step. A name that belongs to another kind of source is a `Conflict`; a stream that
    /// would get more than `MAX_TYPED_FIELDS` typed fields is `TooWide`, one that has them keeps them.
    async fn ensure_connection(&self, new: NewConnection) -> StoreResult<Connection>;

    /// The connections among `ids` that exist, in the order of their ids. Never lists others.
    async fn connections(&self, ids: &[ConnectionId]) -> StoreResult<Vec<Connection>>;

    /// Every connection, by name. For the owner.
    async fn list_connections(&self) -> StoreResult<Vec<Connection>>;

    /// Changes the owner's label. `false` when there is no such connection.
    async fn rename_connection(
        &self,
        id: &ConnectionId,
        display_name: Option<DisplayName>,
    ) -> StoreResult<bool>;

    /// Erases a connection with all its records, texts, versions and grants. `None` when there is
    /// no such connection. When it returns, no file of the store holds the content any more.
    async fn remove_connection(
        &self,
        id: &ConnectionId,
        now: Timestamp,
    ) -> StoreResult<Option<Erased>>;
}
