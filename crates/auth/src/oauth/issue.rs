//! Fresh tokens for an approved request, and how long they live.

use jiff::{SignedDuration, Timestamp};
use pdpp_contract::AccessMode;
use pdpp_contract::access::TokenKind;
use pdpp_store::grants::StoredPackage;
use pdpp_store::oauth::{NewFamily, NewRefresh, StoredRequest, TokenIssue};
use pdpp_store::tokens::{NewToken, TokenHash};

use super::client_auth::ClientProof;
use super::error::OauthError;
use super::token_request::TokenAnswer;
use crate::Auth;
use crate::packages::Standing;
use crate::token::{AccessToken, Secret, SecretKind};

/// How long an access token lives. Ending it does not wait for this: every call looks it up.
const ACCESS: SignedDuration = SignedDuration::from_hours(1);
/// How long a refresh token lives unused, and a sign-in at the longest.
const REFRESH_IDLE: SignedDuration = SignedDuration::from_hours(30 * 24);
const SIGN_IN: SignedDuration = SignedDuration::from_hours(365 * 24);

const ENDED: OauthError =
    OauthError::invalid_grant("the access this stands for has ended; sign in again");

impl Auth {
    /// Issues the first tokens of an approved request; `None` when that was done before.
    pub(super) async fn redeem(
        &self,
        request: &StoredRequest,
        proof: &ClientProof,
    ) -> Result<Option<TokenAnswer>, OauthError> {
        let now = self.clock.now();
        let package = request.package.as_ref().ok_or(ENDED)?;
        check_live(package, now)?;
        let ends = earliest(now + SIGN_IN, package.expires_at);
        let family = NewFamily {
            security_hash: proof.client.security_hash,
            by_key: proof.by_key,
            expires_at: ends,
        };
        let single = package.access_mode == AccessMode::SingleUse;
        let access = AccessToken::mint(TokenKind::Client, &*self.entropy);
        let refresh = (!single).then(|| Secret::mint(SecretKind::Refresh, &*self.entropy));
        let new_access = new_access(&access, package, now);
        let expires_at = new_access.expires_at;
        let issue = TokenIssue {
            family,
            refresh: refresh.as_ref().map(|secret| new_refresh(secret.reveal(), ends, now)),
            access: new_access,
        };
        let mut event = self.client_event(&proof.client.handle, "token_issued", Some(package));
        event.token_fingerprint = Some(access.hash().fingerprint());
        if !self.store.redeem_request(&request.request_id, issue, event).await? {
            return Ok(None);
        }
        Ok(Some(TokenAnswer {
            access_token: access,
            expires_in: seconds_until(expires_at, now),
            scope: request.scope.clone(),
            refresh_token: refresh.map(Secret::into_text),
            package_id: package.package_id.clone(),
            details: request.details_json.as_ref().map(|_| super::introspect::details(package)),
        }))
    }
}

/// Refuses to go on with a package that opens nothing any more.
pub(super) fn check_live(package: &StoredPackage, now: Timestamp) -> Result<(), OauthError> {
    let live = Standing::at(now, package.revoked_at, package.expires_at) == Standing::Live;
    let some = package.grants.iter().any(|grant| grant.revoked_at.is_none());
    if live && some { Ok(()) } else { Err(ENDED) }
}

/// An access token to keep: an hour, or as long as a single use was given.
pub(super) fn new_access(token: &AccessToken, package: &StoredPackage, now: Timestamp) -> NewToken {
    let expires_at = match package.access_mode {
        AccessMode::Continuous => Some(earliest(now + ACCESS, package.expires_at)),
        AccessMode::SingleUse => package.expires_at,
    };
    NewToken { hash: token.hash(), label: None, created_at: now, expires_at }
}

/// A refresh token to keep.
pub(super) fn new_refresh(text: &str, family_ends: Timestamp, now: Timestamp) -> NewRefresh {
    let expires_at = earliest(now + REFRESH_IDLE, Some(family_ends));
    NewRefresh { hash: TokenHash::of(text), created_at: now, expires_at }
}

/// How long something lives from now, in seconds.
pub(super) fn seconds_until(end: Option<Timestamp>, now: Timestamp) -> i64 {
    end.map_or(ACCESS, |end| end.duration_since(now)).as_secs().max(0)
}

fn earliest(one: Timestamp, other: Option<Timestamp>) -> Timestamp {
    other.map_or(one, |other| one.min(other))
}
