//! `GET /v1/token`: what the token in hand is, for its own holder.

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use pdpp_contract::ApiError;

use super::answer::secret;
use crate::app::App;
use crate::guard::bearer;
use crate::refusal::Refusal;

/// Any token of ours, whichever door it is for.
pub async fn token_info(State(app): State<App>, headers: HeaderMap) -> Response {
    let token = match bearer(&headers) {
        Ok(token) => token,
        Err(error) => return Refusal(error).into_response(),
    };
    let issuer = app.origin_for(&headers);
    match app.services.auth.token_info(token, &issuer).await {
        Ok(document) => secret(StatusCode::OK, &document),
        Err(error) => Refusal(ApiError::from(error)).into_response(),
    }
}
