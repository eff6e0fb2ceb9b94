//! `/owner/s/{session}/activity`: the log, the newest first, narrowed by agent, account and time.

use askama::Template;
use axum::extract::State;
use axum::http::Uri;
use axum::response::{Redirect, Response};
use pdpp_auth::{AuditActor, AuditChain, StoredEvent};

use super::describe::{describe, is_alarming, who};
use super::filter::ActivityFilter;
use crate::app::App;
use crate::pages::fault::PageFault;
use crate::pages::names::{DisplayNames, account_label};
use crate::pages::plain;
use crate::pages::session::SignedIn;
use crate::pages::session_path::within;
use crate::pages::shell::{CurrentPage, Shell, page};
use crate::pages::times::{Times, When};

const PAGE_EVENTS: u32 = 50;

#[derive(Template)]
#[template(path = "activity.html")]
struct ActivityPage {
    shell: Shell,
    rows: Vec<ActivityRow>,
    agents: Vec<FilterOption>,
    accounts: Vec<FilterOption>,
    spans: Vec<FilterOption>,
    older: Option<String>,
    export: String,
    chain: Option<String>,
    chain_broken: bool,
}

struct ActivityRow {
    at: When,
    who: String,
    what: String,
    refused: bool,
}

/// One option of a filter.
pub struct FilterOption {
    pub value: String,
    pub name: String,
    pub chosen: bool,
}

/// `/owner/s/{session}/reads`, the page's address in version 0.1.0.
pub async fn former_address(SignedIn(session): SignedIn, uri: Uri) -> Redirect {
    let query = uri.query().map(|query| format!("?{query}")).unwrap_or_default();
    Redirect::to(&within(&session, &format!("/activity{query}")))
}

/// The log.
pub async fn show(
    SignedIn(session): SignedIn,
    State(app): State<App>,
    uri: Uri,
) -> Result<Response, PageFault> {
    let (auth, owner) = (&app.services.auth, session.access());
    let filter = ActivityFilter::parse(uri.query())?;
    let times = Times::of(&app).await?;
    let packages = auth.packages(owner).await?;
    let names = DisplayNames::of(&app, owner).await?.with_agents(&packages);
    let mut events = auth.audit_events(owner, &filter.query(&times, PAGE_EVENTS + 1)).await?;
    let more = events.len() > PAGE_EVENTS as usize;
    events.truncate(PAGE_EVENTS as usize);
    let older = events.last().filter(|_| more).map(|last| filter.address(Some(last.event_no)));
    let mut clients: Vec<String> = packages.iter().map(|one| one.client.to_string()).collect();
    clients.sort();
    clients.dedup();
    let choice = |value: &str, name: String, now: &str| FilterOption {
        chosen: value == now,
        value: value.to_owned(),
        name,
    };
    let (chain, chain_broken) = chain(&app, &session, uri.query()).await?;
    Ok(page(&ActivityPage {
        shell: Shell::inside("Activity", CurrentPage::Activity, &app, &session),
        rows: events.iter().map(|event| row(event, &names, &times)).collect(),
        agents: clients
            .iter()
            .map(|client| choice(client, plain::line(client, 60), &filter.agent))
            .collect(),
        accounts: names
            .accounts
            .iter()
            .map(|one| choice(one.id.as_str(), account_label(one), &filter.account))
            .collect(),
        spans: [("1d", "Today"), ("7d", "The last 7 days"), ("30d", "The last 30 days")]
            .map(|(value, name)| choice(value, name.to_owned(), &filter.since))
            .into(),
        older,
        export: filter.address(None),
        chain,
        chain_broken,
    }))
}

/// The walk over the whole chain is made when it is asked for: it reads every event.
async fn chain(
    app: &App,
    session: &pdpp_auth::Session,
    query: Option<&str>,
) -> Result<(Option<String>, bool), PageFault> {
    if !query.unwrap_or_default().split('&').any(|pair| pair == "check=1") {
        return Ok((None, false));
    }
    Ok(match app.services.auth.verify_audit(session.access()).await? {
        AuditChain::Intact { events, .. } => {
            let events = plain::counted(events, "event", "events");
            (Some(format!("Log verified: {events}, unchanged.")), false)
        }
        AuditChain::Broken { event_no } => {
            let words = format!("Verification failed: event {event_no} is missing or was changed.");
            (Some(words), true)
        }
    })
}

fn row(stored: &StoredEvent, names: &DisplayNames, times: &Times) -> ActivityRow {
    let event = &stored.event;
    let mut what = plain::sentence(&describe(event, event.records_returned, names));
    // What the owner did to an agent names the agent.
    let about = event.package_id.as_ref().filter(|_| event.actor == AuditActor::Owner);
    if let Some(agent) = about.and_then(|package| names.agent(package)) {
        what.truncate(what.trim_end_matches('.').len());
        what.push_str(&format!(", for {}.", plain::line(agent.as_str(), 80)));
    }
    ActivityRow { at: times.moment(event.at), who: who(event), what, refused: is_alarming(event) }
}
