//! What clients read before they ask: this server's endpoints, and the resource `/v1`.

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use pdpp_auth::oauth::{DETAILS_TYPE, OFFLINE, SCOPE};
use serde_json::{Value, json};

use super::answer::{OauthRefusal, public};
use crate::app::App;

/// The authorization server's document, at its own address and at the one of `OpenID` discovery,
/// where some clients look first.
pub async fn server(State(app): State<App>, headers: HeaderMap) -> Response {
    let issuer = app.origin_for(&headers);
    let documents = match app.services.auth.fetches_documents().await {
        Ok(documents) => documents,
        Err(error) => return OauthRefusal::from(error).into_response(),
    };
    public(&document(&issuer, app.takes_strangers(&issuer), documents))
}

fn document(issuer: &str, takes_strangers: bool, documents: bool) -> Value {
    let at = |path: &str| format!("{issuer}/oauth/{path}");
    let mut document = json!({
        "issuer": issuer,
        "authorization_endpoint": at("authorize"),
        "token_endpoint": at("token"),
        "revocation_endpoint": at("revoke"),
        "introspection_endpoint": at("introspect"),
        "device_authorization_endpoint": at("device_authorization"),
        "pushed_authorization_request_endpoint": at("par"),
        "response_types_supported": ["code"],
        "response_modes_supported": ["query"],
        "grant_types_supported": [
            "authorization_code",
            "refresh_token",
            "urn:ietf:params:oauth:grant-type:device_code",
        ],
        "code_challenge_methods_supported": ["S256"],
        "token_endpoint_auth_methods_supported": ["none", "private_key_jwt"],
        "token_endpoint_auth_signing_alg_values_supported": ["RS256", "ES256", "EdDSA"],
        "revocation_endpoint_auth_methods_supported": ["none", "private_key_jwt"],
        "scopes_supported": [SCOPE, OFFLINE],
        "authorization_response_iss_parameter_supported": true,
        "authorization_details_types_supported": [DETAILS_TYPE],
    });
    if let Value::Object(members) = &mut document
        && takes_strangers
    {
        members.insert("registration_endpoint".to_owned(), json!(at("register")));
        if documents {
            members.insert("client_id_metadata_document_supported".to_owned(), json!(true));
        }
    }
    document
}

/// What a client must know to get a token for `/v1`.
pub async fn v1_resource(State(app): State<App>, headers: HeaderMap) -> Response {
    let origin = app.origin_for(&headers);
    public(&json!({
        "resource": format!("{origin}/v1"),
        "authorization_servers": [origin],
        "scopes_supported": [SCOPE],
        "bearer_methods_supported": ["header"],
        "resource_name": "pdpp",
    }))
}
