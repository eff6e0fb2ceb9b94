//! Fetching a client's document without becoming somebody's errand boy.
//!
//! The name is resolved once, every address it has must be public, and the connection goes to one of
//! those addresses and to nothing else. No redirects, no proxies, no cookies; little time and space.

mod network;

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use http::{Request, StatusCode, Uri, header};
use http_body_util::{BodyExt, Empty, Limited};
use hyper_util::rt::TokioIo;
use pdpp_auth::oauth::{DocumentFetcher, FetchFault, Fetched, is_public_address};

pub use network::{Network, Stream, SystemNetwork};

/// From the first look at the name to the last byte.
const DEADLINE: Duration = Duration::from_secs(5);
/// A name with more addresses than this is not looked at.
const MAX_ADDRESSES: usize = 8;
const PORT: u16 = 443;

/// Fetches documents from public sites only.
pub struct SafeFetcher {
    network: Arc<dyn Network>,
    deadline: Duration,
}

impl SafeFetcher {
    /// Over this machine's network.
    pub fn system() -> Self {
        Self::over(Arc::new(SystemNetwork::default()), DEADLINE)
    }

    /// Over another one: every address is still checked.
    pub fn over(network: Arc<dyn Network>, deadline: Duration) -> Self {
        Self { network, deadline }
    }

    async fn get(&self, url: &str, max_bytes: usize) -> Result<Fetched, FetchFault> {
        let uri: Uri = url.parse().map_err(|_| FetchFault("the address cannot be read"))?;
        let host = uri.host().unwrap_or_default();
        if uri.scheme_str() != Some("https") || uri.port().is_some() || host.is_empty() {
            return Err(FetchFault("the address is not plain https"));
        }
        let address = self.vetted(host).await?;
        let stream = self.network.connect(host, address).await;
        let stream = stream.map_err(|_| FetchFault("the site cannot be reached"))?;
        let handshake = hyper::client::conn::http1::handshake(TokioIo::new(stream)).await;
        let (mut sender, connection) =
            handshake.map_err(|_| FetchFault("the site does not speak HTTP"))?;
        let driving = tokio::spawn(connection);
        let answer = answer(&mut sender, &uri, host, max_bytes).await;
        driving.abort();
        answer
    }

    /// An address of the name, if all of them are public: one that is not would be used next time.
    async fn vetted(&self, host: &str) -> Result<SocketAddr, FetchFault> {
        let found = self.network.resolve(host).await;
        let found = found.map_err(|_| FetchFault("the name is not known"))?;
        if found.len() > MAX_ADDRESSES || found.iter().any(|address| !is_public_address(*address)) {
            return Err(FetchFault("the name leads to an address that is not public"));
        }
        let first = found.first().ok_or(FetchFault("the name has no address"))?;
        Ok(SocketAddr::new(*first, PORT))
    }
}

#[async_trait]
impl DocumentFetcher for SafeFetcher {
    async fn fetch(&self, url: &str, max_bytes: usize) -> Result<Fetched, FetchFault> {
        let fetching = self.get(url, max_bytes);
        let fetched = tokio::time::timeout(self.deadline, fetching).await;
        fetched.unwrap_or(Err(FetchFault("the site took too long")))
    }
}

async fn answer(
    sender: &mut hyper::client::conn::http1::SendRequest<Empty<Bytes>>,
    uri: &Uri,
    host: &str,
    max_bytes: usize,
) -> Result<Fetched, FetchFault> {
    const BROKEN: FetchFault = FetchFault("the answer cannot be read");
    let path = uri.path_and_query().map_or("/", |path| path.as_str());
    let request = Request::get(path)
        .header(header::HOST, host)
        .header(header::ACCEPT, "application/json")
        .header(header::USER_AGENT, "pdpp")
        .body(Empty::new())
        .map_err(|_| BROKEN)?;
    let response = sender.send_request(request).await.map_err(|_| BROKEN)?;
    let (parts, body) = response.into_parts();
    if parts.status != StatusCode::OK {
        return Err(FetchFault("the site did not answer with the document"));
    }
    let text = |name| parts.headers.get(name).and_then(|value| value.to_str().ok());
    let kind = text(header::CONTENT_TYPE).and_then(|kind| kind.split(';').next());
    let is_json = kind.is_some_and(|kind| {
        kind.trim().eq_ignore_ascii_case("application/json") || kind.trim().ends_with("+json")
    });
    if !is_json || text(header::CONTENT_ENCODING).is_some_and(|coding| coding != "identity") {
        return Err(FetchFault("the document is not plain JSON"));
    }
    let max_age_seconds = text(header::CACHE_CONTROL).and_then(max_age);
    let body = Limited::new(body, max_bytes).collect().await;
    let body = body.map_err(|_| FetchFault("the document is too large or broke off"))?.to_bytes();
    let body = String::from_utf8(body.to_vec()).map_err(|_| BROKEN)?;
    Ok(Fetched { body, max_age_seconds })
}

fn max_age(header: &str) -> Option<u64> {
    let mut parts = header.split(',').map(str::trim);
    if parts.clone().any(|part| part.eq_ignore_ascii_case("no-store")) {
        return None;
    }
    parts.find_map(|part| part.strip_prefix("max-age=")?.parse().ok())
}
