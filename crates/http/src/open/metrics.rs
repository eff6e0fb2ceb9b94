//! `GET /metrics`: how much and how fast, in the Prometheus text format. Never who or what.
//!
//! How much the owner and agents do is nobody's business: the numbers are for this machine, or for
//! whoever has a token of kind `metrics`. Behind a public URL there is only the token: a proxy on this
//! machine calls from here for everybody.

use std::sync::atomic::AtomicI64;
use std::time::Duration;

use axum::extract::{Request, State};
use axum::http::request::Parts;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use pdpp_auth::{AuthError, RefusedCall};
use pdpp_contract::{ApiError, ErrorCode};
use prometheus_client::encoding::{EncodeLabelSet, text};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::metrics::info::Info;
use prometheus_client::registry::{Registry, Unit};

use crate::app::App;
use crate::audit::keep_refused;
use crate::finish::request_id::RequestId;
use crate::guard::{bearer, caller_address};
use crate::refusal::{self, RefusalResponse};

const OPEN_METRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// Upper bounds of the duration buckets, in seconds.
const BUCKETS: [f64; 12] = [0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0, 30.0];

/// Headers by which proxies say that they call for somebody else.
const FORWARDED: [&str; 4] = ["forwarded", "via", "x-forwarded-for", "x-real-ip"];
const ONLY_BY_TOKEN: &str = "send a token of kind metrics as `Authorization: Bearer …`; \
                             `pdpp owner token create --kind metrics` makes one";

/// Writes the numbers out.
pub async fn metrics(
    State(app): State<App>,
    request: Request,
) -> Result<Response, RefusalResponse> {
    let local = caller_address(&request).is_some_and(|caller| caller.is_loopback());
    check(&app, &request.into_parts().0, local).await?;
    let mut text = String::new();
    match text::encode(&mut text, &app.metrics.registry) {
        Ok(()) => Ok(([(header::CONTENT_TYPE, OPEN_METRICS)], text).into_response()),
        Err(_) => Err(RefusalResponse(refusal::fault())),
    }
}

/// Lets in who calls from this machine to a server without a public URL, and a token of this kind.
async fn check(app: &App, request: &Parts, local: bool) -> Result<(), RefusalResponse> {
    let headers = &request.headers;
    if !headers.contains_key(header::AUTHORIZATION) {
        let forwarded = FORWARDED.iter().any(|name| headers.contains_key(*name));
        if local && !forwarded && !app.has_public_url {
            return Ok(());
        }
        return Err(RefusalResponse(ApiError::new(ErrorCode::AuthenticationError, ONLY_BY_TOKEN)));
    }
    let verified = app.services.auth.verify_metrics(bearer(headers)?).await;
    let Err(RefusedCall { error, event }) = verified else { return Ok(()) };
    let id = request.extensions.get::<RequestId>();
    keep_refused(app, event, id).await;
    Err(match error {
        AuthError::WrongKind { .. } => {
            RefusalResponse(ApiError::new(ErrorCode::PermissionError, ONLY_BY_TOKEN))
        }
        other => RefusalResponse(other.into()),
    })
}

/// Labels are closed lists: a method we know, a route's template, a status.
#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Answered {
    method: &'static str,
    route: String,
    status: u16,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Routed {
    route: String,
}

/// The numbers of this process.
pub struct Metrics {
    registry: Registry,
    requests: Family<Answered, Counter>,
    durations: Family<Routed, Histogram, fn() -> Histogram>,
    under_way: Gauge<i64, AtomicI64>,
    waiting: Gauge<i64, AtomicI64>,
}

impl Metrics {
    /// Numbers that all stand at zero.
    pub fn new() -> Self {
        let requests = Family::default();
        let durations: Family<Routed, Histogram, fn() -> Histogram> =
            Family::new_with_constructor(|| Histogram::new(BUCKETS));
        let (under_way, waiting) = (Gauge::default(), Gauge::default());
        let mut registry = Registry::with_prefix("pdpp");
        let build = Info::new([("version", env!("CARGO_PKG_VERSION"))]);
        registry.register("build", "The running version", build);
        registry.register("http_requests", "Requests answered", requests.clone());
        registry.register_with_unit(
            "http_request_duration",
            "Time until an answer began",
            Unit::Seconds,
            durations.clone(),
        );
        registry.register("http_requests_under_way", "Requests being answered", under_way.clone());
        let help = "Calls of clients that wait for their turn";
        registry.register("calls_waiting", help, waiting.clone());
        Self { registry, requests, durations, under_way, waiting }
    }

    /// Counts a request as under way until the returned value is dropped.
    pub fn begin(&self) -> UnderWay {
        self.under_way.inc();
        UnderWay(self.under_way.clone())
    }

    /// Counts a call as waiting for its turn until the returned value is dropped.
    pub fn wait(&self) -> UnderWay {
        self.waiting.inc();
        UnderWay(self.waiting.clone())
    }

    /// Counts an answer.
    pub fn count(&self, method: &'static str, route: &str, status: StatusCode, took: Duration) {
        let route = route.to_owned();
        let answered = Answered { method, route: route.clone(), status: status.as_u16() };
        self.requests.get_or_create(&answered).inc();
        self.durations.get_or_create(&Routed { route }).observe(took.as_secs_f64());
    }
}

/// One request under way. A caller that hangs up drops it as well.
pub struct UnderWay(Gauge<i64, AtomicI64>);

impl Drop for UnderWay {
    fn drop(&mut self) {
        self.0.dec();
    }
}
