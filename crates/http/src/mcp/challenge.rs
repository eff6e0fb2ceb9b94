//! Refusals in the form that agents' clients act on: a challenge that leads them to sign in.

use axum::body::Body;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use pdpp_auth::AuthError;
use pdpp_contract::access::TokenKind;
use pdpp_contract::{ApiError, ErrorCode};
use serde_json::json;

use crate::refusal::RefusalResponse;

/// What a client needs to ask for.
const SCOPE: &str = "pdpp:read";

/// What kind of sign-in a refusal asks for. Travels with the response until its body is written.
#[derive(Debug, Clone)]
enum Challenge {
    /// No token was sent.
    Missing,
    /// A token was sent that opens nothing any more. The reason is told for a known token only.
    Dead(Option<&'static str>),
}

/// No bearer, or none that can be read.
pub fn missing(error: ApiError) -> Response {
    let challenge = (error.code == ErrorCode::AuthenticationError).then_some(Challenge::Missing);
    let mut response = RefusalResponse(error).into_response();
    response.extensions_mut().extend_with(challenge);
    response
}

/// A bearer that is not an agent's live one. A dead grant is 401 here, so that the client signs in
/// again instead of giving up.
pub fn dead(error: AuthError) -> Response {
    let reason = match &error {
        AuthError::TokenExpired => Some("token_expired"),
        AuthError::TokenRevoked => Some("token_revoked"),
        AuthError::GrantRevoked => Some("grant_revoked"),
        AuthError::GrantExpired => Some("grant_expired"),
        AuthError::GrantInvalid => Some("grant_invalid"),
        AuthError::WrongResource => Some("wrong_resource"),
        AuthError::NoSuchToken | AuthError::WrongKind { presented: TokenKind::Client } => None,
        AuthError::WrongKind { presented: TokenKind::Owner | TokenKind::Metrics } => {
            return owner();
        }
        _ => return RefusalResponse(ApiError::from(error)).into_response(),
    };
    let mut response = RefusalResponse(ApiError::from(error)).into_response();
    *response.status_mut() = StatusCode::UNAUTHORIZED;
    response.extensions_mut().extend_with(Some(Challenge::Dead(reason)));
    response
}

/// The owner's credential: never for agents, and no reason to sign in again.
pub fn owner() -> Response {
    RefusalResponse(owner_credential()).into_response()
}

/// The refusal of an owner's credential.
pub fn owner_credential() -> ApiError {
    let message = "an owner's credential is not accepted here; create a grant and use its token";
    ApiError::new(ErrorCode::OwnerCredentialRefused, message)
}

trait ExtendWith {
    fn extend_with(&mut self, challenge: Option<Challenge>);
}

impl ExtendWith for axum::http::Extensions {
    fn extend_with(&mut self, challenge: Option<Challenge>) {
        if let Some(challenge) = challenge {
            self.insert(challenge);
        }
    }
}

/// Writes the body and the challenge of a refused response; `None` when nothing was refused.
#[expect(clippy::indexing_slicing, reason = "a member of an object that was just made")]
pub fn render(response: &mut Response, request_id: &str, origin: &str) -> Option<ErrorCode> {
    let RefusalResponse(error) = response.extensions_mut().remove::<RefusalResponse>()?;
    let challenge = response.extensions_mut().remove::<Challenge>();
    let metadata = format!("{origin}/.well-known/oauth-protected-resource/mcp");
    let mut body = json!({
        "error": error.code.as_str(),
        "error_description": error.message,
        "request_id": request_id,
    });
    let header = match challenge {
        None => None,
        Some(Challenge::Missing) => {
            body["error"] = json!("unauthorized");
            Some(format!("Bearer resource_metadata=\"{metadata}\", scope=\"{SCOPE}\""))
        }
        Some(Challenge::Dead(reason)) => {
            body["error"] = json!("invalid_token");
            if let Some(reason) = reason {
                body["reason"] = json!(reason);
            }
            Some(format!(
                "Bearer error=\"invalid_token\", error_description=\"{}\", \
                 resource_metadata=\"{metadata}\", scope=\"{SCOPE}\"",
                error.message.replace(['"', '\\'], "'")
            ))
        }
    };
    if header.is_some() {
        body["resource_metadata"] = json!(metadata);
    }
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    if let Some(value) = header.and_then(|text| HeaderValue::try_from(text).ok()) {
        headers.insert(header::WWW_AUTHENTICATE, value);
    }
    *response.body_mut() = Body::from(body.to_string());
    Some(error.code)
}
