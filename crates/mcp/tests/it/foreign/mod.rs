//! The adapter against PDPP servers that we did not write: fewer extras, other forms.

mod server;
mod unnamed;

pub use server::{Foreign, plain, refuse};
