//! Which pages may call `/mcp` from a browser, and what they may send and see.

use axum::body::Body;
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::Response;

const METHODS: HeaderValue = HeaderValue::from_static("POST, OPTIONS");
const SENT: HeaderValue = HeaderValue::from_static(
    "Authorization, Content-Type, Accept, MCP-Protocol-Version, Mcp-Method, Mcp-Name, \
     Mcp-Session-Id, Last-Event-ID",
);
const SEEN: HeaderValue =
    HeaderValue::from_static("WWW-Authenticate, MCP-Protocol-Version, Request-Id, Retry-After");
const KEPT_SECONDS: HeaderValue = HeaderValue::from_static("600");

/// Answers a browser's question before any token is looked at, and lets allowed pages read answers.
/// An Origin that reaches this place has passed the guard.
pub async fn cors(request: Request, next: Next) -> Response {
    let origin = request.headers().get(header::ORIGIN).cloned();
    // Documents answer for themselves: they are open to every page.
    let is_document = request.uri().path().starts_with(super::WELL_KNOWN);
    if request.method() == Method::OPTIONS && !is_document {
        let mut response = Response::new(Body::empty());
        *response.status_mut() = StatusCode::NO_CONTENT;
        let headers = response.headers_mut();
        headers.insert(header::ACCESS_CONTROL_ALLOW_METHODS, METHODS);
        headers.insert(header::ACCESS_CONTROL_ALLOW_HEADERS, SENT);
        headers.insert(header::ACCESS_CONTROL_MAX_AGE, KEPT_SECONDS);
        allow(headers, origin);
        return response;
    }
    let mut response = next.run(request).await;
    if !response.headers().contains_key(header::ACCESS_CONTROL_ALLOW_ORIGIN) {
        allow(response.headers_mut(), origin);
    }
    response
}

fn allow(headers: &mut HeaderMap, origin: Option<HeaderValue>) {
    headers.append(header::VARY, HeaderValue::from_static("Origin"));
    if let Some(origin) = origin {
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
        headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, SEEN);
    }
}
