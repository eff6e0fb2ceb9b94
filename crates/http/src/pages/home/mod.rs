//! `/owner/s/{session}/home`: what is stored, who may read it, what was read lately, what needs attention.

mod attention;

use std::collections::HashMap;

use askama::Template;
use axum::extract::State;
use axum::response::{Redirect, Response};
use jiff::ToSpan;
use pdpp_contract::PackageId;
use pdpp_contract::access::{AuditActor, AuditQuery, StoredEvent};

use self::attention::{AttentionItem, AttentionView};
use super::access::row::AccessRow;
use super::accounts::row::AccountRow;
use super::activity::{LatelyLine, lately};
use super::bars::Bars;
use super::fault::PageFault;
use super::names::DisplayNames;
use super::plain;
use super::session::SignedIn;
use super::session_path::within;
use super::shell::{CurrentPage, Shell, page};
use super::times::Times;
use crate::app::App;

/// Events among which the last reads are looked for.
const RECENT: u32 = 300;
/// Reads that are shown.
const READS_SHOWN: usize = 6;
/// Agents that are shown; the others are counted.
const AGENTS_SHOWN: usize = 5;
/// Accounts that are shown; the others are counted.
const ACCOUNTS_SHOWN: usize = 12;

#[derive(Template)]
#[template(path = "home.html")]
struct HomePage {
    shell: Shell,
    records: String,
    account_count: String,
    size: String,
    attention: Vec<AttentionItem>,
    agents: Vec<AccessRow>,
    more_agents: usize,
    reads: Vec<LatelyLine>,
    accounts: Vec<AccountRow>,
    more_accounts: usize,
    options: String,
}

/// The former start page's address leads here.
pub async fn home(SignedIn(session): SignedIn) -> Redirect {
    Redirect::to(&within(&session, "/home"))
}

/// The page.
pub async fn show(
    SignedIn(session): SignedIn,
    State(app): State<App>,
) -> Result<Response, PageFault> {
    let (auth, engine, owner) = (&app.services.auth, &app.services.engine, session.access());
    let times = Times::of(&app).await?;
    let names = DisplayNames::of(&app, owner).await?;
    let mut owned = names.accounts.clone();
    let record_count = owned.iter().flat_map(|one| &one.streams).map(|one| one.record_count).sum();
    let packages = auth.packages(owner).await?;
    let hours = auth.active_hours(owner, Bars::since(&times), None).await?;
    let live = packages.iter().filter(|one| one.standing == pdpp_auth::Standing::Live);
    let mut agents = Vec::new();
    let mut called: HashMap<PackageId, String> = HashMap::new();
    for package in live {
        let mut row = AccessRow::of(package, &hours, &names, &times);
        row.introduce(&app).await?;
        called.insert(package.package_id.clone(), row.agent.clone());
        agents.push(row);
    }
    agents.sort_by_key(|row| std::cmp::Reverse(row.last_activity));
    let query = AuditQuery { limit: RECENT, ..AuditQuery::default() };
    let events = auth.audit_events(owner, &query).await?;
    let yesterday = times.now().checked_sub(24.hours()).unwrap_or_else(|_| times.now());
    let recent = |event: &&StoredEvent| event.event.at >= yesterday;
    let recent: Vec<&StoredEvent> = events.iter().take_while(recent).collect();
    let view = AttentionView {
        owned: &owned,
        packages: &packages,
        recent: &recent,
        called: &called,
        times: &times,
    };
    let attention = view.items(&app, owner).await?;
    let by_agents: Vec<&StoredEvent> =
        events.iter().filter(|event| matches!(event.event.actor, AuditActor::Client(_))).collect();
    let accounts_left = owned.len().saturating_sub(ACCOUNTS_SHOWN);
    let account_count = plain::counted(owned.len() as u64, "account", "accounts");
    owned.truncate(ACCOUNTS_SHOWN);
    engine.add_spans(owner, &mut owned).await?;
    let more_agents = agents.len().saturating_sub(AGENTS_SHOWN);
    Ok(page(&HomePage {
        shell: Shell::inside("Home", CurrentPage::Home, &app, &session),
        records: plain::counted(record_count, "record", "records"),
        account_count,
        size: plain::size(engine.database_bytes(owner).await?),
        attention,
        more_agents,
        reads: lately(&by_agents, &names, &called, &times, READS_SHOWN),
        agents: agents.into_iter().take(AGENTS_SHOWN).collect(),
        accounts: owned.iter().map(|account| AccountRow::of(account, &times)).collect(),
        more_accounts: accounts_left,
        options: app.command_options.typed.clone(),
    }))
}
