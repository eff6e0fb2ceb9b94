//! `POST /oauth/register`: a client introduces itself. Nothing it says is believed.

use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use pdpp_auth::oauth::{OauthCode, OauthError};
use serde_json::Value;

use super::answer::{OauthRefusal, secret};
use super::form::MAX_BYTES;
use super::rate_limit::RequestKind;
use crate::app::App;
use crate::guard::caller_address;

/// Registers a client.
pub async fn register(State(app): State<App>, request: Request) -> Response {
    let caller = caller_address(&request);
    if let Err(refused) = app.oauth_rate_limits.take(&app, RequestKind::Register, caller).await {
        return refused;
    }
    match registered(&app, request).await {
        Ok(document) => secret(StatusCode::CREATED, &document),
        Err(error) => OauthRefusal::from(error).into_response(),
    }
}

async fn registered(app: &App, request: Request) -> Result<Value, OauthError> {
    let invalid = |description| OauthError { code: OauthCode::InvalidClientMetadata, description };
    if !app.takes_strangers(&app.origin_for(request.headers())) {
        return Err(invalid("clients register over https only; give this server a public URL"));
    }
    let body = axum::body::to_bytes(request.into_body(), MAX_BYTES).await;
    let body = body.map_err(|_| invalid("the registration is too large"))?;
    let document: Value =
        serde_json::from_slice(&body).map_err(|_| invalid("send one JSON object"))?;
    let client = app.services.auth.register_client(&document).await?;
    Ok(client.document())
}
