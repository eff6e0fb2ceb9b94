//! The lock of the store: who serves it, or who was killed while doing so.

use super::{Findings, Scene};
use crate::data_dir::serve_lock::{Holder, ServeLock, Serving};
use crate::output::quoted;

const CHECK: &str = "serve_lock";

/// Who serves the store now.
pub fn check(scene: &Scene, findings: &mut Findings) -> Option<Holder> {
    let named = |holder: &Holder| match holder.pid {
        Some(pid) => format!("process {pid}"),
        None => "a process".to_owned(),
    };
    if scene.data_dir.address().is_some() {
        findings.good(CHECK, "not needed: a store in Postgres can have several servers");
        return None;
    }
    match ServeLock::look(&scene.data_dir) {
        Serving::Never => {
            findings.good(CHECK, "free: no server is using this store");
            None
        }
        Serving::Now(holder) => {
            findings.good(CHECK, format!("{} is serving this store", named(&holder)));
            Some(holder)
        }
        Serving::Left(holder) => {
            let file = quoted(&scene.data_dir.serve_lock().display().to_string());
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
