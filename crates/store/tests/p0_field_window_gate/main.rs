//! The substrate gate: a bounded window into a long field, checked against the scope, on every
//! backend. What it costs does not grow with the field, and what the scope hides stays hidden.
//!
//! `sqlite::p0_field_window_gate` and `postgres::p0_field_window_gate` run the same promises. Costs
//! are measured in processes of their own; each measure is shown to be able to fail.

// Marked so that the lints know the helpers for test code.
#[cfg(test)]
mod backend;
#[cfg(test)]
mod costs;
#[cfg(test)]
mod grants;
#[cfg(test)]
mod long_field;
#[cfg(test)]
mod matches;
#[cfg(test)]
mod postgres;
#[cfg(test)]
mod postgres_blocks;
#[cfg(test)]
mod probe;
#[cfg(test)]
mod refused_scopes;
#[cfg(test)]
mod sqlite;
#[cfg(test)]
mod windows;
