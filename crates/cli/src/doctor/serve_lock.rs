//! The lock of the store: who serves it, or who was killed while doing so.

use super::{DoctorContext, Findings};
use crate::data_dir::serve_lock::{Holder, LockState, ServeLock};
use crate::output::quoted;

const CHECK: &str = "serve_lock";

/// Who serves the store now.
pub fn check(context: &DoctorContext, findings: &mut Findings) -> Option<Holder> {
    let named = |holder: &Holder| match holder.pid {
        Some(pid) => format!("process {pid}"),
        None => "a process".to_owned(),
    };
    if context.data_dir.address().is_some() {
        findings.good(CHECK, "not needed: a store in Postgres can have several servers");
        return None;
    }
    match ServeLock::look(&context.data_dir) {
        LockState::Free => {
            findings.good(CHECK, "free: no server is using this store");
            None
        }
        LockState::Held(holder) => {
            findings.good(CHECK, format!("{} is serving this store", named(&holder)));
            Some(holder)
        }
        LockState::Stale(holder) => {
            let file = quoted(&context.data_dir.serve_lock().display().to_string());
            findings.fault(
                CHECK,
                format!(
                    "{} was serving this store and was killed; its lock is stale",
                    named(&holder)
                ),
                format!(
                    "start pdpp serve again, or rm {file}; then check the store with pdpp verify"
                ),
            );
            None
        }
    }
}
