//! Sample data: invented, and the same for the same seed.

pub mod long;
pub mod mail;
mod numbers;
mod words;

pub use numbers::{Numbers, SEED};
pub use words::Words;
