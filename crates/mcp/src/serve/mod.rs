//! Serves the protocol: one handler for both eras, over standard input and output and over HTTP.
//!
//! Nothing is kept between calls. Over HTTP each request brings its context; on standard input a
//! [`CallSource`](crate::CallSource) checks the caller anew for every call, so that a revocation is
//! noticed at once.

mod credential_filter;
mod handler;
mod http;
mod lines;
mod links;
mod refusing;
mod stamp;
mod stdio;
mod strict;

pub use http::{HttpService, McpService};
pub use stdio::{StdioFault, serve_stdio};
