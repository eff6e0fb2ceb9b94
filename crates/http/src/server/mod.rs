//! The server: takes its address, answers until it is told to stop, then finishes what it began.

mod reserved_port;
pub mod unread_body;

use std::future::Future;
use std::net::SocketAddr;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use axum::Router;
use jiff::tz::TimeZone;
use pdpp_auth::ProcessKey;
use tokio::net::TcpListener;
use tokio::sync::watch;

use self::reserved_port::ReservedPort;
use crate::app::{App, Services, State};
use crate::connections::{self, ConnectionLimits};
use crate::guard::{Hosts, PublicUrl, TrustedProxy, base_url};
use crate::limits::AgentLimits;
use crate::limits::RateLimit;
use crate::limits::shared::keep_told;
use crate::oauth::OauthRateLimits;
use crate::open::metrics::Metrics;
use crate::pages::CommandOptions;
use crate::router::router;

/// A successor of a refresh token stays sealed in the store for at most this longer than it is good.
const BETWEEN_SWEEPS: Duration = Duration::from_mins(1);

/// The part of a request's time that it may wait for its turn.
const WAITING_SHARE: f32 = 0.6;

/// How a server is set up.
#[derive(Debug, Clone)]
pub struct HttpOptions {
    /// Where the outside world finds the server (`https://data.example.org`), behind a proxy.
    pub public_url: Option<String>,
    /// Proxies that are believed when they say for whom they call (`X-Forwarded-For`).
    pub trusted_proxies: Vec<TrustedProxy>,
    /// The zone in which people read times, unless they set another.
    pub time_zone: TimeZone,
    /// What commands on this machine need to find the store of this server.
    pub command_options: CommandOptions,
    /// Calls that one package may make at once, and how many a second after that, at both doors
    /// together. A call that takes more than 20 ms of work counts as several.
    pub agent_burst: u32,
    /// See `agent_burst`.
    pub agent_calls_per_second: u32,
    /// Calls of agents that are worked on at the same time: fewer than the store has readers, so that
    /// the owner and health checks always find one.
    pub agent_places: usize,
    /// Clients that one address may register at once; ten an hour after that.
    pub registrations: u32,
    /// How often servers of one store tell each other what callers asked.
    pub between_tellings: Duration,
    /// How long a request may take until its answer begins; ingest gets ten times as long.
    pub request_timeout: Duration,
    /// How many connections there may be, and how long each may keep its place.
    pub connections: ConnectionLimits,
    /// How long requests under way may take to finish once the server is told to stop.
    pub drain_timeout: Duration,
}

impl Default for HttpOptions {
    fn default() -> Self {
        Self {
            public_url: None,
            trusted_proxies: Vec::new(),
            time_zone: TimeZone::UTC,
            command_options: CommandOptions::default(),
            agent_burst: 500,
            agent_calls_per_second: 50,
            agent_places: 4,
            registrations: 20,
            between_tellings: Duration::from_secs(1),
            request_timeout: Duration::from_secs(30),
            connections: ConnectionLimits::default(),
            drain_timeout: Duration::from_secs(10),
        }
    }
}

/// Why a server cannot start.
#[derive(Debug, thiserror::Error)]
pub enum BindError {
    /// The address is taken, or not ours.
    #[error("cannot listen on {address}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// What the system said.
        #[source]
        source: std::io::Error,
    },
    /// The public URL is more or less than an origin.
    #[error("the public URL must be http:// or https://, a host and at most a port")]
    PublicUrl,
}

/// The HTTP server.
#[derive(Debug)]
pub struct Server;

impl Server {
    /// Takes the address. Nothing is answered before [`Bound::run`].
    pub async fn bind(
        listen: SocketAddr,
        options: HttpOptions,
        services: Services,
    ) -> Result<Bound, BindError> {
        let public = match &options.public_url {
            Some(url) => Some(PublicUrl::parse(url).ok_or(BindError::PublicUrl)?),
            None => None,
        };
        let taken = |source| BindError::Listen { address: listen, source };
        let listener = TcpListener::bind(listen).await.map_err(taken)?;
        let local_addr = listener.local_addr().map_err(taken)?;
        let process_key = ProcessKey::mint(&*services.entropy);
        let app = App::new(State {
            services,
            hosts: Hosts::new(local_addr.ip(), public),
            trusted_proxies: options.trusted_proxies.clone(),
            base_url: base_url(local_addr, options.public_url.as_deref()),
            has_public_url: options.public_url.is_some(),
            time_zone: options.time_zone.clone(),
            command_options: options.command_options.clone(),
            metrics: Metrics::new(),
            process_key,
            device_tries: RateLimit::hourly("device", 5, 60),
            agent_limits: AgentLimits::new(
                RateLimit::new("call", options.agent_burst, options.agent_calls_per_second),
                options.agent_places,
                options.request_timeout.mul_f32(WAITING_SHARE),
            ),
            oauth_rate_limits: OauthRateLimits::new(options.registrations),
            between_tellings: options.between_tellings,
            request_timeout: options.request_timeout,
            draining: AtomicBool::new(false),
        });
        end_earlier_sessions(&app).await;
        let HttpOptions { connections, drain_timeout, .. } = options;
        let router = router(app.clone());
        let reserved = ReservedPort::beside(local_addr);
        Ok(Bound { listener, local_addr, reserved, router, app, connections, drain_timeout })
    }
}

/// A server that holds its address.
pub struct Bound {
    listener: TcpListener,
    local_addr: SocketAddr,
    reserved: Option<ReservedPort>,
    router: Router,
    app: App,
    connections: ConnectionLimits,
    drain_timeout: Duration,
}

impl Bound {
    /// The address it listens on, with its real port.
    pub fn local_addr(&self) -> SocketAddr {
        self.local_addr
    }

    /// Where it can be reached: the public URL, else its own address.
    pub fn base_url(&self) -> &str {
        &self.app.base_url
    }

    /// Answers until `shutdown` completes; then takes no new connection, lets the requests under
    /// way finish within the drain timeout, and writes out what the audit log still holds. Says how many
    /// audit events could not be written.
    pub async fn run(self, shutdown: impl Future<Output = ()> + Send + 'static) -> u64 {
        let (stop, mut stopped) = watch::channel(false);
        let app = self.app.clone();
        let signal = async move {
            shutdown.await;
            app.drain();
            stop.send_replace(true);
        };
        let proxies = self.app.trusted_proxies.clone();
        let serving =
            connections::serve(self.listener, self.router, self.connections, proxies, signal);
        let out_of_time = async {
            // An error means that the signal ran and is gone: the time runs from then as well.
            let _ = stopped.wait_for(|stopped| *stopped).await;
            tokio::time::sleep(self.drain_timeout).await;
        };
        tokio::select! {
            () = serving => {}
            () = keep_clean(self.app.clone()) => {}
            () = keep_told(self.app.clone()) => {}
            () = out_of_time => tracing::warn!("requests were cut off at the end of the drain"),
        }
        drop(self.reserved);
        let audit = &self.app.services.audit;
        match tokio::time::timeout(self.drain_timeout, audit.flush()).await {
            Ok(Ok(())) => 0,
            Ok(Err(_)) | Err(_) => audit.unwritten(),
        }
    }
}

/// Sessions that ended with an earlier process are not shown as signed-in browsers. Other servers of one
/// store, and those behind https, keep theirs.
async fn end_earlier_sessions(app: &App) {
    if app.base_url.starts_with("https://") || app.services.auth.is_shared() {
        return;
    }
    if let Err(error) = app.services.auth.end_sessions().await {
        tracing::warn!(%error, "sessions of an earlier process could not be forgotten");
    }
}

/// Forgets again and again what signing in left behind: ended requests, sealed secrets, old clients.
async fn keep_clean(app: App) {
    loop {
        tokio::time::sleep(BETWEEN_SWEEPS).await;
        if let Err(error) = app.services.auth.sweep().await {
            tracing::warn!(%error, "what is over could not be forgotten");
        }
    }
}

impl std::fmt::Debug for Bound {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Bound").field("local_addr", &self.local_addr).finish_non_exhaustive()
    }
}
