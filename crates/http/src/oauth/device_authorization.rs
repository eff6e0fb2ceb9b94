//! `POST /oauth/device_authorization`: a device without a browser asks for a code to show.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use pdpp_auth::oauth::DeviceQuestion;

use super::answer::secret;
use super::form::ClientForm;
use crate::app::App;

/// Begins a sign-in on another device.
pub async fn begin(State(app): State<App>, asked: ClientForm) -> Response {
    let ClientForm { form, issuer, from, proved } = asked;
    let question = DeviceQuestion { form, issuer: &issuer, from };
    match app.services.auth.begin_device(question).await {
        Ok(answer) => secret(StatusCode::OK, &answer.document()),
        Err(error) => ClientForm::refuse(error, proved),
    }
}
