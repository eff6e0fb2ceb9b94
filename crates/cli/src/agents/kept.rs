//! What a sign-in at a provider leaves on this machine.

use jiff::{SignedDuration, Timestamp};
use pdpp_contract::Instant;
use serde_json::{Value, json};

use super::client::OauthClient;

/// What a sign-in left: a token, and how to renew it.
#[derive(Clone)]
pub struct KeptCredential {
    pub access_token: String,
    pub refresh_token: Option<String>,
    /// How long the token lives, as the server said; not kept.
    pub expires_in: Option<i64>,
    pub expires_at: Option<Timestamp>,
    pub client: OauthClient,
    pub package_id: Option<String>,
    pub issuer: String,
    pub resource: String,
    pub token_endpoint: String,
}

impl KeptCredential {
    /// The same with the instant at which its token ends.
    pub fn dated(mut self, now: Timestamp) -> Self {
        let life = self.expires_in.map(SignedDuration::from_secs);
        self.expires_at = life.and_then(|life| now.checked_add(life).ok());
        self
    }

    /// As it stands in its file.
    pub(super) fn document(&self) -> Value {
        let mut document = json!({
            "version": 1,
            "credential": {
                "access_token": self.access_token,
                "token_type": "Bearer",
                "pdpp_token_kind": "client",
            },
            "client": self.client.document(),
            "issuer": self.issuer,
            "resource": self.resource,
            "token_endpoint": self.token_endpoint,
        });
        let optional = [
            ("/credential", "expires_at", self.expires_at.map(|end| end.to_string())),
            ("/credential", "refresh_token", self.refresh_token.clone()),
            ("", "package_id", self.package_id.clone()),
        ];
        for (place, name, value) in optional {
            let members = document.pointer_mut(place).and_then(Value::as_object_mut);
            if let (Some(members), Some(value)) = (members, value) {
                members.insert(name.to_owned(), Value::from(value));
            }
        }
        document
    }

    /// Reads what this program and its relatives write; a bare token is enough.
    pub(super) fn read(document: &Value) -> Option<Self> {
        let text = |pointer: &str| document.pointer(pointer).and_then(Value::as_str);
        let owned = |pointer: &str| text(pointer).map(str::to_owned);
        let ends = text("/credential/expires_at").and_then(Instant::parse);
        Some(Self {
            access_token: owned("/credential/access_token")?,
            refresh_token: owned("/credential/refresh_token"),
            expires_in: None,
            expires_at: ends.map(pdpp_contract::Instant::timestamp),
            client: OauthClient::read(document.get("client").unwrap_or(&Value::Null)),
            package_id: owned("/package_id"),
            issuer: owned("/issuer").unwrap_or_default(),
            resource: owned("/resource").unwrap_or_default(),
            token_endpoint: owned("/token_endpoint").unwrap_or_default(),
        })
    }

    /// Whether another token can be had without the owner.
    pub(super) fn can_renew(&self) -> bool {
        self.refresh_token.is_some() && !self.token_endpoint.is_empty()
    }
}

impl std::fmt::Debug for KeptCredential {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("KeptCredential(…)")
    }
}
