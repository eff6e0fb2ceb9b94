//! `GET /oauth/authorize`: a client sends the owner's browser. Who is not signed in signs in first;
//! then the question waits on its consent page, always.

use axum::extract::{Request, State};
use axum::response::{IntoResponse, Redirect, Response};
use pdpp_auth::oauth::{AuthorizeFault, AuthorizeQuestion, OwnerSession};

use super::form::parse;
use super::pace::Pace;
use crate::app::App;
use crate::guard::caller_address;
use crate::pages;

/// Longest question that is looked at; larger ones are pushed.
const MAX_QUERY: usize = 8_192;
const TITLE: &str = "This app cannot be connected";

/// Keeps the question and shows it to the owner.
pub async fn authorize(State(app): State<App>, request: Request) -> Response {
    let session = match pages::find_session(&app, request.headers()).await {
        Ok(Some(session)) => OwnerSession::of(&session),
        // Nothing is fetched or kept for somebody who is not signed in.
        Ok(None) => {
            let next = pages::NextPlace::of(request.uri());
            return Redirect::to(&pages::login_for(&next)).into_response();
        }
        Err(fault) => return fault.into_response(),
    };
    let caller = caller_address(&request);
    if let Err(refused) = app.oauth_pace.take(&app, Pace::Authorize, caller).await {
        return refused;
    }
    let query = request.uri().query().unwrap_or_default();
    if query.len() > MAX_QUERY {
        return pages::refused(TITLE, "Its request is too long.");
    }
    let form = match parse(query) {
        Ok(form) => form,
        Err(error) => return pages::refused(TITLE, error.description),
    };
    let issuer = app.origin_for(request.headers());
    let from = caller.map(|caller| caller.to_string());
    let question = AuthorizeQuestion { form, issuer: &issuer, session: &session, from };
    match app.services.auth.authorize(question).await {
        Ok(waiting) => {
            Redirect::to(&format!("/oauth/consent/{}", waiting.request_id)).into_response()
        }
        Err(AuthorizeFault::Page(error)) => pages::refused(TITLE, error.description),
        Err(AuthorizeFault::Redirect { url }) => Redirect::to(&url).into_response(),
    }
}
