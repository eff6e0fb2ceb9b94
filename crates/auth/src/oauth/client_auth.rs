//! Who a client is at the endpoints it calls itself.

use pdpp_store::oauth::StoredClient;

use super::assertion::ASSERTION_TYPE;
use super::error::{OauthCode, OauthError};
use super::form::Form;
use super::jws::Signed;
use crate::Auth;

/// A client that said, and perhaps proved, who it is.
#[derive(Debug, Clone)]
pub struct ClientProof {
    pub(super) client: StoredClient,
    /// It proved a key.
    pub(super) by_key: bool,
}

const MISSING: OauthError =
    OauthError::new(OauthCode::InvalidClient, "say who asks with client_id");

impl Auth {
    /// Reads `client_id` and, where the client has keys, its assertion.
    pub(super) async fn authenticate_client(
        &self,
        form: &Form,
        issuer: &str,
    ) -> Result<ClientProof, OauthError> {
        let assertion = form.get("client_assertion");
        let signed = assertion.and_then(Signed::parse);
        let subject = signed.as_ref().and_then(|signed| signed.claims.get("sub"));
        let named = form.get("client_id").or(subject.and_then(serde_json::Value::as_str));
        let (client, metadata) = self.client(named.ok_or(MISSING)?, true).await?;
        let Some(assertion) = assertion else {
            if metadata.may_be_public {
                return Ok(ClientProof { client, by_key: false });
            }
            let words = "this client signs its requests: send a client_assertion";
            return Err(OauthError::new(OauthCode::InvalidClient, words));
        };
        if form.get("client_assertion_type") != Some(ASSERTION_TYPE) {
            let words = "client_assertion_type must be the one for JWT bearer assertions";
            return Err(OauthError::new(OauthCode::InvalidClient, words));
        }
        let endpoints = ["token", "par", "revoke", "device_authorization"];
        let endpoints = endpoints.map(|name| format!("{issuer}/oauth/{name}"));
        let mut audiences = vec![issuer];
        audiences.extend(endpoints.iter().map(String::as_str));
        self.verify_assertion(assertion, &client, &metadata, &audiences).await?;
        Ok(ClientProof { client, by_key: true })
    }
}
