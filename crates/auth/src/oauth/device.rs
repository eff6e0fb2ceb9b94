//! Signing in on another device: it shows a short code, the owner types it here and decides.

use jiff::SignedDuration;
use pdpp_contract::ports::Entropy;
use pdpp_store::oauth::{NewRequest, RequestKey, RequestStatus, StoredRequest};
use serde_json::{Value, json};
use zeroize::Zeroizing;

use super::client_auth::ClientProof;
use super::error::{OauthCode, OauthError};
use super::form::Form;
use super::pending::{RequestState, state};
use super::request::terms;
use super::seal::digest;
use super::token_request::TokenAnswer;
use crate::error::AuthError;
use crate::token::{Secret, SecretKind, hash_of};
use crate::{Auth, mint};

/// How long the owner may take, in seconds.
const SECONDS: i64 = 600;
/// How long a device waits between two questions, and how much longer when it does not.
const INTERVAL: i64 = 5;
/// Letters of a user code: no vowels, so no words, and none that looks like another.
const LETTERS: &[u8; 20] = b"BCDFGHJKLMNPQRSTVWXZ";
const LENGTH: usize = 8;

/// A device's first question.
#[derive(Debug)]
pub struct DeviceQuestion<'a> {
    /// The parameters.
    pub form: Form,
    /// This server as the device knows it.
    pub issuer: &'a str,
    /// From where it asks.
    pub from: Option<String>,
}

/// What a device shows and asks with.
pub struct DeviceAnswer {
    device_code: Zeroizing<String>,
    user_code: String,
    issuer: String,
}

impl DeviceAnswer {
    /// The answer on the wire.
    pub fn document(&self) -> Value {
        let page = format!("{}/device", self.issuer);
        json!({
            "device_code": self.device_code.as_str(),
            "user_code": self.user_code,
            "verification_uri": page,
            "verification_uri_complete": format!("{page}?user_code={}", self.user_code),
            "expires_in": SECONDS,
            "interval": INTERVAL,
        })
    }
}

impl Auth {
    /// Keeps a device's request.
    pub async fn begin_device(
        &self,
        question: DeviceQuestion<'_>,
    ) -> Result<DeviceAnswer, OauthError> {
        let DeviceQuestion { form, issuer, from } = question;
        let client = self.authenticate_client(&form, issuer).await?.client;
        let terms = terms(&form, issuer)?;
        let device = Secret::mint(SecretKind::Device, &*self.entropy);
        let user_code = user_code(&*self.entropy);
        let now = self.clock.now();
        let request = NewRequest {
            request_id: mint::id("areq_", &*self.entropy),
            client_id: client.client_id.clone(),
            redirect_uri: None,
            state: None,
            code_challenge: None,
            resource: terms.resource,
            scope: terms.scope,
            details_json: terms.details_json,
            issuer: issuer.to_owned(),
            requested_from: from,
            same_as: None,
            user_code_hash: user_code_hash(&user_code),
            device_hash: Some(device.hash()),
            poll_interval: INTERVAL,
            created_at: now,
            expires_at: now + SignedDuration::from_secs(SECONDS),
        };
        // Anybody can ask; the log says so when the owner knows the code.
        self.store.add_request(request, None).await?;
        let device_code = device.into_text();
        Ok(DeviceAnswer { device_code, user_code, issuer: issuer.to_owned() })
    }

    /// The request that shows this code, if it is open. Case, spaces and dashes do not matter.
    pub async fn find_device_request(&self, user_code: &str) -> Result<Option<String>, AuthError> {
        let Some(hash) = user_code_hash(user_code) else { return Ok(None) };
        let found = self.store.find_request(RequestKey::UserCode(hash)).await?;
        let now = self.clock.now();
        let open = found.filter(|request| state(request, now) == RequestState::Open);
        let Some(request) = open else { return Ok(None) };
        let event = self.request_event(&request.client.handle, &request.request_id);
        self.store.append_audit(vec![event]).await?;
        Ok(Some(request.request_id))
    }

    /// A device's question whether the owner has decided.
    pub(super) async fn device_token(
        &self,
        form: &Form,
        proof: ClientProof,
    ) -> Result<TokenAnswer, OauthError> {
        const UNKNOWN: OauthError =
            OauthError::invalid_grant("this device code is not known here; begin again");
        let code = form.need("device_code", "device_code is missing")?;
        if !Secret::has_form(SecretKind::Device, code) {
            return Err(UNKNOWN);
        }
        let found = self.store.find_request(RequestKey::Device(hash_of(code))).await?;
        let request = found.ok_or(UNKNOWN)?;
        if request.client.client_id != proof.client.client_id || request.redeemed_at.is_some() {
            return Err(UNKNOWN);
        }
        let expired = request.expires_at <= self.clock.now();
        match request.status {
            RequestStatus::Denied => {
                Err(OauthError::new(OauthCode::AccessDenied, "the owner said no"))
            }
            _ if expired => {
                Err(OauthError::new(OauthCode::ExpiredToken, "nobody decided in time; begin again"))
            }
            RequestStatus::Open => self.wait(&request).await,
            RequestStatus::Approved => self.redeem(&request, &proof).await?.ok_or(UNKNOWN),
        }
    }

    async fn wait(&self, request: &StoredRequest) -> Result<TokenAnswer, OauthError> {
        let now = self.clock.now();
        let pause = SignedDuration::from_secs(request.poll_interval);
        let hasty = request.polled_at.is_some_and(|at| now.duration_since(at) < pause);
        let interval = if hasty { request.poll_interval + INTERVAL } else { request.poll_interval };
        self.store.note_poll(&request.request_id, now, interval).await?;
        Err(if hasty {
            OauthError::new(OauthCode::SlowDown, "ask less often: five seconds longer each time")
        } else {
            OauthError::new(OauthCode::AuthorizationPending, "the owner has not decided yet")
        })
    }
}

/// Letters of equal chance: bytes beyond the last whole round are drawn again.
fn user_code(entropy: &dyn Entropy) -> String {
    let mut letters = String::with_capacity(LENGTH + 1);
    let mut random = [0_u8; 32];
    while letters.len() <= LENGTH {
        entropy.fill(&mut random);
        for byte in random.iter().filter(|byte| **byte < 240) {
            if letters.len() == LENGTH / 2 {
                letters.push('-');
            }
            let letter = LETTERS.get(usize::from(byte % 20)).copied().unwrap_or(b'B');
            if letters.len() <= LENGTH {
                letters.push(char::from(letter));
            }
        }
    }
    letters
}

/// The hash of a code as people type it; `None` for what cannot be one.
fn user_code_hash(typed: &str) -> Option<[u8; 32]> {
    let letters: String = typed.chars().filter(|c| !c.is_whitespace() && *c != '-').collect();
    let letters = letters.to_ascii_uppercase();
    let shaped = letters.len() == LENGTH && letters.bytes().all(|byte| LETTERS.contains(&byte));
    shaped.then(|| digest("user code v1", &[letters.as_bytes()]))
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Counting(std::sync::atomic::AtomicU8);

    impl Entropy for Counting {
        fn fill(&self, bytes: &mut [u8]) {
            for byte in bytes {
                *byte = self.0.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            }
        }
    }

    #[test]
    fn codes_are_two_groups_of_four_and_forgive_how_they_are_typed() {
        let entropy = Counting(std::sync::atomic::AtomicU8::new(0));
        let code = user_code(&entropy);
        assert_eq!(code, "BCDF-GHJK");
        assert_eq!(user_code(&entropy).len(), 9);
        let hash = user_code_hash(&code);
        assert!(hash.is_some());
        for typed in ["bcdfghjk", " BCDF GHJK ", "b-c-d-f-g-h-j-k"] {
            assert_eq!(user_code_hash(typed), hash, "{typed}");
        }
        for bad in ["", "BCDF-GHJ", "BCDF-GHJA", "BCDF-GHJKL"] {
            assert_eq!(user_code_hash(bad), None, "{bad}");
        }
    }
}
