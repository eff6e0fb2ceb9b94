//! `/owner/login`: the password, and how long to wait after a wrong one.

use askama::Template;
use axum::extract::{FromRequest, Request, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use pdpp_auth::{LoginRefused, PasswordText};

use super::fault::PageFault;
use super::form::PageForm;
use super::next::NextPlace;
use super::session::{find, give, visitor};
use super::shell::{Shell, page, page_with};
use crate::app::App;
use crate::params::Params;

#[derive(Template)]
#[template(path = "login.html")]
struct LoginPage {
    shell: Shell,
    next: String,
    /// Whether anybody has set a password yet.
    has_owner: bool,
    /// Whether the owner is signed in and only has to show it again.
    again: bool,
    trouble: Option<String>,
    /// Options that a command needs here, by name.
    options: Vec<String>,
}

/// Asks for the password.
pub async fn show(State(app): State<App>, request: Request) -> Result<Response, PageFault> {
    let mut params = Params::parse(request.uri().query()).map_err(|_| PageFault::BadForm)?;
    let next = params.take("next").map_err(|_| PageFault::BadForm)?.unwrap_or_default();
    let session = find(&app, request.headers()).await?;
    if session.as_ref().is_some_and(pdpp_auth::Session::is_fresh) {
        return Ok(Redirect::to(NextPlace::parse(&next).as_str()).into_response());
    }
    let has_owner = app.services.auth.has_password().await?;
    Ok(page(&LoginPage {
        shell: Shell::outside("Sign in", &app),
        next: NextPlace::parse(&next).as_str().to_owned(),
        has_owner,
        again: session.is_some(),
        trouble: None,
        options: app.command_options.names.clone(),
    }))
}

/// Takes the password.
pub async fn submit(State(app): State<App>, request: Request) -> Result<Response, PageFault> {
    let visitor = visitor(&request);
    let again = find(&app, request.headers()).await?.is_some();
    let mut form = PageForm::from_request(request, &app).await?;
    let next = NextPlace::parse(&form.text("next")?);
    let typed = PasswordText::new(form.text("password")?);
    let refused = match app.services.auth.login(typed, &visitor).await {
        Ok(secret) => {
            let mut response = Redirect::to(next.as_str()).into_response();
            give(&mut response, &app, &secret);
            return Ok(response);
        }
        Err(refused) => refused,
    };
    let (status, trouble, wait) = match refused {
        LoginRefused::Wrong => {
            (StatusCode::UNAUTHORIZED, "That is not the password.".to_owned(), None)
        }
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
    let mut response = page_with(
        status,
        &LoginPage {
            shell: Shell::outside("Sign in", &app),
            next: next.as_str().to_owned(),
            has_owner: true,
            again,
            trouble: Some(trouble),
            options: app.command_options.names.clone(),
        },
    );
    if let Some(seconds) = wait {
        response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
    }
    Ok(response)
}
