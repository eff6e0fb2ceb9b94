//! One bounded GET: connects in time, answers in time, never grows without end.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use bytes::Bytes;
use http::header::{ACCEPT, AUTHORIZATION, HeaderMap, HeaderName, HeaderValue, RANGE, USER_AGENT};
use http::{Request, StatusCode};
use http_body_util::{BodyExt, Empty, LengthLimitError, Limited};
use hyper_rustls::HttpsConnector;
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use pdpp_contract::links::RequestUrl;
use pdpp_contract::{ApiError, ErrorCode};

use super::provider_url::ProviderUrl;
use super::tokens::TokenSource;

/// The largest answer that is taken in.
const MAX_ANSWER_BYTES: usize = 8 * 1024 * 1024;
/// Idle connections to a provider are closed after this time.
const IDLE: Duration = Duration::from_mins(1);
const AGENT: HeaderValue =
    HeaderValue::from_static(concat!("pdpp-mcp/", env!("CARGO_PKG_VERSION")));

type Connector = HttpsConnector<HttpConnector>;

/// How long a provider may take.
#[derive(Debug, Clone, Copy)]
pub struct Timeouts {
    /// Until a connection stands.
    pub connect: Duration,
    /// From the request to the last byte of its answer.
    pub read: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        Self { connect: Duration::from_secs(5), read: Duration::from_secs(20) }
    }
}

/// An answer in full, and what it calls itself.
#[derive(Debug)]
pub(super) struct Answer {
    pub(super) status: StatusCode,
    pub(super) body: Bytes,
    pub(super) request_id: Option<String>,
    pub(super) etag: Option<String>,
    pub(super) content_type: Option<String>,
    pub(super) content_range: Option<String>,
    /// When to ask again, in seconds or as a date.
    pub(super) retry_after: Option<String>,
    /// Who answered.
    pub(super) provider: String,
}

/// Asks one provider with one token. The connection is made with the first question.
pub(super) struct Getter {
    provider: ProviderUrl,
    tokens: Arc<dyn TokenSource>,
    timeouts: Timeouts,
    client: OnceLock<Result<Client<Connector, Empty<Bytes>>, NoTls>>,
}

/// This machine offers no certificates to check a provider's with.
#[derive(Debug, Clone, Copy)]
struct NoTls;

impl Getter {
    pub(super) fn new(
        provider: ProviderUrl,
        tokens: Arc<dyn TokenSource>,
        timeouts: Timeouts,
    ) -> Self {
        Self { provider, tokens, timeouts, client: OnceLock::new() }
    }

    pub(super) fn provider(&self) -> &ProviderUrl {
        &self.provider
    }

    /// Sends the question and waits for the whole answer. Redirects are not followed: the token is
    /// for this provider.
    pub(super) async fn get(&self, address: &RequestUrl) -> Result<Answer, ApiError> {
        self.get_range(address, None).await
    }

    /// The same for a range of bytes, which a server may ignore.
    pub(super) async fn get_range(
        &self,
        address: &RequestUrl,
        range: Option<String>,
    ) -> Result<Answer, ApiError> {
        let asking = self.ask_renewing(address, range);
        tokio::time::timeout(self.timeouts.read, asking).await.unwrap_or_else(|_| {
            let message = "the provider did not answer in time; ask for less, or try again later";
            Err(ApiError::new(ErrorCode::DeadlineExceeded, message))
        })
    }

    /// A token that the provider refuses is renewed once, if it can be.
    async fn ask_renewing(
        &self,
        address: &RequestUrl,
        range: Option<String>,
    ) -> Result<Answer, ApiError> {
        let token = self.tokens.token().await;
        let answer = self.ask(address, range.clone(), &token).await?;
        if answer.status != StatusCode::UNAUTHORIZED {
            return Ok(answer);
        }
        match self.tokens.renewed(&token).await {
            Some(renewed) => self.ask(address, range, &renewed).await,
            None => Ok(answer),
        }
    }

    async fn ask(
        &self,
        address: &RequestUrl,
        range: Option<String>,
        token: &str,
    ) -> Result<Answer, ApiError> {
        let client = self.client.get_or_init(|| client(&self.provider, self.timeouts.connect));
        let client = client.as_ref().map_err(|NoTls| {
            let message = "this machine has no certificates to check the provider's; install the \
                           system's CA certificates";
            ApiError::new(ErrorCode::Unavailable, message)
        })?;
        let request = self.request(address, range, token).map_err(|_| {
            let message = "the request cannot be written as an HTTP request; shorten its arguments";
            ApiError::new(ErrorCode::InvalidRequest, message)
        })?;
        let response = client.request(request).await.map_err(|error| {
            tracing::debug!(connecting = error.is_connect(), "the provider was not reached");
            let message = "the provider cannot be reached; check that it runs, then try again";
            ApiError::new(ErrorCode::Unavailable, message)
        })?;
        let (parts, body) = response.into_parts();
        let body = Limited::new(body, MAX_ANSWER_BYTES).collect().await.map_err(|error| {
            if error.is::<LengthLimitError>() {
                let message = "the provider's answer is larger than 8 MB; ask for fewer records, \
                               or name the fields you need";
                return ApiError::new(ErrorCode::PayloadTooLarge, message);
            }
            let message = "the provider's answer broke off; try again";
            ApiError::new(ErrorCode::Unavailable, message)
        })?;
        Ok(Answer {
            status: parts.status,
            body: body.to_bytes(),
            request_id: request_id(&parts.headers),
            etag: text(&parts.headers, &http::header::ETAG),
            content_type: text(&parts.headers, &http::header::CONTENT_TYPE),
            content_range: text(&parts.headers, &http::header::CONTENT_RANGE),
            retry_after: text(&parts.headers, &http::header::RETRY_AFTER),
            provider: self.provider.as_str().to_owned(),
        })
    }

    fn request(
        &self,
        address: &RequestUrl,
        range: Option<String>,
        token: &str,
    ) -> Result<Request<Empty<Bytes>>, http::Error> {
        let mut bearer = HeaderValue::try_from(format!("Bearer {token}"))?;
        bearer.set_sensitive(true);
        let mut request = Request::get(format!("{}{}", self.provider.as_str(), address.as_str()));
        if let Some(range) = range {
            request = request.header(RANGE, range);
        }
        request
            .header(ACCEPT, HeaderValue::from_static("application/json"))
            .header(AUTHORIZATION, bearer)
            .header(USER_AGENT, AGENT)
            .body(Empty::new())
    }
}

impl std::fmt::Debug for Getter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Getter").field("provider", &self.provider).finish_non_exhaustive()
    }
}

fn client(
    provider: &ProviderUrl,
    connect: Duration,
) -> Result<Client<Connector, Empty<Bytes>>, NoTls> {
    let mut tcp = HttpConnector::new();
    tcp.set_connect_timeout(Some(connect));
    tcp.set_nodelay(true);
    tcp.enforce_http(false);
    let builder = hyper_rustls::HttpsConnectorBuilder::new();
    let builder = if provider.as_str().starts_with("https:") {
        builder.with_native_roots().map_err(|_| NoTls)?.https_only()
    } else {
        // A provider on this machine: no certificate is looked at, so none is loaded.
        builder.with_tls_config(without_certificates()).https_or_http()
    };
    let connector = builder.enable_http1().wrap_connector(tcp);
    Ok(Client::builder(TokioExecutor::new())
        .pool_idle_timeout(IDLE)
        .pool_timer(hyper_util::rt::TokioTimer::new())
        .build(connector))
}

pub(super) fn without_certificates() -> rustls::ClientConfig {
    rustls::ClientConfig::builder()
        .with_root_certificates(rustls::RootCertStore::empty())
        .with_no_client_auth()
}

/// Providers name a request in one of two headers.
fn request_id(headers: &HeaderMap) -> Option<String> {
    let own = text(headers, &HeaderName::from_static("request-id"));
    own.or_else(|| text(headers, &HeaderName::from_static("x-request-id")))
}

fn text(headers: &HeaderMap, name: &HeaderName) -> Option<String> {
    let value = headers.get(name)?.to_str().ok()?;
    (value.len() <= 200).then(|| value.to_owned())
}
