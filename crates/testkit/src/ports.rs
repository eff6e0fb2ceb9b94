//! A clock that stands still and randomness that repeats.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use jiff::{SignedDuration, Timestamp};
use pdpp_contract::ports::{Clock, Entropy};

/// A clock that moves only when a test moves it.
#[derive(Debug)]
pub struct FixedClock(Mutex<Timestamp>);

impl FixedClock {
    /// Stands at an instant written as RFC 3339.
    ///
    /// # Panics
    /// When the text is no instant: a mistake in the test.
    #[expect(clippy::expect_used, reason = "a test that cannot set its clock must stop")]
    pub fn at(instant: &str) -> Self {
        Self(Mutex::new(instant.parse().expect("an RFC 3339 time")))
    }

    /// Moves the clock.
    pub fn advance(&self, by: SignedDuration) {
        let mut now = self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        *now = now.saturating_add(by).unwrap_or(*now);
    }
}

impl Clock for FixedClock {
    fn now(&self) -> Timestamp {
        *self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

/// Bytes that look random and are the same in every run.
#[derive(Debug)]
pub struct SeededEntropy(AtomicU64);

impl SeededEntropy {
    /// Starts from a seed.
    pub fn new(seed: u64) -> Self {
        Self(AtomicU64::new(seed))
    }
}

impl Entropy for SeededEntropy {
    fn fill(&self, bytes: &mut [u8]) {
        for chunk in bytes.chunks_mut(8) {
            // SplitMix64: short, well mixed, and nothing here guards a secret.
            let state = self.0.fetch_add(0x9e37_79b9_7f4a_7c15, Ordering::Relaxed);
            let mut mixed = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            mixed ^= mixed >> 31;
            for (to, from) in chunk.iter_mut().zip(mixed.to_be_bytes()) {
                *to = from;
            }
        }
    }
}

/// The same byte again and again, for tests that compare what was made from it.
#[derive(Debug, Clone, Copy)]
pub struct RepeatedByte(pub u8);

impl Entropy for RepeatedByte {
    fn fill(&self, bytes: &mut [u8]) {
        bytes.fill(self.0);
    }
}
