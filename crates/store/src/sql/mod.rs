//! Every statement of the store, compiled once for each backend (decision 0037).
//!
//! `backend` is the backend this copy is compiled for: its driver, dialect, errors and whatever else
//! differs, under the same names in `sqlite` and `postgres`. `sql` is this module.

pub(crate) mod access;
pub(crate) mod accounts;
pub(crate) mod aggregate;
pub(crate) mod audit;
pub(crate) mod blobs;
pub(crate) mod changes;
pub(crate) mod connections;
pub(crate) mod records;
pub(crate) mod retention;
pub(crate) mod search;
pub(crate) mod sensitivity;
#[cfg(test)]
pub(crate) mod tests;
pub(crate) mod text;
pub(crate) mod transfer;
pub(crate) mod verify;
pub(crate) mod write;

use super as backend;
use super::sql;
