//! What `OpenID` clients ask for: a document of the same issuer, or nothing. A page of a proxy there
//! leads some clients astray.

use serde_json::Value;

use super::steps::{ServerStep, ServerVisit};
use crate::doctor::Findings;

const CHECK: &str = "openid_metadata";
const PATH: &str = "/.well-known/openid-configuration";

pub async fn check(steps: &mut ServerVisit, findings: &mut Findings) {
    let Ok(answer) = steps.get(PATH).await else {
        return steps.pass(ServerStep::OpenId);
    };
    let issuer = answer.json.get("issuer").and_then(Value::as_str);
    let is_fine = match answer.status {
        200 => issuer == Some(steps.address.url()),
        status => (400..500).contains(&status),
    };
    if is_fine {
        return steps.pass(ServerStep::OpenId);
    }
    let what = format!("{PATH} is not answered by pdpp");
    let remedy = "let the proxy forward everything below /.well-known/ to pdpp serve".to_owned();
    steps.fault(ServerStep::OpenId, CHECK, what, remedy, findings);
}
