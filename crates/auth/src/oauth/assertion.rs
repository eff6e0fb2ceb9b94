//! `private_key_jwt`: a client proves a key by signing who it is, for us, now, once.

use jiff::{SignedDuration, Timestamp};
use pdpp_store::oauth::StoredClient;
use serde_json::Value;

use super::error::{OauthCode, OauthError};
use super::jws::Signed;
use super::metadata::ClientMetadata;
use super::published::MAX_KEYS_BYTES;
use super::seal::digest;
use crate::Auth;

/// The type of assertion this server takes.
pub(super) const ASSERTION_TYPE: &str = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
/// How far clocks may differ, and how long an assertion may live.
const SKEW_SECONDS: i64 = 60;
const LONGEST_SECONDS: i64 = 600;
/// Longest assertion that is looked at.
const MAX_BYTES: usize = 8_192;

const fn refused(description: &'static str) -> OauthError {
    OauthError::new(OauthCode::InvalidClient, description)
}

const BAD: OauthError = refused("the client assertion does not verify with the client's keys");

impl Auth {
    /// Believes an assertion, or says what is wrong with it. It is used up.
    pub(super) async fn verify_assertion(
        &self,
        assertion: &str,
        client: &StoredClient,
        metadata: &ClientMetadata,
        audiences: &[&str],
    ) -> Result<(), OauthError> {
        if assertion.len() > MAX_BYTES {
            return Err(BAD);
        }
        let signed = Signed::parse(assertion).ok_or(BAD)?;
        if !self.is_signed(&signed, metadata).await? {
            return Err(BAD);
        }
        let (client_id, now) = (client.client_id.as_str(), self.clock.now());
        let (jti, ends) = check_claims(&signed.claims, client_id, audiences, now)?;
        let hash = digest("client assertion v1", &[client_id.as_bytes(), jti.as_bytes()]);
        let kept_until =
            Timestamp::from_second(ends.saturating_add(SKEW_SECONDS)).map_err(|_| BAD)?;
        if self.store.spend_assertion(hash, kept_until).await? {
            Ok(())
        } else {
            Err(refused("the client assertion was used before; make a new one"))
        }
    }

    /// Keys may have changed since they were fetched: an unknown one is looked for once more.
    async fn is_signed(
        &self,
        signed: &Signed<'_>,
        metadata: &ClientMetadata,
    ) -> Result<bool, OauthError> {
        if let Some(keys) = &metadata.jwks {
            return Ok(signed.is_signed_by(keys));
        }
        let Some(url) = &metadata.jwks_uri else { return Ok(false) };
        if !super::published::is_document_address(url) {
            return Err(refused("jwks_uri is not an address that can be fetched"));
        }
        for anew in [false, true] {
            let body = self.fetched(url, MAX_KEYS_BYTES, anew).await?;
            let keys: Value = serde_json::from_str(&body).map_err(|_| BAD)?;
            if signed.is_signed_by(&keys) {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// Checks who says it, to whom, and when; answers its own id and its end.
fn check_claims<'a>(
    claims: &'a Value,
    client_id: &str,
    audiences: &[&str],
    now: Timestamp,
) -> Result<(&'a str, i64), OauthError> {
    let text = |name: &str| claims.get(name).and_then(Value::as_str);
    if text("iss") != Some(client_id) || text("sub") != Some(client_id) {
        return Err(refused("iss and sub of the client assertion must be the client_id"));
    }
    let ours = |audience: &Value| audience.as_str().is_some_and(|text| audiences.contains(&text));
    let for_us = match claims.get("aud") {
        Some(Value::Array(all)) => all.iter().any(ours),
        Some(one) => ours(one),
        None => false,
    };
    if !for_us {
        return Err(refused("aud of the client assertion must be this server's issuer"));
    }
    let seconds = |name: &str| claims.get(name).and_then(whole_seconds);
    let ends = seconds("exp").ok_or(refused("the client assertion has no exp"))?;
    let begins = seconds("iat").unwrap_or(now.as_second());
    let not_before = seconds("nbf").unwrap_or(begins);
    let soon = now.saturating_add(SignedDuration::from_secs(SKEW_SECONDS)).map_err(|_| BAD)?;
    let late = now.as_second().saturating_sub(SKEW_SECONDS);
    let lives = ends > late && begins <= soon.as_second() && not_before <= soon.as_second();
    if !lives || ends.saturating_sub(begins) > LONGEST_SECONDS {
        return Err(refused("the client assertion is not valid now, or lives over ten minutes"));
    }
    let jti = text("jti").filter(|jti| !jti.is_empty() && jti.len() <= 500);
    jti.map(|jti| (jti, ends)).ok_or(refused("the client assertion has no jti"))
}

fn whole_seconds(value: &Value) -> Option<i64> {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "seconds with a fraction are cut to whole ones"
    )]
    let cut = |seconds: f64| (seconds.abs() < 1e12).then_some(seconds as i64);
    value.as_i64().or_else(|| value.as_f64().and_then(cut))
}
