//! The embedded backend: one SQLite file, one writer, a few read-only connections.

#[cfg(feature = "baseline")]
pub mod baseline;
mod blob_bytes;
mod connection;
mod dialect;
mod driver;
mod errors;
mod index_words;
mod keys;
mod maintenance;
mod migrations;
// The statements that both backends share, over this backend's driver.
#[path = "../sql/mod.rs"]
mod sql;
mod store;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;

use connection::writer::{Writer, begin_write};
pub(crate) use store::Backend;
use store::spawn;
