//! How often one address may ask: generous for people, useless for a flood.

use std::net::IpAddr;
use std::time::Instant;

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::Response;
use serde_json::json;

use super::answer::secret;
use crate::app::App;
use crate::limits::RateLimit;
use crate::limits::shared;

/// What is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RequestKind {
    /// A new client.
    Register,
    /// A sign-in in the owner's browser, which may fetch a client's document.
    Authorize,
    /// Anything else.
    Ask,
}

/// Buckets per address.
#[derive(Debug)]
pub struct OauthRateLimits {
    register: RateLimit<IpAddr>,
    authorize: RateLimit<IpAddr>,
    ask: RateLimit<IpAddr>,
}

impl OauthRateLimits {
    /// `registrations` at once and ten an hour after that; the others are fixed.
    pub fn new(registrations: u32) -> Self {
        Self {
            register: RateLimit::hourly("register", registrations, 10),
            authorize: RateLimit::hourly("authorize", 60, 600),
            ask: RateLimit::new("ask", 300, 10),
        }
    }

    /// Tells the other servers what was asked here. What changes the store is told at once.
    pub async fn tell(&self, app: &App) {
        shared::tell(app, &self.ask).await;
    }

    /// Takes one question, or refuses it with the time to wait.
    pub async fn take(
        &self,
        app: &App,
        kind: RequestKind,
        caller: Option<IpAddr>,
    ) -> Result<(), Response> {
        let Some(caller) = caller.map(network) else { return Ok(()) };
        let taken = match kind {
            RequestKind::Register => shared::take(app, &self.register, &caller).await,
            RequestKind::Authorize => shared::take(app, &self.authorize, &caller).await,
            RequestKind::Ask => self.ask.take(&caller, Instant::now()),
        };
        let Err(wait) = taken else { return Ok(()) };
        let body = json!({
            "error": "temporarily_unavailable",
            "error_description": "too many requests; wait as long as Retry-After says",
        });
        let mut response = secret(StatusCode::TOO_MANY_REQUESTS, &body);
        let seconds = HeaderValue::from(wait.as_secs().saturating_add(1));
        response.headers_mut().insert(header::RETRY_AFTER, seconds);
        Err(response)
    }
}

/// Whoever has an IPv6 network has all its addresses: the network counts.
fn network(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(v6) => match v6.to_ipv4_mapped() {
            Some(v4) => IpAddr::V4(v4),
            None => IpAddr::V6((v6.to_bits() >> 64 << 64).into()),
        },
    }
}
