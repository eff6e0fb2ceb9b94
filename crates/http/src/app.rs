//! What every handler can reach: the product's parts and the server's own state.

use std::ops::Deref;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::http::{HeaderMap, Uri, header};
use jiff::tz::TimeZone;
use pdpp_auth::{AuditLog, Auth, ProcessKey};
use pdpp_contract::access::TokenFingerprint;
use pdpp_contract::ports::{Clock, Entropy};
use pdpp_engine::Engine;
use pdpp_mcp::serve::McpService;

use crate::guard::{HostAddress, Hosts, TrustedProxy};
use crate::limits::AgentLimits;
use crate::limits::RateLimit;
use crate::oauth::OauthRateLimits;
use crate::open::metrics::Metrics;
use crate::pages::CommandOptions;

/// The parts of the product that the server stands in front of.
#[derive(Clone)]
pub struct Services {
    /// Answers reads and takes writes.
    pub engine: Engine,
    /// Tells who a token belongs to.
    pub auth: Arc<Auth>,
    /// Keeps who read what.
    pub audit: AuditLog,
    /// Tells the time.
    pub clock: Arc<dyn Clock>,
    /// Mints request ids.
    pub entropy: Arc<dyn Entropy>,
    /// Speaks MCP with agents; without it there is no `/mcp`.
    pub mcp: Option<Arc<dyn McpService>>,
}

impl std::fmt::Debug for Services {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Services").finish_non_exhaustive()
    }
}

/// The state behind all routes.
pub struct State {
    pub services: Services,
    pub hosts: Hosts,
    /// Who may say for whom it calls.
    pub trusted_proxies: Vec<TrustedProxy>,
    pub base_url: String,
    pub has_public_url: bool,
    /// The zone in which people read times, unless they set another.
    pub time_zone: TimeZone,
    /// What commands on this machine need to find the store.
    pub command_options: CommandOptions,
    pub metrics: Metrics,
    /// What sessions on plain HTTP are bound to.
    pub process_key: ProcessKey,
    /// Codes of devices that one session may try.
    pub device_tries: RateLimit<TokenFingerprint>,
    /// What each package may use, at `/mcp` and `/v1` together.
    pub agent_limits: AgentLimits,
    /// Questions per address at the endpoints of the sign-in.
    pub oauth_rate_limits: OauthRateLimits,
    /// How often servers of one store tell each other what callers asked.
    pub between_tellings: Duration,
    pub request_timeout: Duration,
    pub draining: AtomicBool,
}

/// A cheap handle on [`State`].
#[derive(Clone)]
pub struct App(Arc<State>);

impl App {
    /// Shares a state.
    pub fn new(state: State) -> Self {
        Self(Arc::new(state))
    }

    /// From now on load balancers are told to look elsewhere.
    pub fn drain(&self) {
        self.draining.store(true, Ordering::Relaxed);
    }

    /// This server as the one who sent these headers knows it: by its public URL, else by the name
    /// that was asked for, which the guard has checked. Clients compare it with what they typed.
    pub fn origin_for(&self, headers: &HeaderMap) -> String {
        if self.has_public_url {
            return self.base_url.clone();
        }
        let host = headers.get(header::HOST).and_then(|host| host.to_str().ok());
        host.map_or_else(|| self.base_url.clone(), |host| format!("http://{host}"))
    }

    /// What a session that began under this name of the server is bound to. On plain HTTP it ends with
    /// the process: whoever takes the port next would be sent its address and cookie. Under https nobody
    /// else can answer, and several servers behind one public address share their sessions.
    pub fn process_for(&self, uri: &Uri, headers: &HeaderMap) -> Option<&ProcessKey> {
        let lasts = self.base_url.starts_with("https://") || self.services.auth.is_shared();
        let outlives = lasts && self.hosts.is_public(uri, headers);
        (!outlives).then_some(&self.process_key)
    }

    /// Whether clients that nobody knows may introduce themselves here: on plain HTTP between
    /// machines anybody could change what they say, unless the owner chose that address.
    pub fn takes_strangers(&self, origin: &str) -> bool {
        let host = origin.strip_prefix("http://").and_then(HostAddress::parse);
        self.has_public_url || host.is_none_or(|host| host.is_loopback())
    }

    /// Whether the server is on its way out.
    pub fn is_draining(&self) -> bool {
        self.draining.load(Ordering::Relaxed)
    }
}

impl Deref for App {
    type Target = State;

    fn deref(&self) -> &State {
        &self.0
    }
}
