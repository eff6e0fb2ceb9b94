//! Browsers in which the owner is signed in, each known by the hash of its cookie.

use async_trait::async_trait;
use jiff::Timestamp;

use crate::access::tokens::TokenHash;
use crate::error::StoreResult;
use pdpp_contract::access::{AuditEvent, StoredSession};

/// A browser that just signed in.
#[derive(Debug, Clone)]
pub struct NewSession {
    /// What it is recognised by.
    pub hash: TokenHash,
    /// What the browser calls itself, shortened.
    pub device: String,
    /// The session that this one takes the place of.
    pub replaces: Option<TokenHash>,
    /// Sessions that began before are over and are forgotten.
    pub forget_before: Timestamp,
    /// Names that guessed wrong and are forgiven now.
    pub forgive: Vec<String>,
}

/// Sessions by their hash. A store judges none: it returns old ones too.
#[async_trait]
pub trait SessionStore: Send + Sync {
    /// Keeps a session that begins at the event's time, with that event, and ends the one it
    /// replaces.
    async fn start_session(&self, new: NewSession, event: AuditEvent) -> StoreResult<()>;

    /// The session; `None` for a hash that is not kept.
    async fn find_session(&self, hash: &TokenHash) -> StoreResult<Option<StoredSession>>;

    /// Notes that a session was used. Keeps the later time; an unknown hash changes nothing.
    async fn touch_session(&self, hash: &TokenHash, now: Timestamp) -> StoreResult<()>;

    /// Ends a session, with the event. `false`, and no event, when it is not kept.
    async fn end_session(&self, hash: &TokenHash, event: AuditEvent) -> StoreResult<bool>;

    /// Ends every session but this one and says how many; no event when there was none.
    async fn end_other_sessions(&self, keep: &TokenHash, event: AuditEvent) -> StoreResult<u64>;

    /// Every session, the newest first.
    async fn sessions(&self) -> StoreResult<Vec<StoredSession>>;
}
