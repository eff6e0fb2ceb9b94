//! `pdpp verify`: compares everything in the store with everything.

use clap::Args;
use pdpp_auth::Standing;
use pdpp_contract::access::AuditChain;
use pdpp_store::StoreError;
use pdpp_store::maintenance::VerifyReport;
use serde_json::json;

use crate::app::CliApp;
use crate::commands::maintenance::store_report;
use crate::data_dir::DataDir;
use crate::failure::{Exit, Failure, STORE_DAMAGED};
use crate::output::table::counted;
use crate::output::words::Words;
use crate::output::{Output, Style, plain};

/// Check the whole store: records, search index, texts, files, changes, grants and audit log
#[derive(Debug, Args)]
pub struct VerifyArgs {
    /// Rebuild the search index from the records first
    #[arg(long)]
    rebuild_index: bool,
}

/// Checks and reports. A fault is an answer, and still not a success.
pub async fn run(data_dir: DataDir, args: &VerifyArgs, output: &Output) -> Result<Exit, Failure> {
    let app = match CliApp::open_existing(data_dir).await {
        Ok(app) => app,
        // Too damaged to be opened: that is what was found.
        Err(failure) if failure.code == STORE_DAMAGED => {
            return answer(&VerifyReport::default(), 0, &[failure.sentence()], output);
        }
        Err(failure) => return Err(failure),
    };
    let mut faults = Vec::new();
    if args.rebuild_index
        && let Err(error) = app.store.rebuild_index().await
    {
        faults.push(damage("cannot rebuild the search index", error)?);
    }
    let report = app.store.verify().await?;
    faults.extend(report.faults.iter().cloned());
    faults.extend(unreadable_grants(&app).await);
    let events = match app.store.verify_audit().await {
        Ok(AuditChain::Intact { events, .. }) => events,
        Ok(AuditChain::Broken { event_no }) => {
            faults.push(format!("audit event {event_no} is missing or was changed"));
            event_no.saturating_sub(1)
        }
        Err(error) => {
            faults.push(damage("audit log", error)?);
            0
        }
    };
    answer(&report, events, &faults, output)
}

/// The words for a fault that stopped a part of the check; any other failure stops all of it.
fn damage(what: &str, error: StoreError) -> Result<String, Failure> {
    match error.damage() {
        Some(damage) => Ok(format!("{what}: {damage}")),
        None => Err(error.into()),
    }
}

/// Live grants that say nothing this version understands.
async fn unreadable_grants(app: &CliApp) -> Vec<String> {
    // What cannot be listed at all is among the store's own faults.
    let packages = app.auth.packages(&app.owner()).await.unwrap_or_default();
    let grants = packages.into_iter().flat_map(|package| package.grants);
    let bad = grants.filter(|grant| grant.standing == Standing::Live && grant.grant.is_none());
    bad.map(|grant| format!("grant {} cannot be read", grant.grant_id)).collect()
}

fn answer(
    report: &VerifyReport,
    events: u64,
    faults: &[String],
    output: &Output,
) -> Result<Exit, Failure> {
    let own = [
        ("stray_files", json!(report.strays)),
        ("audit_events", json!(events)),
        ("faults", json!(faults)),
    ];
    let document = store_report::document(report, own);
    output.answer(&document, || {
        let looked_at = [
            counted(report.connections, "account", "accounts"),
            counted(report.records, "record", "records"),
            counted(report.versions, "version", "versions"),
            counted(report.texts, "long text", "long texts"),
            counted(report.blobs, "file", "files"),
            counted(events, "audit event", "audit events"),
        ];
        let mut words = Words::new(format!("Checked {}.", looked_at.join(", ")));
        if report.strays > 0 {
            let files = counted(report.strays, "file", "files");
            words.line(format!(
                "{files} left over from an interrupted command, or in use right now; the next import or \
                 server start removes leftovers."
            ));
        }
        if faults.is_empty() {
            words.line("No problems found.");
        }
        for fault in faults {
            words.line(format!("{} {}", output.styled(Style::Wrong, "fault:"), plain(fault)));
        }
        if !faults.is_empty() {
            words.line("Restore a backup, or import the data again.");
        }
        words.into_text()
    })?;
    Ok(if faults.is_empty() { Exit::Done } else { Exit::Other })
}
