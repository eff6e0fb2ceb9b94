//! `POST /owner/s/{session}/consent/{request}/draft` and `…/decision`.

use askama::Template;
use axum::extract::{Path, State};
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Redirect, Response};
use pdpp_auth::Session;
use pdpp_auth::oauth::{
    ConsentDraft, ConsentError, Decision, OwnerSession, PendingAuthorization, ReturnKind,
    ReturnTarget,
};

use super::show::{consent_page, fault, purpose};
use super::{draft_form, picker};
use crate::app::App;
use crate::pages::fault::PageFault;
use crate::pages::form::PageForm;
use crate::pages::next::{NextPath, confirm_for};
use crate::pages::plain;
use crate::pages::session::SignedIn;
use crate::pages::session_path::within;
use crate::pages::shell::{Shell, page};
use crate::pages::times::Times;

/// Tells the page that what it showed is not so any more.
const CHANGED: &str = "?look=changed";

#[derive(Template)]
#[template(path = "decided.html")]
struct DecidedPage {
    shell: Shell,
    name: String,
    approved: bool,
    /// Where the browser goes by itself.
    refresh: Option<String>,
    url: Option<String>,
    host: String,
    is_local: bool,
    is_program: bool,
}

/// Keeps the choices and shows what they mean.
pub async fn draft(
    SignedIn(session): SignedIn,
    State(app): State<App>,
    Path((_, request)): Path<(String, String)>,
    headers: HeaderMap,
    mut form: PageForm,
) -> Result<Response, PageFault> {
    form.check(&session, &purpose(&request))?;
    let answer = match choices(&app, &session, &request, &mut form).await? {
        Ok((_, choices)) => show_choices(&app, &session, (&request, &choices), "").await?,
        Err(answer) => answer,
    };
    // No script is led to a page. The consent page's own, which knows the CSRF token, is given it here.
    let is_script = headers.get("sec-fetch-dest").is_some_and(|value| value == "empty");
    if is_script && answer.status().is_redirection() {
        return consent_page(&app, &session, &request, None).await;
    }
    Ok(answer)
}

/// Keeps choices and leads to the page that shows what they mean, or says why they cannot be made.
async fn show_choices(
    app: &App,
    session: &Session,
    (request, choices): (&str, &ConsentDraft),
    look: &str,
) -> Result<Response, PageFault> {
    let words = match app.services.auth.save_draft(request, choices).await {
        Ok(_) | Err(ConsentError::Empty) => return Ok(back(session, request, look)),
        Err(ConsentError::BeyondRequest(words)) => words,
        Err(ConsentError::Refused(error)) if !error.is_internal() => error.to_string(),
        Err(error) => return fault(&error),
    };
    consent_page(app, session, request, Some(plain::sentence(&words))).await
}

/// Decides about what was shown. Other choices than those are shown first.
pub async fn decision(
    SignedIn(session): SignedIn,
    State(app): State<App>,
    Path((_, request)): Path<(String, String)>,
    mut form: PageForm,
) -> Result<Response, PageFault> {
    form.check(&session, &purpose(&request))?;
    let digest = form.text("digest")?;
    let decision = match form.text("decision")?.as_str() {
        "allow" => Decision::Approve { digest },
        "refuse" => Decision::Deny,
        _ => return Err(PageFault::BadForm),
    };
    let (pending, choices) = match choices(&app, &session, &request, &mut form).await? {
        Ok(read) => read,
        Err(answer) => return Ok(answer),
    };
    let allows = matches!(decision, Decision::Approve { .. });
    let is_open = pending.state == pdpp_auth::oauth::RequestState::Open;
    if allows && is_open && pending.draft.as_ref() != Some(&choices) {
        return show_choices(&app, &session, (&request, &choices), "?look=again").await;
    }
    let decided = app.services.auth.decide(&request, decision, &OwnerSession::of(&session)).await;
    match decided {
        Ok(target) => Ok(decided_page(&app, &session, &pending, target)),
        Err(ConsentError::Stale) => Ok(back(&session, &request, CHANGED)),
        Err(ConsentError::Empty | ConsentError::Training) => Ok(back(&session, &request, "")),
        Err(ConsentError::NotFresh) => {
            let next = NextPath::parse(&format!("/oauth/consent/{request}"));
            Ok(Redirect::to(&confirm_for(&session, &next)).into_response())
        }
        Err(error) => fault(&error),
    }
}

fn back(session: &Session, request: &str, query: &str) -> Response {
    // The id is one of ours: the request was found by it.
    Redirect::to(&within(session, &format!("/consent/{request}{query}"))).into_response()
}

/// The request and the choices of the form, or the answer when there is nothing to choose any more.
async fn choices(
    app: &App,
    session: &Session,
    request: &str,
    form: &mut PageForm,
) -> Result<Result<(PendingAuthorization, ConsentDraft), Response>, PageFault> {
    let pending = match app.services.auth.pending_authorization(request).await {
        Ok(pending) => pending,
        Err(error) => return fault(&error).map(Err),
    };
    let times = Times::of(app).await?;
    let accounts = app.services.engine.owned_connections(session.access()).await?;
    let accounts = picker::choosable(accounts, &pending);
    let read = draft_form::read(form, &accounts, &pending, &times);
    match read {
        Ok(draft) => Ok(Ok((pending, draft))),
        // An account that was there is gone: that is a change, not a broken form.
        Err(PageFault::BadForm) if pending.draft.is_some() => {
            Ok(Err(back(session, request, CHANGED)))
        }
        Err(fault) => Err(fault),
    }
}

/// A page of its own, which then moves on: browsers refuse to follow a form to another site, and
/// agents' sites take no forms.
fn decided_page(
    app: &App,
    session: &Session,
    pending: &PendingAuthorization,
    target: ReturnTarget,
) -> Response {
    let is_program = target.kind == ReturnKind::Private;
    let title = if target.approved { "Allowed" } else { "Refused" };
    page(&DecidedPage {
        shell: Shell::alone(title, app, session),
        name: plain::line(&pending.client.name, 80),
        approved: target.approved,
        // Browsers open a program only for somebody who clicks.
        refresh: target.url.clone().filter(|_| !is_program),
        url: target.url,
        host: plain::line(&target.host, 253),
        is_local: target.kind == ReturnKind::Loopback,
        is_program,
    })
}
