//! `/owner/s/{session}/confirm`: the password once more, before something is given away or erased. The
//! session goes on under another address.

use axum::extract::{FromRequest, FromRequestParts, Request, State};
use axum::http::StatusCode;
use axum::response::Response;
use pdpp_auth::{PasswordText, Session};

use super::cookies::take;
use super::fault::PageFault;
use super::form::PageForm;
use super::login::{LoginPage, Words, enter, next_of, refuse};
use super::next::NextPlace;
use super::session::{SignedIn, visitor};
use super::session_path::within;
use super::shell::{Shell, page_with};
use crate::app::App;

const WORDS: Words = Words {
    heading: "Confirm your password",
    lead: "What you are about to do gives something away or erases it, so type your password once \
           more.",
    button: "Confirm",
};

/// Asks for the password.
pub async fn show(
    SignedIn(session): SignedIn,
    State(app): State<App>,
    request: Request,
) -> Result<Response, PageFault> {
    let next = next_of(request.uri().query())?;
    Ok(page_with(StatusCode::OK, &view(&app, &session, &next, None)))
}

fn view(app: &App, session: &Session, next: &NextPlace, trouble: Option<String>) -> LoginPage {
    LoginPage {
        shell: Shell::alone("Confirm", app, session),
        next: next.as_str().to_owned(),
        action: within(session, "/confirm"),
        mark: session.csrf("confirm"),
        has_owner: true,
        words: WORDS,
        trouble,
        options: app.command_options.names.clone(),
    }
}

/// Takes the password.
pub async fn submit(State(app): State<App>, request: Request) -> Result<Response, Response> {
    let (mut parts, body) = request.into_parts();
    let SignedIn(session) = SignedIn::from_request_parts(&mut parts, &app).await?;
    let request = Request::from_parts(parts, body);
    confirmed(&app, &session, request).await.map_err(axum::response::IntoResponse::into_response)
}

async fn confirmed(app: &App, session: &Session, request: Request) -> Result<Response, PageFault> {
    let visitor = visitor(app, &request);
    let mut form = PageForm::from_request(request, app).await?;
    form.check(session, "confirm")?;
    let next = NextPlace::parse(&form.text("next")?);
    let typed = PasswordText::new(form.text("password")?);
    match app.services.auth.login_again(typed, session, &visitor).await {
        Ok(secret) => {
            let mut response = enter(app, &next, &secret);
            take(&mut response, app, session.path());
            Ok(response)
        }
        Err(refused) => refuse(refused, |trouble| view(app, session, &next, Some(trouble))),
    }
}
