//! Answers to clients: JSON that nobody keeps, refusals in OAuth's words, open to every page.

use axum::Json;
use axum::body::Body;
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use pdpp_auth::oauth::{OauthCode, OauthError};
use serde_json::{Value, json};

const METHODS: HeaderValue = HeaderValue::from_static("GET, POST, OPTIONS");
const SENT: HeaderValue =
    HeaderValue::from_static("Authorization, Content-Type, Accept, MCP-Protocol-Version");
const ANY: HeaderValue = HeaderValue::from_static("*");

/// A refusal on its way out.
pub struct OauthRefusal {
    error: OauthError,
    /// The client tried to prove a key, so it is told in the status too.
    proved: bool,
}

impl From<OauthError> for OauthRefusal {
    fn from(error: OauthError) -> Self {
        Self { error, proved: false }
    }
}

impl OauthRefusal {
    /// A refusal of a request that carried an assertion or not.
    pub fn of(error: OauthError, proved: bool) -> Self {
        Self { error, proved }
    }
}

impl IntoResponse for OauthRefusal {
    fn into_response(self) -> Response {
        let status = match self.error.code {
            OauthCode::InvalidClient if self.proved => StatusCode::UNAUTHORIZED,
            OauthCode::ServerError => StatusCode::INTERNAL_SERVER_ERROR,
            OauthCode::TemporarilyUnavailable => StatusCode::SERVICE_UNAVAILABLE,
            _ => StatusCode::BAD_REQUEST,
        };
        let body = json!({
            "error": self.error.code.as_str(),
            "error_description": self.error.description,
        });
        secret(status, &body)
    }
}

/// A JSON answer that must not be kept anywhere.
pub fn secret(status: StatusCode, document: &Value) -> Response {
    let mut response = (status, Json(document)).into_response();
    not_kept(response.headers_mut());
    response
}

fn not_kept(headers: &mut HeaderMap) {
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(header::PRAGMA, HeaderValue::from_static("no-cache"));
}

/// A document that is the same for everybody.
pub fn public(document: &Value) -> Response {
    let mut response = Json(document).into_response();
    let kept = HeaderValue::from_static("max-age=300");
    response.headers_mut().insert(header::CACHE_CONTROL, kept);
    response
}

/// Answers a browser's question before it sends anything.
pub async fn preflight() -> Response {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::NO_CONTENT;
    let headers = response.headers_mut();
    headers.insert(header::ACCESS_CONTROL_ALLOW_METHODS, METHODS);
    headers.insert(header::ACCESS_CONTROL_ALLOW_HEADERS, SENT);
    headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, ANY);
    response
}

/// Lets every page read the answers.
pub async fn cors(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, ANY);
    headers.insert(
        header::ACCESS_CONTROL_EXPOSE_HEADERS,
        HeaderValue::from_static("WWW-Authenticate, Request-Id, Retry-After"),
    );
    response
}
