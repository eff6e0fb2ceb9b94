//! A small HTTP client for signing in at a provider: bounded, without redirects, cookies or proxies.

use std::time::Duration;

use bytes::Bytes;
use http::header::{
    ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderValue, USER_AGENT, WWW_AUTHENTICATE,
};
use http::{Method, Request};
use http_body_util::{BodyExt, Full, Limited};
use hyper_rustls::HttpsConnector;
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use serde_json::Value;

use super::provider_url::ProviderUrl;

const MAX_ANSWER_BYTES: usize = 1024 * 1024;
const CONNECT: Duration = Duration::from_secs(5);
const WHOLE: Duration = Duration::from_secs(20);
const FORM: &str = "application/x-www-form-urlencoded";

/// Why there was no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum WebFault {
    /// The address is neither https nor this machine.
    #[error("the address is neither https nor on this machine")]
    Address,
    /// Nobody answered in time.
    #[error("no response; check that the server is running")]
    Unreachable,
}

/// What came back.
#[derive(Debug, Clone)]
pub struct WebAnswer {
    /// The status.
    pub status: u16,
    /// The body as JSON; null when it is none.
    pub json: Value,
    /// What else was said about it.
    pub headers: HeaderMap,
}

impl WebAnswer {
    /// How to sign in, when the server says so (`WWW-Authenticate`).
    pub fn challenge(&self) -> Option<&str> {
        self.headers.get(WWW_AUTHENTICATE)?.to_str().ok()
    }
}

/// The client. Each question makes its own connection: there are few.
#[derive(Debug, Clone, Copy, Default)]
pub struct Web;

impl Web {
    /// Asks for a document, with a bearer or without.
    pub async fn get(&self, url: &str, bearer: Option<&str>) -> Result<WebAnswer, WebFault> {
        let bearer = bearer.map(|token| format!("Bearer {token}"));
        self.send(Method::GET, url, (None, bearer.as_deref(), String::new())).await
    }

    /// Sends a form, with an `Authorization` header or without.
    pub async fn post_form(
        &self,
        url: &str,
        params: &[(&str, &str)],
        authorization: Option<&str>,
    ) -> Result<WebAnswer, WebFault> {
        let pairs: Vec<String> =
            params.iter().map(|(name, value)| format!("{name}={}", encoded(value))).collect();
        self.send(Method::POST, url, (Some(FORM), authorization, pairs.join("&"))).await
    }

    /// Sends a document.
    pub async fn post_json(&self, url: &str, document: &Value) -> Result<WebAnswer, WebFault> {
        let kind = Some("application/json");
        self.send(Method::POST, url, (kind, None, document.to_string())).await
    }

    async fn send(
        &self,
        method: Method,
        url: &str,
        (kind, authorization, body): (Option<&'static str>, Option<&str>, String),
    ) -> Result<WebAnswer, WebFault> {
        let mut request = Request::builder().method(method).uri(url);
        request = request.header(ACCEPT, "application/json").header(USER_AGENT, "pdpp");
        if let Some(kind) = kind {
            request = request.header(CONTENT_TYPE, kind);
        }
        if let Some(authorization) = authorization {
            let mut value = HeaderValue::try_from(authorization).map_err(|_| WebFault::Address)?;
            value.set_sensitive(true);
            request = request.header(AUTHORIZATION, value);
        }
        self.ask(request.body(body).map_err(|_| WebFault::Address)?).await
    }

    /// Asks anything, with headers of the caller's choice.
    pub async fn ask(&self, request: Request<String>) -> Result<WebAnswer, WebFault> {
        let url = request.uri().to_string();
        // The same rule as for providers: a secret goes over TLS or stays on this machine.
        url.parse::<ProviderUrl>().map_err(|_| WebFault::Address)?;
        let request = request.map(|body| Full::new(Bytes::from(body)));
        let client = client(&url)?;
        let asking = async {
            let response = client.request(request).await.map_err(|_| WebFault::Unreachable)?;
            let status = response.status().as_u16();
            let headers = response.headers().clone();
            let body = Limited::new(response.into_body(), MAX_ANSWER_BYTES).collect().await;
            let body = body.map_err(|_| WebFault::Unreachable)?.to_bytes();
            let json = serde_json::from_slice(&body).unwrap_or(Value::Null);
            Ok(WebAnswer { status, json, headers })
        };
        tokio::time::timeout(WHOLE, asking).await.unwrap_or(Err(WebFault::Unreachable))
    }
}

type PlainClient = Client<HttpsConnector<HttpConnector>, Full<Bytes>>;

fn client(url: &str) -> Result<PlainClient, WebFault> {
    let mut tcp = HttpConnector::new();
    tcp.set_connect_timeout(Some(CONNECT));
    tcp.enforce_http(false);
    let builder = hyper_rustls::HttpsConnectorBuilder::new();
    let builder = if url.starts_with("https:") {
        builder.with_native_roots().map_err(|_| WebFault::Unreachable)?.https_only()
    } else {
        builder.with_tls_config(super::get::without_certificates()).https_or_http()
    };
    Ok(Client::builder(TokioExecutor::new()).build(builder.enable_http1().wrap_connector(tcp)))
}

/// A value as it stands in a form or a query.
pub fn encoded(value: &str) -> String {
    let mut text = String::with_capacity(value.len());
    for byte in value.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => {
                text.push(char::from(byte));
            }
            other => text.push_str(&format!("%{other:02X}")),
        }
    }
    text
}
