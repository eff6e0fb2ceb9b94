//! For developers only: what tests of several crates need.

#[cfg(target_os = "linux")]
pub mod dovecot;
mod ports;
pub mod postgres;

pub use ports::{FixedClock, RepeatedByte, SeededEntropy};
