//! A server of ours that works and whose store does not answer.

use super::steps::{Step, Steps};
use crate::doctor::{Findings, Scene, State, store};

const CHECK: &str = "health";
const WHAT: &str = "the server runs, but its store does not answer";

/// Says so; where the same database was found silent from here, that was the fault.
pub fn tell(scene: &Scene, steps: &mut Steps, findings: &mut Findings) {
    steps.stop(Step::Store);
    let is_database = scene.data_dir.address().is_some();
    let is_known =
        |found: &crate::doctor::Finding| found.check == store::CHECK && found.state == State::Fault;
    if is_database && findings.iter().any(is_known) {
        return findings.note(CHECK, WHAT, "mend the store, see above; the server goes on then");
    }
    findings.silence(CHECK, WHAT, remedy(is_database, scene.address.is_some()));
}

/// What helps depends on where its store is, which is known of our own alone.
fn remedy(is_database: bool, may_be_another: bool) -> &'static str {
    match (is_database, may_be_another) {
        (true, _) => "see that Postgres runs where the server looks for it; its log says why not",
        (false, true) => {
            "if it is in a database, see that Postgres runs; if in a file, look at the server's \
             log: it is locked, full or damaged"
        }
        (false, false) => "look at the server's log: its file is locked, full or damaged",
    }
}
