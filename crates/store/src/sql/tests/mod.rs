//! Tests that both backends run.

pub(crate) mod hidden_notes;
mod newer_schema;

use super::{backend, sql};
