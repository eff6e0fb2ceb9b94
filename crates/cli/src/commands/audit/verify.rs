//! `pdpp audit verify`: walks the chain of hashes.

use pdpp_contract::access::AuditChain;
use serde_json::json;

use crate::app::CliApp;
use crate::failure::{Exit, Failure};
use crate::output::table::counted;
use crate::output::{Output, Style, without_nulls};
use pdpp_contract::hex;

/// Walks the chain and reports; a broken chain is an answer, and still not a success.
pub async fn run(app: &CliApp, output: &Output) -> Result<Exit, Failure> {
    match app.store.verify_audit().await? {
        AuditChain::Intact { events, pruned, head } => {
            let head = hex(&head);
            let document = without_nulls(json!({
                "intact": true,
                "events": events,
                "head": head,
                "pruned_events": pruned.as_ref().map(|pruned| pruned.pruned_events),
                "pruned_until": pruned.as_ref().map(|pruned| pruned.until.to_string()),
            }));
            output.answer(&document, || {
                let events = counted(events, "event", "events");
                let pruned = pruned.map(|pruned| {
                    let gone = counted(pruned.pruned_events, "older event", "older events");
                    format!(
                        "{gone} up to {:.0} were removed; verified from there on.\n",
                        pruned.until
                    )
                });
                let pruned = pruned.unwrap_or_default();
                format!(
                    "audit log verified, unchanged: {events}\n{pruned}\
                     Head {head}\n\
                     Keep a copy of the head: it proves later that no earlier event has changed.\n"
                )
            })?;
            Ok(Exit::Done)
        }
        AuditChain::Broken { event_no } => {
            let document = json!({"intact": false, "first_broken_event": event_no});
            output.answer(&document, || {
                let wrong = output.styled(Style::Wrong, "broken");
                format!("audit log {wrong}: event {event_no} is missing or was changed\n")
            })?;
            Ok(Exit::Other)
        }
    }
}
