//! How often one caller may ask: a bucket that refills, so that a burst is fine and a flood is not.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Callers that are remembered at once; beyond it, those that have been quiet are forgotten.
const REMEMBERED: usize = 10_000;

/// Calls per caller: a token, or an address.
#[derive(Debug)]
pub struct RateLimit<K> {
    per_second: f64,
    burst: f64,
    buckets: Mutex<HashMap<K, Bucket>>,
}

#[derive(Debug, Clone, Copy)]
struct Bucket {
    left: f64,
    at: Instant,
}

impl<K: Clone + Eq + Hash> RateLimit<K> {
    /// So many calls at once, refilled at so many a second.
    pub fn new(burst: u32, per_second: u32) -> Self {
        Self::refilled_at(burst, f64::from(per_second.max(1)))
    }

    /// So many calls at once, refilled at so many an hour.
    pub fn hourly(burst: u32, per_hour: u32) -> Self {
        Self::refilled_at(burst, f64::from(per_hour.max(1)) / 3_600.0)
    }

    fn refilled_at(burst: u32, per_second: f64) -> Self {
        Self { per_second, burst: f64::from(burst.max(1)), buckets: Mutex::default() }
    }

    /// Takes one call, or says how long to wait for the next.
    pub fn take(&self, caller: &K, now: Instant) -> Result<(), Duration> {
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        if buckets.len() >= REMEMBERED {
            buckets.retain(|_, bucket| self.refilled(bucket, now) < self.burst);
        }
        let full = Bucket { left: self.burst, at: now };
        let bucket = buckets.entry(caller.clone()).or_insert(full);
        let left = self.refilled(bucket, now);
        *bucket = Bucket { left: (left - 1.0).max(0.0), at: now };
        if left >= 1.0 {
            return Ok(());
        }
        bucket.left = left;
        Err(Duration::from_secs_f64((1.0 - left) / self.per_second))
    }

    fn refilled(&self, bucket: &Bucket, now: Instant) -> f64 {
        let passed = now.saturating_duration_since(bucket.at).as_secs_f64();
        (bucket.left + passed * self.per_second).min(self.burst)
    }
}

#[cfg(test)]
mod tests {
    use pdpp_auth::TokenFingerprint;

    use super::*;

    fn token(digit: char) -> TokenFingerprint {
        TokenFingerprint::parse(&digit.to_string().repeat(12)).unwrap()
    }

    #[test]
    fn a_burst_passes_a_flood_waits_and_others_are_not_slowed() {
        let limit = RateLimit::new(3, 2);
        let now = Instant::now();
        for _ in 0..3 {
            assert!(limit.take(&token('a'), now).is_ok());
        }
        let wait = limit.take(&token('a'), now).unwrap_err();
        assert_eq!(wait, Duration::from_millis(500));
        assert!(limit.take(&token('b'), now).is_ok());
        let later = now + Duration::from_millis(500);
        assert!(limit.take(&token('a'), later).is_ok());
        assert!(limit.take(&token('a'), later).is_err());
    }

    #[test]
    fn a_refused_call_costs_nothing() {
        let limit = RateLimit::new(1, 1);
        let now = Instant::now();
        assert!(limit.take(&token('a'), now).is_ok());
        for _ in 0..50 {
            assert!(limit.take(&token('a'), now).is_err());
        }
        assert!(limit.take(&token('a'), now + Duration::from_secs(1)).is_ok());
    }
}
