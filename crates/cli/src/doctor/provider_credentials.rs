//! Credentials for servers elsewhere: closed to other people, not over.

use jiff::Timestamp;
use pdpp_contract::Instant;
use serde_json::Value;

use super::credentials::files;
use super::{DoctorContext, Findings};
use crate::agents::read_private;

const CHECK: &str = "provider_credential";

pub fn check(context: &DoctorContext, findings: &mut Findings) {
    for path in files(&context.cache_root.join("clients")) {
        let place = path.display();
        let document: Value = match read_private(&path) {
            Ok(Some(bytes)) => serde_json::from_slice(&bytes).unwrap_or_default(),
            Ok(None) => continue,
            Err(failure) => {
                findings.failed(CHECK, &failure, &context.data_dir);
                continue;
            }
        };
        let issuer = document.pointer("/issuer").and_then(Value::as_str).unwrap_or("URL");
        if is_over(&document, context.now) {
            let remedy = format!("pdpp connect {issuer}");
            findings.fault(CHECK, format!("the sign-in in {place} has expired"), remedy);
        } else {
            findings.good(CHECK, format!("signed in to {issuer}"));
        }
    }
}

/// A token that has ended and that nothing renews.
fn is_over(document: &Value, now: Timestamp) -> bool {
    let text = |pointer: &str| document.pointer(pointer).and_then(Value::as_str);
    let ends = text("/credential/expires_at").and_then(Instant::parse);
    let ended = ends.is_some_and(|ends| ends.timestamp() <= now);
    ended && text("/credential/refresh_token").is_none()
}
