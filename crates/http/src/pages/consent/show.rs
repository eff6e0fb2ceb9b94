//! `GET /owner/s/{session}/consent/{request}`: the sentence, the choices, the examples, the two buttons.

use askama::Template;
use axum::extract::{Path, State};
use axum::http::{StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use pdpp_auth::Session;
use pdpp_auth::oauth::{ConsentError, PendingAuthorization, RequestState, ReviewedConsent};
use pdpp_contract::AccessMode;

use super::existing_access::{self, ExistingAccess};
use super::picker::{self, AccountChoice, Terms};
use super::requester::{AnswerTarget, DeviceOrigin, Requester, Trust};
use super::samples::{self, Sample};
use super::script;
use crate::app::App;
use crate::pages::asset::Asset;
use crate::pages::fault::{PageFault, already_decided, refused};
use crate::pages::grant_text::{Clause, stream_clause};
use crate::pages::names::{DisplayNames, stream_label};
use crate::pages::plain;
use crate::pages::session::SignedIn;
use crate::pages::shell::{Shell, page_with};
use crate::pages::times::{Times, When};

#[derive(Template)]
#[template(path = "consent.html")]
struct ConsentPage {
    shell: Shell,
    script: &'static Asset,
    request: String,
    csrf_token: String,
    notice: Option<String>,
    requester: Requester,
    clauses: Vec<Clause>,
    until: Option<When>,
    once: bool,
    accounts: Vec<AccountChoice>,
    terms: Terms,
    samples: Vec<Sample>,
    keys_added: String,
    existing: Option<ExistingAccess>,
    digest: String,
    can_allow: bool,
    /// It wants to train models, and the owner has said nothing about that.
    needs_training: bool,
}

/// The page.
pub async fn show(
    SignedIn(session): SignedIn,
    State(app): State<App>,
    Path((_, request)): Path<(String, String)>,
    uri: Uri,
) -> Result<Response, PageFault> {
    let notice = match uri.query() {
        Some("look=again") => Some("Your selection has changed. Review it, then decide."),
        Some("look=changed") => {
            Some("Your data or this request has changed. Review the current preview, then decide.")
        }
        _ => None,
    };
    consent_page(&app, &session, &request, notice.map(str::to_owned)).await
}

/// The page of a request that can still be decided, else what became of it.
pub async fn consent_page(
    app: &App,
    session: &Session,
    request: &str,
    notice: Option<String>,
) -> Result<Response, PageFault> {
    let pending = match app.services.auth.pending_authorization(request).await {
        Ok(pending) => pending,
        Err(error) => return fault(&error),
    };
    match pending.state {
        RequestState::Open => {}
        RequestState::Expired => return fault(&ConsentError::Gone),
        RequestState::Approved | RequestState::Denied => return fault(&ConsentError::Finished),
    }
    let reviewed = match app.services.auth.review(request).await {
        Ok(reviewed) => Some(reviewed),
        Err(ConsentError::Empty) => None,
        // The selected data no longer exists: the owner starts over.
        Err(ConsentError::Refused(error)) if !error.is_internal() => None,
        Err(error) => return fault(&error),
    };
    let status = if notice.is_some() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    let page = view(app, session, &pending, (reviewed, notice)).await?;
    Ok(page_with(status, &page))
}

/// What became of a request that cannot be decided here.
pub fn fault(error: &ConsentError) -> Result<Response, PageFault> {
    let title = match error {
        ConsentError::Finished => return Ok(already_decided()),
        ConsentError::Gone => "This request has expired",
        ConsentError::Stale
        | ConsentError::Empty
        | ConsentError::NotFresh
        | ConsentError::Training
        | ConsentError::BeyondRequest(_) => "This cannot be allowed",
        ConsentError::Refused(error) if error.is_passing() => return Err(PageFault::Unavailable),
        ConsentError::Refused(_) => return Err(PageFault::Failed),
    };
    Ok(refused(title, &plain::sentence(&error.to_string())).into_response())
}

async fn view(
    app: &App,
    session: &Session,
    pending: &PendingAuthorization,
    (reviewed, notice): (Option<ReviewedConsent>, Option<String>),
) -> Result<ConsentPage, PageFault> {
    let owner = session.access();
    let times = Times::of(app).await?;
    let names = DisplayNames::of(app, owner).await?;
    let choosable = picker::choosable(names.accounts.clone(), pending);
    let draft = pending.draft.as_ref();
    let samples = match (&reviewed, draft) {
        (Some(reviewed), Some(draft)) => {
            let what = (&pending.client.handle, draft, reviewed);
            samples::read(app, owner, what, (&names, &times)).await?
        }
        _ => Vec::new(),
    };
    let existing = existing_access::find(app, owner, &pending.client.handle).await?;
    let replaces = draft.is_none_or(|draft| draft.replaces.is_some());
    let existing = existing.map(|package| {
        existing_access::describe(&package, reviewed.as_ref(), replaces, (&names, &times))
    });
    let purpose = purpose(&pending.request_id);
    let requester = Requester::of(pending, &times);
    let agrees = draft.is_some_and(|draft| draft.agrees_to_training);
    let needs_training = requester.trains && !agrees;
    Ok(ConsentPage {
        shell: Shell::alone("Allow reading", app, session),
        script: script::asset(),
        request: pending.request_id.clone(),
        csrf_token: session.csrf(&purpose),
        notice,
        requester,
        clauses: reviewed.iter().flat_map(|one| clauses(one, &names, &times)).collect(),
        until: reviewed.as_ref().map(|one| times.day(one.expires_at)),
        once: reviewed.as_ref().is_some_and(|one| one.access_mode == AccessMode::SingleUse),
        accounts: picker::accounts(&choosable, pending, draft, &times),
        terms: picker::terms(draft),
        samples,
        keys_added: reviewed.as_ref().map(|one| added(one, &names)).unwrap_or_default(),
        existing,
        digest: reviewed.as_ref().map(|one| one.digest.clone()).unwrap_or_default(),
        can_allow: reviewed.is_some() && !needs_training,
        needs_training: reviewed.is_some() && needs_training,
    })
}

/// What the CSRF token of a request's form is for.
pub fn purpose(request: &str) -> String {
    format!("consent {request}")
}

fn clauses(reviewed: &ReviewedConsent, names: &DisplayNames, times: &Times) -> Vec<Clause> {
    let clause = |grant: &pdpp_auth::oauth::ReviewedGrant| {
        let account = names.account(&grant.connection_id);
        let known = |name: &pdpp_contract::StreamName| {
            account.and_then(|one| one.streams.iter().find(|stream| stream.name == *name))
        };
        let streams = grant.streams.iter().map(|one| stream_clause(one, known(&one.name), times));
        Clause {
            account: names.account_label(&grant.connection_id),
            streams: streams.collect(),
            without_codes: reviewed.leave_out_codes,
            without_secrets: reviewed.leave_out_secrets,
        }
    };
    reviewed.grants.iter().map(clause).collect()
}

/// Key fields that nobody ticked, in words.
fn added(reviewed: &ReviewedConsent, names: &DisplayNames) -> String {
    let added = reviewed.added_key_fields.iter().map(|added| {
        let account = names.account(&added.connection_id);
        let stream = account
            .and_then(|one| one.streams.iter().find(|stream| stream.name == added.stream))
            .map_or_else(|| plain::words(added.stream.as_str()), stream_label);
        format!("{} of the {stream}", plain::words(added.field.as_str()))
    });
    plain::listed(&added.collect::<Vec<_>>())
}
