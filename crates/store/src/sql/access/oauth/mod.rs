//! The authorization server's memory.

mod clients;
mod documents;
mod families;
mod family_row;
mod request_row;
mod requests;

use super::{backend, sql};

use backend::driver::{Params, Transaction};

use crate::error::StoreResult;
use backend::errors::from_driver;

/// Runs a statement and answers how many rows it changed.
fn execute(tx: &Transaction<'_>, sql: &str, values: impl Params) -> StoreResult<usize> {
    tx.prepare_cached(sql).and_then(|mut run| run.execute(values)).map_err(from_driver)
}
