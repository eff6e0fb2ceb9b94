//! `/owner/s/{session}/device`: the code that another device shows leads to its request.

use askama::Template;
use axum::extract::State;
use axum::http::{StatusCode, Uri};
use axum::response::{IntoResponse, Redirect, Response};
use pdpp_auth::Session;

use super::fault::PageFault;
use super::form::PageForm;
use super::plain;
use super::session::SignedIn;
use super::session_path::within;
use super::shell::{CurrentPage, Shell, page_with};
use crate::app::App;
use crate::params::Params;
use crate::sharing;

#[derive(Template)]
#[template(path = "device.html")]
struct DevicePage {
    shell: Shell,
    csrf_token: String,
    code: String,
    trouble: Option<&'static str>,
}

/// Asks for the code. One that came with the address is shown to be compared, never taken.
pub async fn show(
    SignedIn(session): SignedIn,
    State(app): State<App>,
    uri: Uri,
) -> Result<Response, PageFault> {
    let mut params = Params::parse(uri.query()).map_err(|_| PageFault::BadForm)?;
    let code = params.take("user_code").map_err(|_| PageFault::BadForm)?.unwrap_or_default();
    Ok(device_page(&app, &session, &code, None))
}

/// Takes the code.
pub async fn submit(
    SignedIn(session): SignedIn,
    State(app): State<App>,
    mut form: PageForm,
) -> Result<Response, PageFault> {
    form.check(&session, "device")?;
    let code = form.text("user_code")?;
    let fingerprint = &session.kept().fingerprint;
    if sharing::take(&app, &app.device_tries, fingerprint).await.is_err() {
        let trouble = "Too many attempts. Wait a minute, then try again.";
        return Ok(device_page(&app, &session, "", Some(trouble)));
    }
    match app.services.auth.find_device_request(&code).await? {
        Some(request) => {
            Ok(Redirect::to(&within(&session, &format!("/consent/{request}"))).into_response())
        }
        None => {
            let trouble = "This code is not valid. Codes expire after ten minutes; check the code on your device.";
            Ok(device_page(&app, &session, &code, Some(trouble)))
        }
    }
}

fn device_page(
    app: &App,
    session: &Session,
    code: &str,
    trouble: Option<&'static str>,
) -> Response {
    let status = if trouble.is_some() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    page_with(
        status,
        &DevicePage {
            shell: Shell::inside("Connect a device", CurrentPage::Other, app, session),
            csrf_token: session.csrf("device"),
            code: plain::line(code, 20),
            trouble,
        },
    )
}
