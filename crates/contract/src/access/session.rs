//! Browsers in which the owner is signed in.

use jiff::Timestamp;

use super::tokens::TokenFingerprint;

/// A session as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredSession {
    /// Its public name.
    pub fingerprint: TokenFingerprint,
    /// What the browser calls itself.
    pub device: String,
    /// When it began.
    pub created_at: Timestamp,
    /// When the owner last gave the password in it.
    pub authenticated_at: Timestamp,
    /// When it was last used, to about a minute.
    pub last_seen_at: Timestamp,
}
