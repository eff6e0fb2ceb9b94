//! Tokens: what a bearer presents, kept as a hash, and what stands behind it.

use async_trait::async_trait;
use jiff::Timestamp;
use pdpp_contract::PackageId;
use pdpp_contract::ids::DisplayName;
use sha2::{Digest, Sha256};

use crate::access::grants::StoredPackage;
use crate::error::StoreResult;
use pdpp_contract::access::{AuditEvent, OwnerTokenKind, Resource, TokenFingerprint, TokenKind};

/// The SHA-256 of a token: enough to recognise it, useless to present.
///
/// A token is random over 256 bits, so a plain hash needs no salt and no slowness, and finding it
/// by its hash compares no secret byte by byte.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TokenHash([u8; 32]);

impl TokenHash {
    /// The hash of a token as it is presented.
    pub fn of(token: &str) -> Self {
        Self(Sha256::digest(token.as_bytes()).into())
    }

    /// The token's public name: a hash of the hash, so that it leads to neither.
    pub fn fingerprint(&self) -> TokenFingerprint {
        TokenFingerprint::of_digest(&Sha256::digest(self.0).into())
    }

    /// A hash as a backend keeps it.
    pub(crate) fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// The bytes a backend keeps.
    pub(crate) fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl std::fmt::Debug for TokenHash {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("TokenHash(…)")
    }
}

/// A token to keep.
#[derive(Debug, Clone)]
pub struct NewToken {
    /// What it is recognised by.
    pub hash: TokenHash,
    /// What the owner calls it.
    pub label: Option<DisplayName>,
    /// When it was made.
    pub created_at: Timestamp,
    /// The first instant at which it is dead; `None` lives until it is revoked.
    pub expires_at: Option<Timestamp>,
}

/// A token as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredToken {
    /// Its public name.
    pub fingerprint: TokenFingerprint,
    /// Whose it is. This decides, whatever the token looked like.
    pub kind: TokenKind,
    /// The package it opens; always there for a client's token, never for an owner's.
    pub package_id: Option<PackageId>,
    /// What the owner calls it.
    pub label: Option<DisplayName>,
    /// When it was made.
    pub created_at: Timestamp,
    /// The first instant at which it is dead.
    pub expires_at: Option<Timestamp>,
    /// When the owner ended it.
    pub revoked_at: Option<Timestamp>,
    /// When it was last presented, to about a minute.
    pub last_used_at: Option<Timestamp>,
    /// The one resource it is good for; `None` is good for all.
    pub resource: Option<Resource>,
}

/// A token with what stands behind it, both from one moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredAccess {
    /// The token.
    pub token: StoredToken,
    /// Its package, live or not, with all its grants; `None` for an owner's token.
    pub package: Option<StoredPackage>,
}

/// Tokens by their hash.
///
/// Tokens of agents are issued with their package: see [`crate::grants::GrantStore`]. A store
/// judges no token: it returns expired and revoked ones too, and the caller compares the times.
#[async_trait]
pub trait TokenStore: Send + Sync {
    /// The token and what stands behind it; `None` for a hash that is not kept.
    ///
    /// Every call looks, so a revocation that has returned is seen by every later call.
    async fn find_access(&self, hash: &TokenHash) -> StoreResult<Option<StoredAccess>>;

    /// Notes that a token was presented. Keeps the later time when two calls race; an unknown hash
    /// changes nothing.
    async fn touch_token(&self, hash: &TokenHash, now: Timestamp) -> StoreResult<()>;

    /// Keeps an owner's token together with its audit event. A hash or fingerprint that is already
    /// kept is a `Conflict`.
    async fn add_owner_token(
        &self,
        kind: OwnerTokenKind,
        token: NewToken,
        event: AuditEvent,
    ) -> StoreResult<()>;

    /// Every owner's token of either kind, the oldest first, dead ones too.
    async fn owner_tokens(&self) -> StoreResult<Vec<StoredToken>>;

    /// Ends the owner's tokens whose fingerprint or label is `what`, at the event's time.
    ///
    /// `None` when no owner's token is called that, else how many ended now: none of them when they
    /// were all revoked before, and then no event is kept. Never touches an agent's token.
    async fn revoke_owner_tokens(&self, what: &str, event: AuditEvent) -> StoreResult<Option<u64>>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hash_shows_nothing_of_itself() {
        let hash = TokenHash::of("a token");
        assert_eq!(format!("{hash:?}"), "TokenHash(…)");
        let (start, _) = hash.as_bytes().split_first_chunk::<6>().unwrap();
        assert_ne!(hash.fingerprint().as_str(), pdpp_contract::hex(start));
    }

    #[test]
    fn a_fingerprint_survives_being_written_down() {
        let fingerprint = TokenHash::of("a token").fingerprint();
        assert_eq!(TokenFingerprint::parse(fingerprint.as_str()), Some(fingerprint));
        for bad in ["", "0123456789a", "0123456789AB", "0123456789abc", "é23456789ab"] {
            assert_eq!(TokenFingerprint::parse(bad), None, "{bad:?}");
        }
    }
}
