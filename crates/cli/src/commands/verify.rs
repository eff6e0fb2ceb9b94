//! `pdpp verify`: compares everything in the store with everything.

use clap::Args;
use pdpp_store::audit::AuditChain;
use serde_json::json;

use crate::app::App;
use crate::failure::{Exit, Failure};
use crate::output::{Output, Style, plain};
use crate::table::counted;
use crate::words::Words;

/// Check the whole store: records, typed copies, search index, long texts, blobs, versions, audit log
#[derive(Debug, Args)]
pub struct VerifyArgs {
    /// Derive the search index anew from the records first
    #[arg(long)]
    rebuild_index: bool,
}

/// Checks and reports. A fault is an answer, and still not a success.
pub async fn run(app: &App, args: &VerifyArgs, output: &Output) -> Result<Exit, Failure> {
    if args.rebuild_index {
        app.store.rebuild_index().await?;
    }
    let report = app.store.verify().await?;
    let mut faults = report.faults;
    let events = match app.store.verify_audit().await? {
        AuditChain::Intact { events, .. } => events,
        AuditChain::Broken { event_no } => {
            faults.push(format!("audit event {event_no} is missing or was changed"));
            event_no.saturating_sub(1)
        }
    };
    let document = json!({
        "connections": report.connections,
        "records": report.records,
        "versions": report.versions,
        "texts": report.texts,
        "blobs": report.blobs,
        "audit_events": events,
        "faults": &faults,
    });
    output.answer(&document, || {
        let looked_at = [
            counted(report.connections, "connection", "connections"),
            counted(report.records, "record", "records"),
            counted(report.versions, "version", "versions"),
            counted(report.texts, "long text", "long texts"),
            counted(report.blobs, "blob", "blobs"),
            counted(events, "audit event", "audit events"),
        ];
        let mut words = Words::new(format!("Checked {}.", looked_at.join(", ")));
        if faults.is_empty() {
            words.line("Everything agrees.");
        }
        for fault in &faults {
            words.line(format!("{} {}", output.styled(Style::Wrong, "fault:"), plain(fault)));
        }
        words.into_text()
    })?;
    Ok(if faults.is_empty() { Exit::Done } else { Exit::Other })
}
