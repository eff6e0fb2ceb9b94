//! Serves the adapter: one handler for both eras of the protocol, over standard input and output and
//! over HTTP.
//!
//! Nothing is kept between calls. Whoever wires the program provides a [`Desk`], which checks the
//! caller anew for every call, so that a revocation is noticed at once.

mod desk;
mod handler;
mod http;
mod lines;
mod links;
mod refusing;
mod sieve;
mod stamp;
mod stdio;
mod strict;

pub use desk::{Desk, Noted, Visit, Witness};
pub use http::HttpService;
pub use stdio::{StdioFault, serve_stdio};
