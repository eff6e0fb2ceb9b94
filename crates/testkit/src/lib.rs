//! For developers only: what tests of several crates need.

mod ports;
pub mod postgres;

pub use ports::{FixedClock, RepeatedByte, SeededEntropy};
