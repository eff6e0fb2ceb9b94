//! `POST /oauth/par`: a client leaves a long request with us and sends the browser with a reference.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use serde_json::json;

use super::answer::secret;
use super::form::ClientForm;
use crate::app::App;

/// Keeps the request.
pub async fn par(State(app): State<App>, asked: ClientForm) -> Response {
    let ClientForm { form, issuer, proved, .. } = asked;
    match app.services.auth.push_request(form, &issuer).await {
        Ok((uri, seconds)) => {
            let document = json!({"request_uri": uri, "expires_in": seconds});
            secret(StatusCode::CREATED, &document)
        }
        Err(error) => ClientForm::refuse(error, proved),
    }
}
