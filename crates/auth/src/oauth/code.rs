//! A code becomes tokens, once. A second use ends what the first one began.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use pdpp_contract::access::AuditWord;
use pdpp_store::oauth::{RequestKey, StoredRequest};

use super::client_auth::ClientProof;
use super::error::OauthError;
use super::form::Form;
use super::token_request::{TokenAnswer, check_resource};
use crate::Auth;
use crate::token::{Secret, SecretKind, hash_of};

const UNKNOWN: OauthError =
    OauthError::invalid_grant("the code is not known, used up, too old, or somebody else's");

impl Auth {
    pub(super) async fn code_token(
        &self,
        form: &Form,
        issuer: &str,
        proof: ClientProof,
    ) -> Result<TokenAnswer, OauthError> {
        let code = form.need("code", "code is missing")?;
        if !Secret::has_form(SecretKind::Code, code) {
            return Err(UNKNOWN);
        }
        let found = self.store.find_request(RequestKey::Code(hash_of(code))).await?;
        let request = found.ok_or(UNKNOWN)?;
        if request.redeemed_at.is_some() {
            return Err(self.code_replayed(&request).await?);
        }
        if request.client.client_id != proof.client.client_id {
            return Err(UNKNOWN);
        }
        if request.code_expires_at.is_none_or(|end| end <= self.clock.now()) {
            return Err(UNKNOWN);
        }
        check_bound(form, &request)?;
        check_resource(form, issuer, request.resource)?;
        match self.redeem(&request, &proof).await? {
            Some(answer) => Ok(answer),
            // Two came with one code: nobody can tell which of them is the thief.
            None => {
                let again = self.store.find_request(RequestKey::Code(hash_of(code))).await?;
                Err(self.code_replayed(&again.ok_or(UNKNOWN)?).await?)
            }
        }
    }

    async fn code_replayed(&self, request: &StoredRequest) -> Result<OauthError, OauthError> {
        if let (Some(family_no), Some(package)) = (request.family_no, &request.package) {
            let event = self.replay_event(&request.client.handle, package);
            self.store.revoke_family(family_no, AuditWord::new("code_replay"), event).await?;
        }
        Ok(UNKNOWN)
    }
}

/// The code is good only for who asked: same address, and the key whose digest came first.
fn check_bound(form: &Form, request: &StoredRequest) -> Result<(), OauthError> {
    if form.get("redirect_uri") != request.redirect_uri.as_deref() {
        return Err(OauthError::invalid_grant("redirect_uri is not the one the code was sent to"));
    }
    let verifier = form.get("code_verifier").unwrap_or_default();
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    let shaped = (43..=128).contains(&verifier.len()) && verifier.bytes().all(plain);
    let challenge = URL_SAFE_NO_PAD.encode(hash_of(verifier));
    if !shaped || request.code_challenge.as_deref() != Some(challenge.as_str()) {
        return Err(OauthError::invalid_grant("code_verifier does not fit the code_challenge"));
    }
    Ok(())
}
