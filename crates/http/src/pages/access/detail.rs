//! `/owner/s/{session}/access/{package}`: what one agent may read, and what it has read.

use askama::Template;
use axum::extract::{Path, State};
use axum::response::Response;
use pdpp_auth::{AuditQuery, GrantSelector, Standing};
use pdpp_contract::PackageId;

use super::row::AccessRow;
use crate::app::App;
use crate::pages::activity::{ActivityDay, by_day};
use crate::pages::bars::Bars;
use crate::pages::done::Done;
use crate::pages::fault::PageFault;
use crate::pages::grant_text::{Clause, clause};
use crate::pages::names::DisplayNames;
use crate::pages::session::SignedIn;
use crate::pages::shell::{CurrentPage, Shell, page};
use crate::pages::times::Times;

/// Events from which recent activity is summarised.
const RECENT: u32 = 300;

#[derive(Template)]
#[template(path = "access_detail.html")]
struct DetailPage {
    shell: Shell,
    done: Option<&'static str>,
    row: AccessRow,
    parts: Vec<Part>,
    days: Vec<ActivityDay>,
    without_codes: bool,
    without_secrets: bool,
    documents: String,
    stop_csrf_token: String,
}

/// One account of the access.
struct Part {
    grant_id: String,
    is_live: bool,
    clause: Clause,
}

/// The detail.
pub async fn show(
    SignedIn(session): SignedIn,
    State(app): State<App>,
    Path((_, package)): Path<(String, String)>,
    Done(done): Done,
) -> Result<Response, PageFault> {
    let (auth, owner) = (&app.services.auth, session.access());
    let package_id: PackageId = package.parse().map_err(|_| PageFault::Missing)?;
    let found = auth.package(owner, &GrantSelector::Package(package_id.clone())).await?;
    let package = found.into_iter().next().ok_or(PageFault::Missing)?;
    let times = Times::of(&app).await?;
    let names = DisplayNames::of(&app, owner).await?;
    let hours = auth.active_hours(owner, Bars::since(&times), Some(&package_id)).await?;
    let query = AuditQuery { package_id: Some(package_id), limit: RECENT, ..AuditQuery::default() };
    let events = auth.audit_events(owner, &query).await?;
    let parts = package.grants.iter().filter_map(|summary| {
        Some(Part {
            grant_id: summary.grant_id.to_string(),
            is_live: summary.standing == Standing::Live,
            clause: clause(summary.grant.as_ref()?, &names, &times),
        })
    });
    let documents: Vec<_> = package.grants.iter().filter_map(|one| one.grant.as_ref()).collect();
    let parts: Vec<Part> = parts.collect();
    let mut row = AccessRow::of(&package, &hours, &names, &times);
    row.introduce(&app).await?;
    Ok(page(&DetailPage {
        shell: Shell::inside("Access details", CurrentPage::Access, &app, &session),
        done,
        row,
        without_codes: !parts.is_empty() && parts.iter().all(|part| part.clause.without_codes),
        without_secrets: !parts.is_empty() && parts.iter().all(|part| part.clause.without_secrets),
        parts,
        days: by_day(&events, &names, &times),
        documents: serde_json::to_string_pretty(&documents).unwrap_or_default(),
        stop_csrf_token: session.csrf("stop"),
    }))
}
