//! The credential that is kept for this server: whether the server still takes it.

use pdpp_mcp::remote::{ProviderUrl, Web};
use serde_json::Value;

use super::address::ServerAddress;
use crate::agents::ProviderCache;
use crate::doctor::{DoctorContext, Findings};
use crate::output::plain;

const CHECK: &str = "token";

pub async fn check(context: &DoctorContext, address: &ServerAddress, findings: &mut Findings) {
    let Ok(provider) = address.url().parse::<ProviderUrl>() else { return };
    let cache = ProviderCache::new(context.cache_root.clone());
    // A file that is not as it should be has been found already.
    let Ok(Some(kept)) = cache.find(&provider) else { return };
    let Ok(answer) = Web.get(&address.at("/v1/token"), Some(&kept.access_token)).await else {
        return;
    };
    if answer.status == 200 {
        return findings.good(CHECK, "the saved sign-in works");
    }
    if kept.refresh_token.is_some() && kept.expires_at.is_some_and(|end| end <= context.now) {
        return findings.good(CHECK, "the saved sign-in is renewed on its next use");
    }
    let code = answer.json.pointer("/error/code").and_then(Value::as_str).unwrap_or("refused");
    findings.fault(
        CHECK,
        format!("the server refuses the saved sign-in ({})", plain(code)),
        format!("sign in again: pdpp connect {}", address.url()),
    );
}
