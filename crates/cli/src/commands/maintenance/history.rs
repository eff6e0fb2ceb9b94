//! `pdpp history`: how far back the audit log and the changes reach, and how long they are kept.

use clap::{Args, Subcommand};
use pdpp_auth::{PrunedBy, Retention, RetentionPeriod};
use pdpp_store::retention::{DatabaseSize, History};
use serde_json::{Value, json};

use crate::app::CliApp;
use crate::cli::past_time::PastTime;
use crate::failure::{Exit, Failure};
use crate::output::table::{counted, grouped};
use crate::output::words::Words;
use crate::output::{Output, without_nulls};

/// Show or set how long past changes and audit events are kept
#[derive(Debug, Args)]
pub struct HistoryArgs {
    #[command(subcommand)]
    action: Option<Action>,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Show what is kept of the audit log and of past changes (the default)
    Show,
    /// Set how long audit events and old record versions are kept: a number of days, or forever
    ///
    /// The default is 400d for each. A running server removes what is older, by whole days. The newest
    /// version of a record is always kept.
    Keep(KeepArgs),
    /// Remove old versions and audit events now
    ///
    /// Records stay as they are, and so does the last change of each of their fields. An agent whose
    /// bookmark is older than a removed change has to start over. The rest of the audit log can still
    /// be verified.
    Prune(PruneArgs),
}

#[derive(Debug, Args)]
struct KeepArgs {
    /// How long audit events are kept
    #[arg(long, value_name = "DAYS", required_unless_present = "versions")]
    audit: Option<RetentionPeriod>,
    /// How long old record versions are kept
    #[arg(long, value_name = "DAYS")]
    versions: Option<RetentionPeriod>,
}

#[derive(Debug, Args)]
struct PruneArgs {
    /// Remove versions older than the newest N changes, whatever their age
    #[arg(long, value_name = "N")]
    keep_changes: Option<u32>,
    /// Remove audit events before this time, whatever the settings: 90d, a date or an RFC 3339 time
    #[arg(long, value_name = "T")]
    audit_before: Option<PastTime>,
}

/// Runs one of the actions; showing when none is named.
pub async fn run(args: HistoryArgs, app: &CliApp, output: &Output) -> Result<Exit, Failure> {
    match args.action {
        None | Some(Action::Show) => show(app, output).await?,
        Some(Action::Keep(args)) => {
            let old = app.auth.retention().await?;
            let new = Retention {
                audit: args.audit.unwrap_or(old.audit),
                versions: args.versions.unwrap_or(old.versions),
            };
            app.auth.change_retention(&app.owner(), new).await?;
            show(app, output).await?;
        }
        Some(Action::Prune(args)) => prune(&args, app, output).await?,
    }
    Ok(Exit::Done)
}

async fn show(app: &CliApp, output: &Output) -> Result<(), Failure> {
    let history = app.store.history().await?;
    let room = app.store.room().await?;
    let retention = app.auth.retention().await?;
    output.answer(&document(&history, room, retention), || words(&history, room, retention, app))
}

fn document(history: &History, room: DatabaseSize, retention: Retention) -> Value {
    let pruned = history.audit_pruned.as_ref();
    without_nulls(json!({
        "changes": history.changes,
        "versions": history.versions,
        "audit_events": history.audit_events,
        "audit_from": history.audit_from.map(|at| at.to_string()),
        "audit_pruned_events": pruned.map(|pruned| pruned.pruned_events),
        "audit_pruned_until": pruned.map(|pruned| pruned.until.to_string()),
        "keep": {
            "audit_days": retention.audit.days(),
            "version_days": retention.versions.days(),
        },
        "database_bytes": room.bytes,
        "unused_bytes": room.unused_bytes,
    }))
}

fn words(history: &History, room: DatabaseSize, retention: Retention, app: &CliApp) -> String {
    let kept = |kept: RetentionPeriod| {
        kept.days().map_or_else(
            || "kept forever".to_owned(),
            |days| format!("kept {}", counted(u64::from(days), "day", "days")),
        )
    };
    let changes = counted(u64::try_from(history.changes).unwrap_or(0), "change", "changes");
    let versions = counted(history.versions, "version", "versions");
    let mut words = Words::new(format!(
        "{changes} so far; {versions} of records in the change log, {}.",
        kept(retention.versions)
    ));
    let events = counted(history.audit_events, "event", "events");
    let from = history.audit_from.map(|at| format!(" since {at:.0}")).unwrap_or_default();
    words.line(format!("{events} in the audit log{from}, {}.", kept(retention.audit)));
    if let Some(pruned) = &history.audit_pruned {
        let gone = counted(pruned.pruned_events, "older event", "older events");
        words.line(format!("{gone} up to {:.0} were removed.", pruned.until));
    }
    let unused = room.unused_bytes.filter(|unused| *unused > 0);
    let unused = unused.map(|unused| format!(", {} unused", grouped(unused)));
    words.line(format!(
        "Database size: {} bytes{}.",
        grouped(room.bytes),
        unused.unwrap_or_default()
    ));
    if history.audit_pruned.is_some() || room.unused_bytes.is_some_and(|unused| unused > 0) {
        words.line(format!(
            "To return unused space to the disk: {}",
            app.data_dir.advice("compact")
        ));
    }
    words.into_text()
}

async fn prune(args: &PruneArgs, app: &CliApp, output: &Output) -> Result<(), Failure> {
    let changes = app.store.newest_change().await?;
    let (mut events, mut versions) = (0, 0);
    if let Some(keep_changes) = args.keep_changes {
        let through = changes.back(keep_changes);
        versions = app.store.prune_versions(through).await?;
    }
    if let Some(before) = args.audit_before {
        // A time before all time removes nothing.
        if let Some(before) = before.seen_from(app.clock.now()) {
            events = app.auth.prune_audit(before).await?;
        }
    }
    if args.keep_changes.is_none() && args.audit_before.is_none() {
        let pruned = app.auth.apply_retention(PrunedBy::Owner).await?;
        (events, versions) = (pruned.events, pruned.versions);
    }
    let document = json!({
        "changes": changes.0,
        "forgotten_versions": versions,
        "removed_audit_events": events,
    });
    output.answer(&document, || {
        format!(
            "Removed {} and {}.\n",
            counted(versions, "version", "versions"),
            counted(events, "audit event", "audit events")
        )
    })
}
