//! `/owner/s/{session}/confirm`: the password once more, before something is given away or erased. The
//! session goes on under another address.

use axum::extract::{FromRequest, FromRequestParts, Request, State};
use axum::http::StatusCode;
use axum::response::Response;
use pdpp_auth::{PasswordText, Session};

use super::cookies::clear_session;
use super::fault::PageFault;
use super::form::PageForm;
use super::login::{LoginPage, LoginText, enter, next_of, refuse};
use super::next::NextPath;
use super::session::{SignedIn, visitor};
use super::session_path::within;
use super::shell::{Shell, page_with};
use crate::app::App;

const CONFIRM: LoginText = LoginText {
    heading: "Confirm your password",
    lead: "This action gives access to your data or erases data. Enter your password again to \
           continue.",
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

fn view(app: &App, session: &Session, next: &NextPath, trouble: Option<String>) -> LoginPage {
    LoginPage {
        shell: Shell::alone("Confirm", app, session),
        next: next.as_str().to_owned(),
        action: within(session, "/confirm"),
        csrf_token: session.csrf("confirm"),
        has_owner: true,
        words: CONFIRM,
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
    let next = NextPath::parse(&form.text("next")?);
    let typed = PasswordText::new(form.text("password")?);
    match app.services.auth.login_again(typed, session, &visitor).await {
        Ok(secret) => {
            let mut response = enter(app, &next, &secret);
            clear_session(&mut response, app, session.path());
            Ok(response)
        }
        Err(refused) => refuse(refused, |trouble| view(app, session, &next, Some(trouble))),
    }
}
