//! `/owner/login`: the password, and how long to wait after a wrong one. Every sign-in begins a session
//! with an address of its own, and every request of an agent begins here.

use askama::Template;
use axum::extract::{FromRequest, Request, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use pdpp_auth::{LoginRefused, PasswordText, SessionSecret};

use super::cookies::set_session;
use super::fault::PageFault;
use super::form::PageForm;
use super::next::NextPath;
use super::session::visitor;
use super::shell::{Shell, page_with};
use crate::app::App;
use crate::params::Params;

const PLACE: &str = "/owner/login";

#[derive(Template)]
#[template(path = "login.html")]
pub struct LoginPage {
    pub shell: Shell,
    pub next: String,
    /// Where the password goes.
    pub action: String,
    /// The CSRF token of the session that asks for it once more; empty on the login page.
    pub csrf_token: String,
    /// Whether anybody has set a password yet.
    pub has_owner: bool,
    pub words: LoginText,
    pub trouble: Option<String>,
    /// Options that a command needs here, by name.
    pub options: Vec<String>,
}

/// Why the password is asked for.
#[derive(Debug, Clone, Copy)]
pub struct LoginText {
    pub heading: &'static str,
    pub lead: &'static str,
    pub button: &'static str,
}

const SIGN_IN: LoginText = LoginText {
    heading: "Sign in",
    lead: "Enter your owner password to manage access to your data.",
    button: "Sign in",
};
const DECISION: LoginText = LoginText {
    heading: "An app requests access to your data",
    lead: "Enter your owner password to see the request and decide what it may read. Every request \
           needs the password, even if you are signed in.",
    button: "Continue",
};

/// Asks for the password.
pub async fn show(State(app): State<App>, request: Request) -> Result<Response, PageFault> {
    let next = next_of(request.uri().query())?;
    let has_owner = app.services.auth.has_password().await?;
    Ok(page_with(StatusCode::OK, &login_page(&app, &next, has_owner, None)))
}

/// The place that an address names as the next one.
pub fn next_of(query: Option<&str>) -> Result<NextPath, PageFault> {
    let mut params = Params::parse(query).map_err(|_| PageFault::BadForm)?;
    let next = params.take("next").map_err(|_| PageFault::BadForm)?.unwrap_or_default();
    Ok(NextPath::parse(&next))
}

fn login_page(app: &App, next: &NextPath, has_owner: bool, trouble: Option<String>) -> LoginPage {
    LoginPage {
        shell: Shell::outside("Sign in", app),
        next: next.as_str().to_owned(),
        action: PLACE.to_owned(),
        csrf_token: String::new(),
        has_owner,
        words: if next.is_decision() { DECISION } else { SIGN_IN },
        trouble,
        options: app.command_options.names.clone(),
    }
}

/// Takes the password.
pub async fn submit(State(app): State<App>, request: Request) -> Result<Response, PageFault> {
    let visitor = visitor(&app, &request);
    let mut form = PageForm::from_request(request, &app).await?;
    let next = NextPath::parse(&form.text("next")?);
    let typed = PasswordText::new(form.text("password")?);
    match app.services.auth.login(typed, &visitor).await {
        Ok(secret) => Ok(enter(&app, &next, &secret)),
        Err(refused) => {
            let view = |trouble| login_page(&app, &next, true, Some(trouble));
            refuse(refused, view)
        }
    }
}

/// Leads into the session that just began.
pub fn enter(app: &App, next: &NextPath, secret: &SessionSecret) -> Response {
    let mut response = Redirect::to(&next.inside(secret.path())).into_response();
    set_session(&mut response, app, secret);
    response
}

/// Says why the password was not taken, on the page that asks for it.
pub fn refuse(
    refused: LoginRefused,
    view: impl Fn(String) -> LoginPage,
) -> Result<Response, PageFault> {
    let (status, trouble, wait) = match refused {
        LoginRefused::Wrong => (StatusCode::UNAUTHORIZED, "Wrong password.".to_owned(), None),
        LoginRefused::Wait(rest) => {
            let seconds = rest.as_secs() + 1;
            let words = format!(
                "Too many wrong passwords. Wait {seconds} {} and try again.",
                if seconds == 1 { "second" } else { "seconds" }
            );
            (StatusCode::TOO_MANY_REQUESTS, words, Some(seconds))
        }
        LoginRefused::Failed(error) => return Err(error.into()),
    };
    let mut response = page_with(status, &view(trouble));
    if let Some(seconds) = wait {
        response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
    }
    Ok(response)
}
