//! `GET /healthz`: the store behind the server answers. Its answer also carries the server's time.

use http::header::DATE;
use jiff::Timestamp;

use super::steps::{ServerStep, ServerVisit, status_words};
use crate::doctor::Findings;

const CHECK: &str = "health";

/// What the answer tells.
#[derive(Default)]
pub struct HealthAnswer {
    /// The server's clock, when it says.
    pub clock: Option<Timestamp>,
    /// Whether pdpp itself answers that its store does not; nothing was found about that yet.
    pub is_store_away: bool,
}

pub async fn check(steps: &mut ServerVisit, findings: &mut Findings) -> HealthAnswer {
    let Ok(answer) = steps.get("/healthz").await else { return HealthAnswer::default() };
    let date = answer.headers.get(DATE).and_then(|date| date.to_str().ok());
    let clock = date.and_then(|date| jiff::fmt::rfc2822::parse(date).ok());
    let clock = clock.map(|date| date.timestamp());
    // A proxy that finds nobody answers alike, in words of its own.
    let code = answer.json.pointer("/error/code");
    if answer.status == 503 && code.is_some_and(|code| code == "unavailable") {
        return HealthAnswer { clock, is_store_away: true };
    }
    let is_ours = answer.json.get("status").is_some_and(|status| status == "ok");
    if answer.status == 200 && is_ours {
        steps.good(ServerStep::Health, CHECK, "the server and its store respond", findings);
    } else {
        let what = format!("/healthz answers {}", status_words(answer.status));
        let remedy = match answer.status {
            421 => wrong_host(steps.address.url()),
            502..=504 => "start pdpp serve, and point the proxy to its address".to_owned(),
            _ => "let the proxy forward all paths of this host to pdpp serve".to_owned(),
        };
        steps.fault(ServerStep::Health, CHECK, what, remedy, findings);
    }
    HealthAnswer { clock, is_store_away: false }
}

/// What to do about a server that does not know its own name.
pub fn wrong_host(url: &str) -> String {
    format!("start it with pdpp serve --public-url {url}, and let the proxy keep the Host header")
}
