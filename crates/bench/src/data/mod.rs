//! Sample data: invented, and the same for the same seed.

pub mod long;
pub mod mail;
mod numbers;
mod vocabulary;

pub use numbers::{Numbers, SEED};
pub use vocabulary::Vocabulary;
