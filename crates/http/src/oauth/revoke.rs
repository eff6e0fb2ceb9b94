//! `POST /oauth/revoke`: a client gives a token back.

use axum::body::Body;
use axum::extract::State;
use axum::response::Response;

use super::form::ClientForm;
use crate::app::App;

/// Always the same answer: a client learns nothing about tokens that are not its own.
pub async fn revoke(State(app): State<App>, asked: ClientForm) -> Response {
    let ClientForm { form, issuer, proved, .. } = asked;
    match app.services.auth.revoke_token(&form, &issuer).await {
        Ok(()) => Response::new(Body::empty()),
        Err(error) => ClientForm::refuse(error, proved),
    }
}
