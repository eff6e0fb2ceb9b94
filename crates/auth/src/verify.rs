//! From a bearer token to a caller. Every call looks the token up, so a revocation is immediate.

use std::sync::Arc;

use jiff::Timestamp;
use pdpp_contract::access::{Resource, TokenKind};
use pdpp_contract::{Grant, Instant};
use pdpp_store::grants::{StoredGrant, StoredPackage};
use pdpp_store::tokens::{StoredAccess, StoredToken, TokenHash};

use crate::Auth;
use crate::access::{Caller, GrantAccess, OwnerAccess};
use crate::error::AuthError;
use crate::packages::Standing;
use crate::refused::RefusedCall;
use crate::token::Presented;

impl Auth {
    /// Who presents this token, and what it opens now.
    ///
    /// What cannot be a token is refused without asking the store. The prefix may only deny; the
    /// stored row decides.
    pub async fn verify(&self, bearer: &str) -> Result<Caller, AuthError> {
        self.verify_call(bearer).await.map_err(|refused| refused.error)
    }

    /// The same for whoever only wants to know whether a token is good: it does not count as a use.
    pub async fn look_at(&self, bearer: &str) -> Result<Caller, AuthError> {
        let presented = Presented::parse(bearer).ok_or(AuthError::NoSuchToken)?;
        let access =
            self.store.find_access(&presented.hash).await?.ok_or(AuthError::NoSuchToken)?;
        judge(&access, presented.claims, self.clock.now())
    }

    /// The same for a door that keeps a log: a refusal comes with the event to record, if one is
    /// due.
    pub async fn verify_call(&self, bearer: &str) -> Result<Caller, RefusedCall> {
        self.verify_for(bearer, None).await
    }

    /// The same for one of the two doors: a token that was asked for at the other one is refused.
    pub async fn verify_call_at(
        &self,
        bearer: &str,
        resource: Resource,
    ) -> Result<Caller, RefusedCall> {
        self.verify_for(bearer, Some(resource)).await
    }

    async fn verify_for(
        &self,
        bearer: &str,
        resource: Option<Resource>,
    ) -> Result<Caller, RefusedCall> {
        let Some(presented) = Presented::parse(bearer) else {
            return Err(RefusedCall::unnoted(AuthError::NoSuchToken));
        };
        let found = self.store.find_access(&presented.hash).await;
        let Some(access) = found.map_err(|error| RefusedCall::unnoted(error.into()))? else {
            return Err(self.refused_call(AuthError::NoSuchToken, presented.hash, None));
        };
        let (now, last_used_at) = (self.clock.now(), access.token.last_used_at);
        let caller = judge(&access, presented.claims, now)
            .and_then(|caller| check_resource(&access.token, resource).map(|()| caller))
            .map_err(|error| self.refused_call(error, presented.hash, access.package.as_ref()))?;
        self.note_use(presented.hash, last_used_at, now);
        Ok(caller)
    }

    /// Whether a token opens the metrics: one of that kind does, and no other.
    pub async fn verify_metrics(&self, bearer: &str) -> Result<(), RefusedCall> {
        let Some(presented) = Presented::parse(bearer) else {
            return Err(RefusedCall::unnoted(AuthError::NoSuchToken));
        };
        let found = self.store.find_access(&presented.hash).await;
        let Some(access) = found.map_err(|error| RefusedCall::unnoted(error.into()))? else {
            return Err(self.refused_call(AuthError::NoSuchToken, presented.hash, None));
        };
        let (now, token) = (self.clock.now(), &access.token);
        let opens = match (token.kind, presented.claims) {
            (TokenKind::Metrics, TokenKind::Metrics) => check_token(token, now),
            (presented, _) => Err(AuthError::WrongKind { presented }),
        };
        opens.map_err(|error| self.refused_call(error, presented.hash, access.package.as_ref()))?;
        self.note_use(presented.hash, token.last_used_at, now);
        Ok(())
    }

    /// Off the request's path: a reader must not wait for a writer.
    fn note_use(&self, hash: TokenHash, last_used_at: Option<Timestamp>, now: Timestamp) {
        if !self.last_use.due(hash, last_used_at, now) {
            return;
        }
        let store = Arc::clone(&self.store);
        tokio::spawn(async move {
            if let Err(error) = store.touch_token(&hash, now).await {
                let token_fingerprint = hash.fingerprint();
                tracing::debug!(%token_fingerprint, "the use of a token was not noted: {error}");
            }
        });
    }
}

/// What a stored token opens now.
pub(crate) fn judge(
    access: &StoredAccess,
    claims: TokenKind,
    now: Timestamp,
) -> Result<Caller, AuthError> {
    let token = &access.token;
    if token.kind != claims {
        return Err(AuthError::WrongKind { presented: token.kind });
    }
    match (token.kind, &access.package) {
        (TokenKind::Owner, None) => {
            check_token(token, now)?;
            Ok(Caller::Owner(OwnerAccess::by_token(token.fingerprint.clone())))
        }
        (TokenKind::Client, Some(package)) => agent(token, package, now).map(Caller::Agent),
        // It opens the metrics, and nobody who is called a caller asks for those.
        (TokenKind::Metrics, None) => Err(AuthError::WrongKind { presented: token.kind }),
        (TokenKind::Owner | TokenKind::Metrics, Some(_)) | (TokenKind::Client, None) => {
            Err(AuthError::GrantInvalid)
        }
    }
}

pub(crate) fn check_resource(
    token: &StoredToken,
    asked: Option<Resource>,
) -> Result<(), AuthError> {
    match (token.resource, asked) {
        (Some(bound), Some(asked)) if bound != asked => Err(AuthError::WrongResource),
        _ => Ok(()),
    }
}

fn check_token(token: &StoredToken, now: Timestamp) -> Result<(), AuthError> {
    match Standing::at(now, token.revoked_at, token.expires_at) {
        Standing::Live => Ok(()),
        Standing::Expired => Err(AuthError::TokenExpired),
        Standing::Revoked => Err(AuthError::TokenRevoked),
    }
}

/// A dead package is named before a dead token: it says more, and a new token would not help.
fn agent(
    token: &StoredToken,
    package: &StoredPackage,
    now: Timestamp,
) -> Result<GrantAccess, AuthError> {
    match Standing::at(now, package.revoked_at, package.expires_at) {
        Standing::Live => check_token(token, now)?,
        Standing::Expired => return Err(AuthError::GrantExpired),
        Standing::Revoked => return Err(AuthError::GrantRevoked),
    }
    let grants = live_grants(package, now)?;
    let (client, package_id) = (package.client.clone(), package.package_id.clone());
    Ok(GrantAccess::new(client, package_id, token.fingerprint.clone(), grants))
}

/// The grants of a live package that open something now, at least one.
pub(crate) fn live_grants(
    package: &StoredPackage,
    now: Timestamp,
) -> Result<Vec<Grant>, AuthError> {
    let standing = |grant: &&StoredGrant| grant.revoked_at.is_none();
    let mut grants = Vec::new();
    for stored in package.grants.iter().filter(standing) {
        grants.push(read(stored, package)?);
    }
    if grants.is_empty() {
        return Err(AuthError::GrantRevoked);
    }
    grants.retain(|grant| !expired(grant, now));
    if grants.is_empty() {
        return Err(AuthError::GrantExpired);
    }
    Ok(grants)
}

/// Reads a grant and checks that it is the one its row says, for that agent and that connection.
/// One that is not makes the whole token useless: a part that is silently missing would mislead.
fn read(stored: &StoredGrant, package: &StoredPackage) -> Result<Grant, AuthError> {
    let grant: Grant =
        serde_json::from_str(&stored.grant_json).map_err(|_| AuthError::GrantInvalid)?;
    grant.check().map_err(|_| AuthError::GrantInvalid)?;
    let one_connection = std::slice::from_ref(&stored.connection_id);
    let belongs = grant.grant_id == stored.grant_id
        && grant.client.client_id == package.client.as_str()
        && grant.streams.iter().all(|stream| stream.connection_ids == one_connection);
    let dated = grant.expires_at.as_deref().is_none_or(|text| Instant::parse(text).is_some());
    if belongs && dated { Ok(grant) } else { Err(AuthError::GrantInvalid) }
}

fn expired(grant: &Grant, now: Timestamp) -> bool {
    let end = grant.expires_at.as_deref().and_then(Instant::parse);
    end.is_some_and(|end| end.timestamp() <= now)
}
