//! `/owner/s/{session}/access`: one row per agent, the newest use first.

use askama::Template;
use axum::extract::State;
use axum::response::Response;

use super::row::AccessRow;
use crate::app::App;
use crate::pages::bars::Bars;
use crate::pages::done::Done;
use crate::pages::fault::PageFault;
use crate::pages::names::DisplayNames;
use crate::pages::session::SignedIn;
use crate::pages::shell::{CurrentPage, Shell, page};
use crate::pages::times::Times;

/// Ended accesses that are still shown.
const ENDED_SHOWN: usize = 20;

#[derive(Template)]
#[template(path = "access.html")]
struct AccessPage {
    shell: Shell,
    done: Option<&'static str>,
    live: Vec<AccessRow>,
    ended: Vec<AccessRow>,
    has_accounts: bool,
    stop_csrf_token: String,
    stop_all_csrf_token: String,
}

/// The list.
pub async fn show(
    SignedIn(session): SignedIn,
    State(app): State<App>,
    Done(done): Done,
) -> Result<Response, PageFault> {
    let (auth, owner) = (&app.services.auth, session.access());
    let times = Times::of(&app).await?;
    let names = DisplayNames::of(&app, owner).await?;
    let hours = auth.active_hours(owner, Bars::since(&times), None).await?;
    let packages = auth.packages(owner).await?;
    let rows = packages.iter().map(|package| AccessRow::of(package, &hours, &names, &times));
    let (mut live, mut ended): (Vec<_>, Vec<_>) = rows.partition(|row| row.is_live);
    live.sort_by_key(|row| std::cmp::Reverse(row.last_activity));
    ended.sort_by_key(|row| std::cmp::Reverse(row.last_activity));
    ended.truncate(ENDED_SHOWN);
    for row in live.iter_mut().chain(&mut ended) {
        row.introduce(&app).await?;
    }
    Ok(page(&AccessPage {
        shell: Shell::inside("Access", CurrentPage::Access, &app, &session),
        done,
        live,
        ended,
        has_accounts: !names.accounts.is_empty(),
        stop_csrf_token: session.csrf("stop"),
        stop_all_csrf_token: session.csrf("stop-all"),
    }))
}
