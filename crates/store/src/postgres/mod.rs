//! The Postgres backend: the shared statements over sessions of a server that several processes use.

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

use connection::writer::Writer;
pub(crate) use errors::NoConnection;
use migrations::begin_write;
use store::spawn;
pub(crate) use store::{Backend, erase_schema};
