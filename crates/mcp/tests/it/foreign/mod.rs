//! The adapter against PDPP servers that we did not write: fewer extras, other forms.

mod hits;
mod refusals;
mod schemas;
mod server;
mod unnamed;
mod whole_values;

pub use server::{Foreign, hit, plain, refuse};
