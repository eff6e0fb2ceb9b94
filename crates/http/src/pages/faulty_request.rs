//! A request of an app that cannot be answered: the owner is told first, and a click tells the app. A
//! self-registered app must not lead people to its site by a faulty request.

use askama::Template;
use axum::http::StatusCode;
use axum::response::Response;
use pdpp_auth::Session;

use super::plain;
use super::shell::{Shell, page_with};
use crate::app::App;

#[derive(Template)]
#[template(path = "faulty_request.html")]
struct FaultyRequestPage {
    shell: Shell,
    happened: String,
    url: String,
    host: String,
}

/// Says what is wrong, with a link that tells the app.
pub fn faulty_request(
    app: &App,
    session: &Session,
    happened: &str,
    (url, host): (String, &str),
) -> Response {
    page_with(
        StatusCode::BAD_REQUEST,
        &FaultyRequestPage {
            shell: Shell::alone("This app could not be connected", app, session),
            happened: happened.to_owned(),
            url,
            host: plain::line(host, 253),
        },
    )
}
