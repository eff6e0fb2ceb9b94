//! The token endpoint: a code, a device or a refresh token becomes an access token.

use pdpp_contract::PackageId;
use serde_json::{Value, json};
use zeroize::Zeroizing;

use super::error::{OauthCode, OauthError};
use super::form::Form;
use super::resource;
use crate::Auth;
use crate::token::AccessToken;
use pdpp_contract::access::Resource;

const DEVICE_GRANT: &str = "urn:ietf:params:oauth:grant-type:device_code";

/// A question at the token endpoint.
#[derive(Debug)]
pub struct TokenQuestion<'a> {
    /// The parameters.
    pub form: Form,
    /// This server as the client knows it.
    pub issuer: &'a str,
}

/// Tokens on their way to a client.
#[derive(Debug)]
pub struct TokenAnswer {
    pub(super) access_token: AccessToken,
    pub(super) expires_in: i64,
    pub(super) scope: String,
    pub(super) refresh_token: Option<Zeroizing<String>>,
    pub(super) package_id: PackageId,
    pub(super) details: Option<Value>,
}

impl TokenAnswer {
    /// The answer on the wire. It holds secrets: say it once.
    pub fn document(&self) -> Value {
        let mut document = json!({
            "access_token": self.access_token.reveal(),
            "token_type": "Bearer",
            "expires_in": self.expires_in,
            "scope": self.scope,
        });
        let optional = [
            ("refresh_token", self.refresh_token.as_ref().map(|text| json!(text.as_str()))),
            ("grant_package_id", Some(json!(self.package_id))),
            ("authorization_details", self.details.clone()),
        ];
        if let Value::Object(members) = &mut document {
            for (name, value) in optional {
                members.extend(value.map(|value| (name.to_owned(), value)));
            }
        }
        document
    }
}

impl Auth {
    /// Answers a question at the token endpoint.
    pub async fn token(&self, question: TokenQuestion<'_>) -> Result<TokenAnswer, OauthError> {
        let TokenQuestion { form, issuer } = question;
        let grant = form.need("grant_type", "grant_type is missing")?;
        let known = ["authorization_code", "refresh_token", DEVICE_GRANT].contains(&grant);
        if !known {
            let words = "grant_type must be one of grant_types_supported";
            return Err(OauthError::new(OauthCode::UnsupportedGrantType, words));
        }
        let proof = self.authenticate_client(&form, issuer).await?;
        match grant {
            "authorization_code" => self.code_token(&form, issuer, proof).await,
            "refresh_token" => self.refresh_token(&form, issuer, proof).await,
            _ => self.device_token(&form, proof).await,
        }
    }
}

/// A `resource` that is named again must be the one that was asked for.
pub(super) fn check_resource(form: &Form, issuer: &str, bound: Resource) -> Result<(), OauthError> {
    let Some(named) = form.get("resource") else { return Ok(()) };
    if resource::of(Some(named), issuer)? == bound {
        return Ok(());
    }
    let words = "the resource is not the one that was asked for at the start";
    Err(OauthError::new(OauthCode::InvalidTarget, words))
}
