//! `POST /oauth/introspect`: a resource server of the owner's asks what a token opens.

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use pdpp_contract::ApiError;

use super::answer::{OauthRefusal, secret};
use super::form::ClientForm;
use crate::app::App;
use crate::guard::bearer;
use crate::refusal::RefusalResponse;

/// Needs the owner's token: nobody else may look at other people's tokens.
pub async fn introspect(State(app): State<App>, headers: HeaderMap, asked: ClientForm) -> Response {
    let auth = &app.services.auth;
    let token = match bearer(&headers) {
        Ok(token) => token,
        Err(error) => return RefusalResponse(error).into_response(),
    };
    let owner = match auth.verify(token).await.and_then(pdpp_auth::Caller::into_owner) {
        Ok(owner) => owner,
        Err(error) => return RefusalResponse(ApiError::from(error)).into_response(),
    };
    let looked_at = asked.form.get("token").unwrap_or_default();
    match auth.introspect(&owner, looked_at, &asked.issuer).await {
        Ok(answer) => secret(StatusCode::OK, answer.document()),
        Err(error) => OauthRefusal::from(error).into_response(),
    }
}
