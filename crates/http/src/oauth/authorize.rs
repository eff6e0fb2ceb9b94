//! `GET /oauth/authorize`: a client sends the owner's browser. The owner gives the password for each
//! question; then it waits on its consent page, among the pages of the session that just began.

use axum::extract::{Request, State};
use axum::response::{IntoResponse, Redirect, Response};
use pdpp_auth::oauth::{AuthorizeFault, AuthorizeQuestion, OwnerSession};

use super::form::parse;
use super::pace::Pace;
use crate::app::App;
use crate::guard::caller_address;
use crate::pages::{self, SignedIn};

/// Longest question that is looked at; larger ones are pushed.
const MAX_QUERY: usize = 8_192;
const TITLE: &str = "This app could not be connected";

/// Asks for the password. Nothing is fetched or kept for somebody who has not given it.
pub async fn authorize(request: Request) -> Response {
    if request.uri().query().unwrap_or_default().len() > MAX_QUERY {
        return pages::refused(TITLE, "Its request is too long.");
    }
    Redirect::to(&pages::login_for(&pages::NextPath::of(request.uri()))).into_response()
}

/// `GET /owner/s/{session}/authorize`: keeps the question and shows it to the owner.
pub async fn question(
    SignedIn(session): SignedIn,
    State(app): State<App>,
    request: Request,
) -> Response {
    let caller = caller_address(&request);
    if let Err(refused) = app.oauth_pace.take(&app, Pace::Authorize, caller).await {
        return refused;
    }
    let form = match parse(request.uri().query().unwrap_or_default()) {
        Ok(form) => form,
        Err(error) => return pages::refused(TITLE, error.description),
    };
    let issuer = app.origin_for(request.headers());
    let from = caller.map(|caller| caller.to_string());
    let owner = OwnerSession::of(&session);
    let question = AuthorizeQuestion { form, issuer: &issuer, session: &owner, from };
    match app.services.auth.authorize(question).await {
        Ok(waiting) => {
            let place = format!("/consent/{}", waiting.request_id);
            Redirect::to(&pages::within(&session, &place)).into_response()
        }
        Err(AuthorizeFault::Page(error)) => pages::refused(TITLE, error.description),
        Err(AuthorizeFault::Return { error, url, host }) => {
            pages::faulty_request(&app, &session, error.description, (url, &host))
        }
    }
}
