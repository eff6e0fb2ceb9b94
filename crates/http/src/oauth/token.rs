//! `POST /oauth/token`: a code, a refresh token or a device becomes an access token.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use pdpp_auth::oauth::TokenQuestion;

use super::answer::secret;
use super::form::ClientForm;
use crate::app::App;

/// Answers with tokens.
pub async fn token(State(app): State<App>, asked: ClientForm) -> Response {
    let ClientForm { form, issuer, proved, .. } = asked;
    match app.services.auth.token(TokenQuestion { form, issuer: &issuer }).await {
        Ok(answer) => secret(StatusCode::OK, &answer.document()),
        Err(error) => ClientForm::refuse(error, proved),
    }
}
