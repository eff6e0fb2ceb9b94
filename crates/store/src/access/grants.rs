//! Packages and grants: what was issued to whom, word for word, and whether it was ended.

use async_trait::async_trait;
use jiff::Timestamp;
use pdpp_contract::{AccessMode, ClientName, ConnectionId, GrantId, PackageId};

use crate::access::tokens::NewToken;
use crate::error::StoreResult;
use pdpp_contract::access::{AuditEvent, GrantSelector, Revocation};

/// A package to keep: everything that one token opens.
#[derive(Debug, Clone)]
pub struct NewPackage {
    /// Its id.
    pub package_id: PackageId,
    /// The agent it is for.
    pub client: ClientName,
    /// Once, or again and again.
    pub access_mode: AccessMode,
    /// When it was issued.
    pub created_at: Timestamp,
    /// The first instant at which it is dead; `None` lives until it is revoked.
    pub expires_at: Option<Timestamp>,
    /// Its grants, at most one for each connection.
    pub grants: Vec<NewGrant>,
    /// The token that opens it; none when tokens come later, by signing in.
    pub token: Option<NewToken>,
}

/// A grant to keep.
#[derive(Debug, Clone)]
pub struct NewGrant {
    /// Its id.
    pub grant_id: GrantId,
    /// The connection it opens.
    pub connection_id: ConnectionId,
    /// The grant as JSON, kept and returned as it is.
    pub grant_json: String,
}

/// A package as it is stored, live or not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredPackage {
    /// Its id.
    pub package_id: PackageId,
    /// The agent it is for.
    pub client: ClientName,
    /// Once, or again and again.
    pub access_mode: AccessMode,
    /// When it was issued.
    pub created_at: Timestamp,
    /// The first instant at which it is dead.
    pub expires_at: Option<Timestamp>,
    /// When it was ended.
    pub revoked_at: Option<Timestamp>,
    /// When one of its tokens was last presented, to about a minute.
    pub last_used_at: Option<Timestamp>,
    /// Its grants in the order they were issued, ended ones too.
    pub grants: Vec<StoredGrant>,
}

/// A grant as it is stored, live or not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredGrant {
    /// Its id.
    pub grant_id: GrantId,
    /// The connection it opens, or opened: that connection may be gone.
    pub connection_id: ConnectionId,
    /// When it was ended.
    pub revoked_at: Option<Timestamp>,
    /// The grant as it was issued. After its connection was removed, lists of records are empty.
    pub grant_json: String,
}

/// Packages and their grants.
///
/// A store judges no grant: it returns ended and expired ones too, and the caller compares the
/// times. Every change is kept together with its audit event, or not at all.
#[async_trait]
pub trait GrantStore: Send + Sync {
    /// Keeps a package with its grants, its token and its audit event, in one step.
    ///
    /// An id or token that is already kept, and two grants for one connection, are a `Conflict`;
    /// so is a connection that was removed in the meantime.
    async fn issue_package(&self, package: NewPackage, event: AuditEvent) -> StoreResult<()>;

    /// Every package, in the order they were issued. For the owner.
    async fn list_packages(&self) -> StoreResult<Vec<StoredPackage>>;

    /// The packages that hold something the selector names, whole, in the order they were issued.
    async fn find_packages(&self, what: &GrantSelector) -> StoreResult<Vec<StoredPackage>>;

    /// Ends what the selector names, at the event's time, and every package left without a live
    /// grant.
    ///
    /// `None` when nothing goes by that name. What was ended before stays as it was and is not
    /// named again. What had merely expired does end. One event is kept for each package that lost
    /// something, completed with the package and the connections that ended; for the others none.
    /// When it returns, every later look at the token sees it.
    async fn revoke_grants(
        &self,
        what: &GrantSelector,
        event: AuditEvent,
    ) -> StoreResult<Option<Revocation>>;
}
