//! What the outside world provides: time and randomness. Both are handed in, never fetched.

use jiff::Timestamp;

/// Tells the time.
pub trait Clock: Send + Sync {
    /// The current instant.
    fn now(&self) -> Timestamp;
}

/// Provides unpredictable bytes.
pub trait Entropy: Send + Sync {
    /// Fills `bytes` with fresh random values.
    fn fill(&self, bytes: &mut [u8]);
}
