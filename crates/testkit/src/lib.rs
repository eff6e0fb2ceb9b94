//! For developers only: what tests of several crates need.

pub mod postgres;
