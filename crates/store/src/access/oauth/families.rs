//! Families: the tokens of one sign-in, where each refresh token has one successor.

use async_trait::async_trait;
use jiff::Timestamp;

use super::StoredClient;
use crate::access::grants::StoredPackage;
use crate::access::tokens::{NewToken, TokenHash};
use crate::error::StoreResult;
use pdpp_contract::access::{AuditEvent, AuditWord, Resource};

/// A family to begin.
#[derive(Debug, Clone)]
pub struct NewFamily {
    /// Names what matters for the client's security at sign-in.
    pub security_hash: [u8; 32],
    /// Whether the client proved a key.
    pub by_key: bool,
    /// The last instant at which any refresh token of it can live.
    pub expires_at: Timestamp,
}

/// A refresh token to keep.
#[derive(Debug, Clone)]
pub struct NewRefresh {
    /// What it is recognised by.
    pub hash: TokenHash,
    /// When it was made.
    pub created_at: Timestamp,
    /// The first instant at which it is dead.
    pub expires_at: Timestamp,
}

/// What a redeemed code or device brings into being.
#[derive(Debug, Clone)]
pub struct TokenIssue {
    /// The family.
    pub family: NewFamily,
    /// Its first refresh token; none for a single use.
    pub refresh: Option<NewRefresh>,
    /// Its first access token.
    pub access: NewToken,
}

/// What a refresh brings into being.
#[derive(Debug, Clone)]
pub struct Rotation {
    /// The successor.
    pub refresh: NewRefresh,
    /// The successor, sealed for whoever holds the predecessor.
    pub sealed: Option<Vec<u8>>,
    /// The new access token.
    pub access: NewToken,
}

/// A family as it is stored.
#[derive(Debug, Clone)]
pub struct StoredFamily {
    /// Its number.
    pub family_no: i64,
    /// What its tokens are good for.
    pub resource: Resource,
    /// What was asked for.
    pub scope: String,
    /// Names what mattered for the client's security at sign-in.
    pub security_hash: [u8; 32],
    /// Whether the client proved a key.
    pub by_key: bool,
    /// The first instant at which it is dead.
    pub expires_at: Timestamp,
    /// When it was ended.
    pub revoked_at: Option<Timestamp>,
    /// Its client.
    pub client: StoredClient,
    /// What it opens.
    pub package: StoredPackage,
}

/// A refresh token with everything that decides about it, from one moment.
#[derive(Debug, Clone)]
pub struct StoredRefresh {
    /// Its family.
    pub family: StoredFamily,
    /// Its place in the line.
    pub generation: i64,
    /// The first instant at which it is dead.
    pub expires_at: Timestamp,
    /// When its successor was made.
    pub superseded_at: Option<Timestamp>,
    /// The successor, sealed.
    pub successor_sealed: Option<Vec<u8>>,
    /// Whether the direct successor is still the active one.
    pub successor_unused: bool,
}

/// Families and their tokens. Every change is kept together with its audit event, or not at all.
#[async_trait]
pub trait OauthFamilyStore: Send + Sync {
    /// The refresh token of this hash.
    async fn find_refresh(&self, hash: &TokenHash) -> StoreResult<Option<StoredRefresh>>;

    /// The family of a request that was redeemed.
    async fn find_family(&self, family_no: i64) -> StoreResult<Option<StoredFamily>>;

    /// The family to which an access token belongs; `None` for one of the command line.
    async fn family_of_access(&self, hash: &TokenHash) -> StoreResult<Option<StoredFamily>>;

    /// Supersedes an active refresh token of a live family and keeps its successor and an access
    /// token. `false`, and nothing is kept, when it is not active any more: of two callers that
    /// race, one is told `true`.
    async fn rotate_refresh(
        &self,
        hash: &TokenHash,
        rotation: Rotation,
        event: AuditEvent,
    ) -> StoreResult<bool>;

    /// Keeps another access token beside the one a rotation made, while that rotation's successor
    /// is active and the family lives; else `false`.
    async fn reissue_access(
        &self,
        superseded: &TokenHash,
        access: NewToken,
        event: AuditEvent,
    ) -> StoreResult<bool>;

    /// Ends a family with all its tokens. `false` when it had ended before; then no event is kept.
    async fn revoke_family(
        &self,
        family_no: i64,
        why: AuditWord,
        event: AuditEvent,
    ) -> StoreResult<bool>;

    /// Ends one access token of an agent. `false` when it had ended before or is not an agent's.
    async fn revoke_access(&self, hash: &TokenHash, event: AuditEvent) -> StoreResult<bool>;
}
