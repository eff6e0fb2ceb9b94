//! `GET /healthz`: the store behind the server answers. Its answer also carries the server's time.

use http::header::DATE;
use jiff::Timestamp;

use super::steps::{Step, Steps, status_words};
use crate::doctor::Findings;

const CHECK: &str = "health";

/// The server's clock, when it tells.
pub async fn check(steps: &mut Steps, findings: &mut Findings) -> Option<Timestamp> {
    let answer = steps.get("/healthz").await.ok()?;
    let is_ours = answer.json.get("status").is_some_and(|status| status == "ok");
    if answer.status == 200 && is_ours {
        steps.good(Step::Health, CHECK, "the server and its store answer", findings);
    } else {
        let what = format!("/healthz answers {}", status_words(answer.status));
        let remedy = match answer.status {
            421 => wrong_host(steps.address.url()),
            503 => "look at the server's log; its store is locked, full or damaged".to_owned(),
            _ => "let the proxy pass every path of this host to pdpp serve".to_owned(),
        };
        steps.fault(Step::Health, CHECK, (what, remedy), findings);
    }
    let date = answer.headers.get(DATE)?.to_str().ok()?;
    jiff::fmt::rfc2822::parse(date).ok().map(|date| date.timestamp())
}

/// What to do about a server that does not know its own name.
pub fn wrong_host(url: &str) -> String {
    format!("start it as pdpp serve --public-url {url}, and let the proxy keep the Host header")
}
