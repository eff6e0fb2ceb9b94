//! `/owner/s/{session}/logout`: ends this browser's session.

use axum::extract::State;
use axum::response::{IntoResponse, Redirect, Response};

use super::cookies::clear_session;
use super::fault::PageFault;
use super::form::PageForm;
use super::session::SignedIn;
use crate::app::App;

/// Signs out.
pub async fn submit(
    SignedIn(session): SignedIn,
    State(app): State<App>,
    mut form: PageForm,
) -> Result<Response, PageFault> {
    form.check(&session, "logout")?;
    app.services.auth.logout(&session).await?;
    let mut response = Redirect::to("/owner/login").into_response();
    clear_session(&mut response, &app, session.path());
    Ok(response)
}
