//! Speaks HTTP: the `/v1` interface, the gate of `/mcp`, signing in (`oauth`), the owner's `pages`,
//! health and metrics (`open`). The only crate that knows axum.
//!
//! Start at `router`: every route on one page. A request passes `finish` (its id, log line,
//! headers and error body), then `guard` (host, origin, version, token placement, size), then,
//! for `/v1`, `v1/gate` (bearer to verified caller, `limits`, audit), and reaches one file of `v1`;
//! for `/mcp`, `mcp/gate`, which hands it to the `mcp` crate.

mod app;
mod audit;
mod connections;
mod finish;
mod guard;
mod limits;
mod mcp;
mod oauth;
mod open;
pub mod openapi;
mod pages;
mod params;
mod refusal;
mod router;
mod server;
mod v1;

pub use app::Services;
pub use connections::{ConnectionLimits, MAX_CONNECTIONS};
pub use guard::{InvalidProxy, TrustedProxy};
pub use oauth::{Network, SafeFetcher, Stream, SystemNetwork};
pub use pages::CommandOptions;
pub use router::{owner_paths, paths};
pub use server::{BindError, Bound, HttpOptions, Server};
