//! Routes that need no token: where to begin, health and metrics.

pub mod discovery;
pub mod health;
pub mod metrics;
