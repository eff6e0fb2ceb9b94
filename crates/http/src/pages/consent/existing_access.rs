//! The same agent again: what it may read already, and what this decision would change.

use std::collections::BTreeSet;

use pdpp_auth::oauth::ReviewedConsent;
use pdpp_auth::{GrantSelector, OwnerAccess, PackageSummary, Standing};
use pdpp_contract::{ClientName, StreamGrant};

use crate::app::App;
use crate::pages::fault::PageFault;
use crate::pages::grant_text::{Clause, clause, fields, stream_clause};
use crate::pages::names::{DisplayNames, stream_label};
use crate::pages::plain;
use crate::pages::times::Times;

/// A live access of the same agent.
pub struct ExistingAccess {
    pub package_id: String,
    pub clauses: Vec<Clause>,
    /// Whether it ends when the new one begins.
    pub is_replaced: bool,
    /// What the new one adds and takes away, once something is chosen.
    pub added: Vec<String>,
    pub removed: Vec<String>,
    pub has_difference: bool,
}

/// The newest live access of this agent.
pub async fn find(
    app: &App,
    owner: &OwnerAccess,
    client: &ClientName,
) -> Result<Option<PackageSummary>, PageFault> {
    let which = GrantSelector::Client(client.clone());
    let found = match app.services.auth.package(owner, &which).await {
        Ok(found) => found,
        Err(pdpp_auth::AuthError::NothingMatches { .. }) => return Ok(None),
        Err(error) => return Err(error.into()),
    };
    let live = found.into_iter().filter(|package| package.standing == Standing::Live);
    Ok(live.max_by_key(|package| package.created_at))
}

/// The access in words, and the difference to what is chosen now.
pub fn describe(
    package: &PackageSummary,
    reviewed: Option<&ReviewedConsent>,
    is_replaced: bool,
    (names, times): (&DisplayNames, &Times),
) -> ExistingAccess {
    let live = package.grants.iter().filter(|grant| grant.standing == Standing::Live);
    let grants: Vec<_> = live.filter_map(|summary| summary.grant.as_ref()).collect();
    let before: BTreeSet<String> = grants
        .iter()
        .flat_map(|grant| &grant.streams)
        .flat_map(|one| cells(one, names, times))
        .collect();
    let after: BTreeSet<String> = reviewed
        .iter()
        .flat_map(|reviewed| &reviewed.grants)
        .flat_map(|grant| &grant.streams)
        .flat_map(|one| cells(one, names, times))
        .collect();
    ExistingAccess {
        package_id: package.package_id.to_string(),
        clauses: grants.iter().map(|grant| clause(grant, names, times)).collect(),
        is_replaced,
        added: after.difference(&before).cloned().collect(),
        removed: before.difference(&after).cloned().collect(),
        has_difference: reviewed.is_some(),
    }
}

/// A granted stream as lines that can be compared: its fields, and its time.
fn cells(granted: &StreamGrant, names: &DisplayNames, times: &Times) -> Vec<String> {
    let account = granted.instance_ids.first();
    let account_label = account.map(|id| names.account_label(id)).unwrap_or_default();
    let known = account.and_then(|id| names.account(id));
    let known = known.and_then(|one| one.streams.iter().find(|one| one.name == granted.name));
    let label = known.map_or_else(|| plain::words(granted.name.as_str()), stream_label);
    let place = format!("{account_label}, {label}");
    let words = stream_clause(granted, known, times);
    let range = words.range.map_or_else(
        || "at any time".to_owned(),
        |range| {
            let from = range.from.map(|from| format!("from {from} on"));
            let until = range.until.map(|until| format!("before {until}"));
            [from, until].into_iter().flatten().collect::<Vec<_>>().join(", ")
        },
    );
    let one = |field: &str| format!("{place}: {}", fields(std::iter::once(field)));
    let mut cells: Vec<String> = granted.fields.iter().map(|field| one(field.as_str())).collect();
    cells.push(format!("{place}: {range}"));
    cells
}
