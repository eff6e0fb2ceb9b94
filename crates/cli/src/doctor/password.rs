//! The owner's password: without one nobody gets past the login page.

use super::{DoctorContext, Findings};
use crate::app::CliApp;

const CHECK: &str = "password";

/// Whether the store has one; nothing when it cannot be asked.
pub async fn is_set(app: &CliApp) -> Option<bool> {
    app.auth.has_password().await.ok()
}

/// Says so next to what was found out about signing in.
pub fn tell(context: &DoctorContext, is_set: bool, findings: &mut Findings) {
    if is_set {
        return findings.good(CHECK, "set");
    }
    let set = context.data_dir.advice("owner password");
    findings.note(CHECK, "no owner password yet, so nobody can sign in", set);
}
