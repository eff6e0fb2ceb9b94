//! Speaks HTTP: the `/v1` interface, the door to `/mcp`, health and metrics. The only crate that
//! knows axum.
//!
//! Start at `router`: every route on one page. A request passes `finish` (its id, log line,
//! headers and error body), then `guard` (host, origin, version, token placement, size), then,
//! for `/v1`, `caller` (bearer to verified caller, `limits`, audit), and reaches one file of `v1`.

mod agents;
mod app;
mod audit;
mod body;
mod caller;
mod connections;
mod discovery;
mod etag;
mod file_name;
mod finish;
mod guard;
mod health;
mod limits;
mod metrics;
mod oauth;
pub mod openapi;
mod pages;
mod params;
mod range;
mod refusal;
mod request_id;
mod reserved_port;
mod router;
mod server;
mod sharing;
mod unread_body;
mod v1;

pub use app::Services;
pub use connections::{ConnectionLimits, MAX_CONNECTIONS};
pub use guard::{InvalidProxy, TrustedProxy};
pub use oauth::{Network, SafeFetcher, Stream, SystemNetwork};
pub use pages::CommandOptions;
pub use router::{owner_paths, paths};
pub use server::{BindError, Bound, HttpOptions, Server};
