//! The first and last thing a request meets: its id, its log line, its headers, its error body.

pub mod request_id;

use std::panic::AssertUnwindSafe;
use std::time::Instant;

use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use futures_util::FutureExt;
use pdpp_contract::ErrorCode;
use pdpp_contract::limits::PDPP_VERSION;

use self::request_id::RequestId;
use crate::app::App;
use crate::mcp;
use crate::pages;
use crate::refusal::{self, RefusalResponse};

/// Seconds after which a store that went away is worth another try.
const TRY_AGAIN_AFTER: HeaderValue = HeaderValue::from_static("2");

/// Headers every response carries unless its handler chose otherwise.
const ALWAYS: [(&str, &str); 7] = [
    ("pdpp-version", PDPP_VERSION),
    ("cache-control", "private, no-store"),
    ("x-content-type-options", "nosniff"),
    ("x-frame-options", "DENY"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-resource-policy", "same-origin"),
    ("content-security-policy", "default-src 'none'; frame-ancestors 'none'"),
];

/// Runs a request and completes its response, whatever happened inside.
pub async fn finish(State(app): State<App>, mut request: Request, next: Next) -> Response {
    let began = Instant::now();
    let id = RequestId::choose(request.headers(), &*app.services.entropy);
    let method = known_method(request.method());
    let route = request.extensions().get::<MatchedPath>().cloned();
    request.extensions_mut().insert(id.clone());
    let is_agents = mcp::is_agents(route.as_ref().map(MatchedPath::as_str));
    let is_page = pages::is_page(request.uri().path());
    let origin = app.origin_for(request.headers());

    let under_way = app.metrics.begin();
    let mut response = caught(next.run(request)).await;
    drop(under_way);

    let code = if is_agents {
        mcp::render(&mut response, id.as_str(), &origin)
    } else if is_page {
        pages::render(&mut response)
    } else {
        refusal::render(&mut response, id.as_str(), &origin)
    };
    add_headers(response.headers_mut(), &id);
    if response.status() == StatusCode::SERVICE_UNAVAILABLE {
        let headers = response.headers_mut();
        headers.entry(header::RETRY_AFTER).or_insert(TRY_AGAIN_AFTER);
    }
    let call = Call { method, route: route.as_ref().map_or("unmatched", MatchedPath::as_str) };
    app.metrics.count(call.method, call.route, response.status(), began.elapsed());
    call.log(&response, code, &id, began);
    response
}

/// A panic becomes a fault without a word about its cause; the process goes on.
async fn caught(answer: impl Future<Output = Response>) -> Response {
    let answer = AssertUnwindSafe(answer).catch_unwind().await;
    answer.unwrap_or_else(|_| RefusalResponse(refusal::fault()).into_response())
}

/// The part of a request that may stand in a log: never its path or query, which name people.
struct Call<'a> {
    method: &'static str,
    route: &'a str,
}

impl Call<'_> {
    fn log(&self, response: &Response, code: Option<ErrorCode>, id: &RequestId, began: Instant) {
        let Self { method, route } = self;
        let (status, request_id) = (response.status().as_u16(), id.as_str());
        let code = code.map_or("", ErrorCode::as_str);
        let duration_ms = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
        if status >= 500 {
            tracing::warn!(method, route, status, code, duration_ms, request_id, "failed");
        } else {
            tracing::info!(method, route, status, code, duration_ms, request_id, "answered");
        }
    }
}

fn add_headers(headers: &mut HeaderMap, id: &RequestId) {
    for (name, value) in ALWAYS {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    }
    if let Ok(id) = HeaderValue::from_str(id.as_str()) {
        headers.insert(request_id::HEADER, id);
    }
}

/// A caller can invent methods; labels and logs hold a closed list.
fn known_method(method: &Method) -> &'static str {
    match method.as_str() {
        "GET" => "GET",
        "HEAD" => "HEAD",
        "POST" => "POST",
        "PUT" => "PUT",
        "PATCH" => "PATCH",
        "DELETE" => "DELETE",
        "OPTIONS" => "OPTIONS",
        _ => "other",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_panic_becomes_a_fault_without_its_cause() {
        let mut response = caught(async { panic!("the secret") }).await;
        assert_eq!(response.status().as_u16(), 500);
        assert_eq!(refusal::render(&mut response, "req_1", ""), Some(ErrorCode::ApiFault));
        let body = axum::body::to_bytes(response.into_body(), 1_000).await.unwrap();
        let body = String::from_utf8(body.to_vec()).unwrap();
        assert!(body.contains("\"code\":\"api_error\"") && !body.contains("secret"), "{body}");
    }
}
