//! A client inside a browser asks first whether it may ask.

use http::header::{ACCESS_CONTROL_ALLOW_ORIGIN, ACCESS_CONTROL_REQUEST_METHOD, ORIGIN};
use http::{Method, Request};

use super::steps::{ServerStep, ServerVisit, status_words};
use crate::doctor::Findings;

const CHECK: &str = "browser_clients";
const PATH: &str = "/.well-known/oauth-authorization-server";
/// Any page: the documents are open to all of them.
const PAGE: &str = "https://inspector.example";

pub async fn check(steps: &mut ServerVisit, findings: &mut Findings) {
    let request = Request::builder()
        .method(Method::OPTIONS)
        .uri(steps.address.at(PATH))
        .header(ORIGIN, PAGE)
        .header(ACCESS_CONTROL_REQUEST_METHOD, "GET")
        .body(String::new());
    let Ok(request) = request else { return };
    let Ok(answer) = steps.web.ask(request).await else {
        return steps.pass(ServerStep::Preflight);
    };
    let allowed = answer.headers.contains_key(ACCESS_CONTROL_ALLOW_ORIGIN);
    if (200..300).contains(&answer.status) && allowed {
        return steps.pass(ServerStep::Preflight);
    }
    let what = format!("OPTIONS {PATH} answers {}", status_words(answer.status));
    let remedy = "let the proxy forward OPTIONS requests and Access-Control headers; only clients in a \
                  browser need them";
    findings.note(CHECK, what, remedy);
}
