//! What a client says about itself, read from a registration or from its published document.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::address::WebAddress;
use super::cleaned::cleaned;
use super::error::{OauthCode, OauthError};
use super::redirect::{self, RedirectKind};
use super::seal::digest;
use super::{OFFLINE, SCOPE};

/// Most addresses that one client may register.
const MAX_REDIRECTS: usize = 10;
/// Largest key set inside a registration, in bytes.
const MAX_KEYS_BYTES: usize = 16_384;
/// Longest address of keys.
const MAX_KEYS_URI: usize = 2_000;

/// A client's own words, checked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClientMetadata {
    /// What it calls itself.
    pub client_name: String,
    /// Where answers may go.
    pub redirect_uris: Vec<String>,
    /// It signs its requests with a key.
    pub by_key: bool,
    /// It may also come without a signature.
    pub may_be_public: bool,
    /// Its keys.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub jwks: Option<Value>,
    /// Where its keys are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub jwks_uri: Option<String>,
    /// Its home page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client_uri: Option<String>,
}

/// A client that was just registered.
#[derive(Debug, Clone)]
pub struct RegisteredClient {
    /// Its new id.
    pub client_id: String,
    /// When, in seconds since 1970.
    pub issued_at: i64,
    /// What was kept of what it said.
    pub metadata: ClientMetadata,
}

impl RegisteredClient {
    /// The answer to a registration.
    pub fn document(&self) -> Value {
        let method = if self.metadata.by_key { "private_key_jwt" } else { "none" };
        let mut document = json!({
            "client_id": self.client_id,
            "client_id_issued_at": self.issued_at,
            "client_name": self.metadata.client_name,
            "redirect_uris": self.metadata.redirect_uris,
            "token_endpoint_auth_method": method,
            "grant_types": [
                "authorization_code",
                "refresh_token",
                "urn:ietf:params:oauth:grant-type:device_code",
            ],
            "response_types": ["code"],
            "scope": format!("{SCOPE} {OFFLINE}"),
        });
        if let Value::Object(members) = &mut document {
            let uri = self.metadata.client_uri.clone().map(Value::from);
            let optional = [("client_uri", uri), ("jwks", self.metadata.jwks.clone())];
            for (name, value) in optional {
                members.extend(value.map(|value| (name.to_owned(), value)));
            }
        }
        document
    }
}

impl ClientMetadata {
    /// Reads a registration. What is not known is ignored; addresses that cannot be used are left
    /// out, as long as one remains.
    pub fn registered(document: &Value) -> Result<Self, OauthError> {
        Self::read(document, |uri| redirect::kind_of(uri).is_some())
    }

    /// Reads the document that a client publishes at `client_id`: sites it is answered at must be
    /// its own.
    pub(super) fn published(document: &Value, client_id: &str) -> Result<Self, OauthError> {
        const FOREIGN: OauthError =
            invalid("the client's document names another client_id than its address");
        if document.get("client_id").and_then(Value::as_str) != Some(client_id) {
            return Err(FOREIGN);
        }
        let origin = WebAddress::parse(client_id).ok_or(FOREIGN)?.origin();
        let is_own = |uri: &str| match redirect::kind_of(uri) {
            Some(RedirectKind::Https) => {
                WebAddress::parse(uri).is_some_and(|uri| uri.origin() == origin)
            }
            Some(RedirectKind::Loopback) => true,
            Some(RedirectKind::Private) => !uri.split(':').next().unwrap_or_default().contains('.'),
            None => false,
        };
        let metadata = Self::read(document, is_own)?;
        let foreign_keys =
            |uri: &String| WebAddress::parse(uri).is_none_or(|uri| uri.origin() != origin);
        if metadata.jwks_uri.as_ref().is_some_and(foreign_keys) {
            return Err(invalid("jwks_uri must be on the client's own site"));
        }
        Ok(metadata)
    }

    fn read(document: &Value, usable: impl Fn(&str) -> bool) -> Result<Self, OauthError> {
        const SHAPE: OauthError = invalid("send one JSON object");
        let members = document.as_object().ok_or(SHAPE)?;
        let text = |name: &str| members.get(name).and_then(Value::as_str);
        let redirect_uris = redirect_uris(members.get("redirect_uris"), usable)?;
        let method = text("token_endpoint_auth_method").unwrap_or("none");
        let jwks = members.get("jwks").filter(|keys| keys.is_object()).cloned();
        let jwks_uri = text("jwks_uri").map(str::to_owned);
        if jwks.as_ref().is_some_and(|keys| keys.to_string().len() > MAX_KEYS_BYTES) {
            return Err(invalid("the key set is too large"));
        }
        if jwks_uri.as_ref().is_some_and(|uri| uri.len() > MAX_KEYS_URI) {
            return Err(invalid("jwks_uri is too long"));
        }
        let by_key = method == "private_key_jwt";
        if by_key && jwks.is_none() && jwks_uri.is_none() {
            return Err(invalid("private_key_jwt needs jwks or jwks_uri"));
        }
        let supported = members.get("token_endpoint_auth_methods_supported");
        let supported = supported.and_then(Value::as_array);
        let lists_none = supported.is_some_and(|all| all.iter().any(|method| method == "none"));
        let host = redirect_uris.first().map(|uri| redirect::host_of(uri));
        let name = text("client_name").and_then(cleaned);
        let home = text("client_uri").filter(|uri| {
            WebAddress::parse(uri).is_some_and(|address| address.https) && uri.len() <= 500
        });
        Ok(Self {
            client_name: name.or(host).unwrap_or_else(|| "an unnamed app".to_owned()),
            redirect_uris,
            by_key,
            may_be_public: !by_key || lists_none,
            jwks: jwks.filter(|_| by_key),
            jwks_uri: jwks_uri.filter(|_| by_key),
            client_uri: home.map(str::to_owned),
        })
    }

    /// Names what matters for security: a change of it ends refreshing.
    pub(super) fn security_hash(&self) -> [u8; 32] {
        let mut redirects = self.redirect_uris.clone();
        redirects.sort();
        let matter = json!([redirects, self.by_key, self.may_be_public, self.jwks, self.jwks_uri]);
        digest("client security v1", &[matter.to_string().as_bytes()])
    }

    /// Whether every answer goes to a program on the owner's machine: anybody there can be it.
    pub(super) fn loopback_only(&self) -> bool {
        let loopback = |uri: &String| redirect::kind_of(uri) == Some(RedirectKind::Loopback);
        self.redirect_uris.iter().all(loopback)
    }
}

const fn invalid(description: &'static str) -> OauthError {
    OauthError::new(OauthCode::InvalidClientMetadata, description)
}

fn redirect_uris(
    given: Option<&Value>,
    usable: impl Fn(&str) -> bool,
) -> Result<Vec<String>, OauthError> {
    let refused = |words| Err(OauthError::new(OauthCode::InvalidRedirectUri, words));
    let Some(given) = given.and_then(Value::as_array).filter(|all| !all.is_empty()) else {
        return refused("redirect_uris must name at least one address");
    };
    if given.len() > MAX_REDIRECTS {
        return refused("at most ten redirect_uris can be registered");
    }
    let kept: Vec<String> = given
        .iter()
        .filter_map(Value::as_str)
        .filter(|uri| usable(uri))
        .map(str::to_owned)
        .collect();
    if kept.is_empty() {
        return refused("no redirect URI can be used: https, a loopback address or a known app's");
    }
    Ok(kept)
}
