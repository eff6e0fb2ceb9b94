//! A refresh token becomes its successor. A token that was superseded before ends the sign-in,
//! unless it is the direct predecessor a moment ago: processes of one client collide.

use jiff::SignedDuration;
use pdpp_contract::access::{AuditWord, TokenKind};
use pdpp_store::oauth::{Rotation, StoredRefresh};
use pdpp_store::tokens::TokenHash;
use zeroize::Zeroizing;

use super::client_auth::ClientProof;
use super::error::OauthError;
use super::form::Form;
use super::issue::{check_live, new_access, new_refresh, seconds_until};
use super::seal;
use super::token_request::{TokenAnswer, check_resource};
use crate::token::{AccessToken, Secret, SecretKind};
use crate::{Auth, RefreshReuse};

/// How long a predecessor is answered with its successor.
const GRACE: SignedDuration = SignedDuration::from_secs(30);
const SUCCESSOR_PURPOSE: &str = "refresh successor v1";
/// How often a lost race is looked at again. Each loss means that somebody else won.
const TRIES: usize = 3;

const UNKNOWN: OauthError =
    OauthError::invalid_grant("the refresh token is not known, used up or ended; sign in again");

impl Auth {
    pub(super) async fn refresh_token(
        &self,
        form: &Form,
        issuer: &str,
        proof: ClientProof,
    ) -> Result<TokenAnswer, OauthError> {
        let text = form.need("refresh_token", "refresh_token is missing")?;
        if !Secret::has_form(SecretKind::Refresh, text) {
            return Err(UNKNOWN);
        }
        for _ in 0..TRIES {
            let found = self.store.find_refresh(&TokenHash::of(text)).await?;
            let refresh = found.ok_or(UNKNOWN)?;
            self.check_refresh(&refresh, &proof)?;
            check_resource(form, issuer, refresh.family.resource)?;
            let answer = if refresh.superseded_at.is_none() {
                self.rotate(text, &refresh).await?
            } else {
                self.coalesce(text, &refresh).await?
            };
            if let Some(answer) = answer {
                return Ok(answer);
            }
        }
        Err(UNKNOWN)
    }

    async fn refresh_reuse(&self) -> Result<RefreshReuse, OauthError> {
        Ok(self.oauth_settings().await?.refresh_reuse)
    }

    fn check_refresh(
        &self,
        refresh: &StoredRefresh,
        proof: &ClientProof,
    ) -> Result<(), OauthError> {
        let (family, now) = (&refresh.family, self.clock.now());
        let same_client = family.client.client_id == proof.client.client_id;
        let lives =
            family.revoked_at.is_none() && family.expires_at > now && refresh.expires_at > now;
        // Whoever proved a key once must prove it again; whoever changed theirs must ask again.
        let same_key =
            (!family.by_key || proof.by_key) && family.security_hash == proof.client.security_hash;
        if !(same_client && lives && same_key) {
            return Err(UNKNOWN);
        }
        check_live(&family.package, now)
    }

    /// `None` when somebody else was faster.
    async fn rotate(
        &self,
        text: &str,
        refresh: &StoredRefresh,
    ) -> Result<Option<TokenAnswer>, OauthError> {
        let (family, now) = (&refresh.family, self.clock.now());
        let successor = Secret::mint(SecretKind::Refresh, &*self.entropy);
        let access = AccessToken::mint(TokenKind::Client, &*self.entropy);
        let sealed = match self.refresh_reuse().await? {
            RefreshReuse::Strict => None,
            RefreshReuse::Coalesce => {
                seal::seal(SUCCESSOR_PURPOSE, &[text.as_bytes()], successor.reveal())
            }
        };
        let rotation = Rotation {
            refresh: new_refresh(successor.reveal(), family.expires_at, now),
            sealed,
            access: new_access(&access, &family.package, now),
        };
        let mut event =
            self.client_event(&family.client.handle, "token_refreshed", Some(&family.package));
        event.token_fingerprint = Some(access.hash().fingerprint());
        let rotated = self.store.rotate_refresh(&TokenHash::of(text), rotation, event).await?;
        Ok(rotated.then(|| self.answer(access, successor.into_text(), refresh)))
    }

    /// The same successor again, with an access token of its own; or the end of the sign-in.
    /// `None` when the successor was used meanwhile.
    async fn coalesce(
        &self,
        text: &str,
        refresh: &StoredRefresh,
    ) -> Result<Option<TokenAnswer>, OauthError> {
        let (family, now) = (&refresh.family, self.clock.now());
        let recent = refresh.superseded_at.is_some_and(|at| now.duration_since(at) < GRACE);
        let tolerated = self.refresh_reuse().await? == RefreshReuse::Coalesce
            && recent
            && refresh.successor_unused;
        let sealed = refresh.successor_sealed.as_deref().filter(|_| tolerated);
        let successor =
            sealed.and_then(|sealed| seal::open(SUCCESSOR_PURPOSE, &[text.as_bytes()], sealed));
        let Some(successor) = successor else {
            let event = self.replay_event(&family.client.handle, &family.package);
            let why = AuditWord::new("refresh_replay");
            self.store.revoke_family(family.family_no, why, event).await?;
            return Err(UNKNOWN);
        };
        let access = AccessToken::mint(TokenKind::Client, &*self.entropy);
        let new = new_access(&access, &family.package, now);
        let mut event =
            self.client_event(&family.client.handle, "token_refreshed", Some(&family.package));
        event.token_fingerprint = Some(access.hash().fingerprint());
        let kept = self.store.reissue_access(&TokenHash::of(text), new, event).await?;
        Ok(kept.then(|| self.answer(access, Zeroizing::new(successor), refresh)))
    }

    fn answer(
        &self,
        access_token: AccessToken,
        successor: Zeroizing<String>,
        refresh: &StoredRefresh,
    ) -> TokenAnswer {
        let (family, now) = (&refresh.family, self.clock.now());
        TokenAnswer {
            expires_in: seconds_until(
                new_access(&access_token, &family.package, now).expires_at,
                now,
            ),
            access_token,
            scope: family.scope.clone(),
            refresh_token: Some(successor),
            package_id: family.package.package_id.clone(),
            details: None,
        }
    }
}
