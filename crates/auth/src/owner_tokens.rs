//! Owner tokens: for the owner routes of `/v1` or for the metrics, never for an agent.

use jiff::Timestamp;
use pdpp_contract::access::{AuditEvent, OwnerTokenKind, TokenFingerprint, TokenKind};
use pdpp_contract::ids::DisplayName;
use pdpp_store::tokens::NewToken;

use crate::Auth;
use crate::access::OwnerAccess;
use crate::error::{AuthError, NamedKind};
use crate::lifetime::Lifetime;
use crate::packages::Standing;
use crate::token::AccessToken;

/// An owner's token that was just made, with its only copy.
#[derive(Debug)]
pub struct IssuedOwnerToken {
    /// What it is revoked by.
    pub fingerprint: TokenFingerprint,
    /// The token.
    pub access_token: AccessToken,
    /// The first instant at which it is dead.
    pub expires_at: Timestamp,
}

/// An owner's token as it is listed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnerTokenSummary {
    /// What it is revoked by.
    pub fingerprint: TokenFingerprint,
    /// What it opens: the owner routes, or the metrics.
    pub kind: TokenKind,
    /// What the owner calls it.
    pub label: Option<DisplayName>,
    /// Whether it still opens anything.
    pub standing: Standing,
    /// When it was made.
    pub created_at: Timestamp,
    /// The first instant at which it is dead.
    pub expires_at: Option<Timestamp>,
    /// When it was ended.
    pub revoked_at: Option<Timestamp>,
    /// When it was last presented, to about a minute.
    pub last_used_at: Option<Timestamp>,
}

impl Auth {
    /// Makes an owner's token. It lives 90 days unless `expires_in` says otherwise.
    pub async fn create_owner_token(
        &self,
        owner: &OwnerAccess,
        label: Option<DisplayName>,
        expires_in: Option<Lifetime>,
    ) -> Result<IssuedOwnerToken, AuthError> {
        self.create_token_of(OwnerTokenKind::Everything, owner, label, expires_in).await
    }

    /// Makes a token for a monitor: it opens the metrics and nothing else. It lives as long as an
    /// owner's token.
    pub async fn create_metrics_token(
        &self,
        owner: &OwnerAccess,
        label: Option<DisplayName>,
        expires_in: Option<Lifetime>,
    ) -> Result<IssuedOwnerToken, AuthError> {
        self.create_token_of(OwnerTokenKind::Metrics, owner, label, expires_in).await
    }

    async fn create_token_of(
        &self,
        kind: OwnerTokenKind,
        owner: &OwnerAccess,
        label: Option<DisplayName>,
        expires_in: Option<Lifetime>,
    ) -> Result<IssuedOwnerToken, AuthError> {
        let now = self.clock.now();
        let end = expires_in.unwrap_or(Lifetime::OWNER_TOKEN).end(now);
        let expires_at = end.ok_or(AuthError::NoSuchEnd)?;
        let access_token = AccessToken::mint(kind.into(), &*self.entropy);
        let hash = access_token.hash();
        let new = NewToken { hash, label, created_at: now, expires_at: Some(expires_at) };
        let event = self.owner_event(owner, "owner_token_create");
        self.store.add_owner_token(kind, new, event).await?;
        Ok(IssuedOwnerToken { fingerprint: hash.fingerprint(), access_token, expires_at })
    }

    /// Every owner's token, the oldest first.
    pub async fn owner_tokens(
        &self,
        _owner: &OwnerAccess,
    ) -> Result<Vec<OwnerTokenSummary>, AuthError> {
        let now = self.clock.now();
        let tokens = self.store.owner_tokens().await?;
        let summary = |token: pdpp_store::tokens::StoredToken| OwnerTokenSummary {
            standing: Standing::at(now, token.revoked_at, token.expires_at),
            fingerprint: token.fingerprint,
            kind: token.kind,
            label: token.label,
            created_at: token.created_at,
            expires_at: token.expires_at,
            revoked_at: token.revoked_at,
            last_used_at: token.last_used_at,
        };
        Ok(tokens.into_iter().map(summary).collect())
    }

    /// Ends the owner's tokens whose fingerprint or label is `what`, and says how many ended now.
    /// Ending them again is no error and ends none.
    pub async fn revoke_owner_token(
        &self,
        owner: &OwnerAccess,
        what: &str,
    ) -> Result<u64, AuthError> {
        let event = self.owner_event(owner, "owner_token_revoke");
        let ended = self.store.revoke_owner_tokens(what, event).await?;
        ended.ok_or_else(|| AuthError::NothingMatches {
            what: what.to_owned(),
            kind: NamedKind::OwnerToken,
        })
    }

    pub(crate) fn owner_event(&self, owner: &OwnerAccess, operation: &'static str) -> AuditEvent {
        let mut event = AuditEvent::by_owner(self.clock.now(), operation);
        event.token_fingerprint = owner.fingerprint().cloned();
        event
    }
}
