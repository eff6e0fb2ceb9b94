//! A server of ours that works and whose store does not answer.

use super::steps::{ServerStep, ServerVisit};
use crate::doctor::{DoctorContext, Findings, Severity, store};

const CHECK: &str = "health";
const WHAT: &str = "the server is running, but its store does not respond";

/// Says so; where the same database was found silent from here, that was the fault.
pub fn tell(context: &DoctorContext, steps: &mut ServerVisit, findings: &mut Findings) {
    steps.stop(ServerStep::Store);
    let is_database = context.data_dir.address().is_some();
    let is_known = |found: &crate::doctor::Finding| {
        found.check == store::CHECK && found.state == Severity::Fault
    };
    if is_database && findings.iter().any(is_known) {
        return findings.note(CHECK, WHAT, "fix the store, see above; the server then recovers");
    }
    findings.unreachable(CHECK, WHAT, remedy(is_database, context.address.is_some()));
}

/// What helps depends on where its store is, which is known of our own alone.
fn remedy(is_database: bool, may_be_another: bool) -> &'static str {
    match (is_database, may_be_another) {
        (true, _) => {
            "check that Postgres is running and reachable from the server; see the server log"
        }
        (false, true) => {
            "if it is in a database, check that Postgres is running; if it is in a file, see the server \
             log: it is locked, full or damaged"
        }
        (false, false) => "see the server log: the file is locked, full or damaged",
    }
}
