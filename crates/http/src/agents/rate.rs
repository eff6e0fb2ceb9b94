//! How much one caller may ask: a bucket that refills, so that a burst is fine and a flood is not.

use std::collections::HashMap;
use std::fmt::Display;
use std::hash::Hash;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use pdpp_contract::access::Taken;

/// Sums go through whole microseconds.
const CLOSE: f64 = 0.001;
/// Callers that are remembered at once; beyond it, those that have been quiet are forgotten.
const REMEMBERED: usize = 10_000;

/// Calls per caller: a package, a token, or an address.
#[derive(Debug)]
pub struct RateLimit<K> {
    /// What servers of one store call this limit when they add up.
    name: &'static str,
    per_second: f64,
    burst: f64,
    buckets: Mutex<HashMap<K, Bucket>>,
}

#[derive(Debug, Clone, Copy)]
struct Bucket {
    /// Below nothing when servers together let more pass than they should have.
    left: f64,
    at: Instant,
    /// Calls that the other servers have not heard of.
    untold: f64,
}

impl<K: Clone + Eq + Hash + Display> RateLimit<K> {
    /// So many calls at once, refilled at so many a second.
    pub fn new(name: &'static str, burst: u32, per_second: u32) -> Self {
        Self::refilled_at(name, burst, f64::from(per_second.max(1)))
    }

    /// So many calls at once, refilled at so many an hour.
    pub fn hourly(name: &'static str, burst: u32, per_hour: u32) -> Self {
        Self::refilled_at(name, burst, f64::from(per_hour.max(1)) / 3_600.0)
    }

    fn refilled_at(name: &'static str, burst: u32, per_second: f64) -> Self {
        Self { name, per_second, burst: f64::from(burst.max(1)), buckets: Mutex::default() }
    }

    /// Takes one call, or says how long to wait for the next.
    pub fn take(&self, caller: &K, now: Instant) -> Result<(), Duration> {
        let mut buckets = self.buckets();
        if buckets.len() >= REMEMBERED {
            let kept =
                |bucket: &Bucket| bucket.untold > 0.0 || self.refilled(bucket, now) < self.burst;
            buckets.retain(|_, bucket| kept(bucket));
        }
        let full = Bucket { left: self.burst, at: now, untold: 0.0 };
        let bucket = buckets.entry(caller.clone()).or_insert(full);
        let left = self.refilled(bucket, now);
        if left >= 1.0 {
            *bucket = Bucket { left: left - 1.0, at: now, untold: bucket.untold + 1.0 };
            return Ok(());
        }
        *bucket = Bucket { left, at: now, ..*bucket };
        Err(self.wait_for_one(left))
    }

    /// Takes what a call turned out to cost, in calls; less than nothing gives back. The bucket may
    /// go below nothing, and the next call then waits until it is paid back.
    pub fn charge(&self, caller: &K, calls: f64, now: Instant) {
        let mut buckets = self.buckets();
        let full = Bucket { left: self.burst, at: now, untold: 0.0 };
        let bucket = buckets.entry(caller.clone()).or_insert(full);
        let left = self.refilled(bucket, now) - calls;
        *bucket = Bucket { left, at: now, untold: bucket.untold + calls };
    }

    /// How long a caller has to wait whose calls cost more than it had.
    pub fn overdrawn(&self, caller: &K, now: Instant) -> Option<Duration> {
        let buckets = self.buckets();
        let left = buckets.get(caller).map(|bucket| self.refilled(bucket, now));
        left.filter(|left| *left < -CLOSE).map(|left| self.wait_for_one(left))
    }

    /// What the other servers have not heard of yet, and from now on count as told: all callers, or one.
    pub fn untold(&self, of: Option<&K>) -> Vec<(K, Taken)> {
        let mut buckets = self.buckets();
        let mut untold = Vec::new();
        let mut tell = |caller: &K, bucket: &mut Bucket| {
            if bucket.untold > 0.0 {
                let calls = std::mem::take(&mut bucket.untold);
                untold.push((caller.clone(), self.taken(caller, calls)));
            }
        };
        match of {
            Some(caller) => {
                if let Some(bucket) = buckets.get_mut(caller) {
                    tell(caller, bucket);
                }
            }
            None => buckets.iter_mut().for_each(|(caller, bucket)| tell(caller, bucket)),
        }
        untold
    }

    /// Learns how long a caller's bucket needs to be full, by what all servers let it take; how long it
    /// has to wait if that was more than it may.
    pub fn learn(&self, caller: &K, full_in: Duration, now: Instant) -> Option<Duration> {
        let mut buckets = self.buckets();
        let left = self.burst - full_in.as_secs_f64() * self.per_second;
        let untold = buckets.get(caller).map_or(0.0, |bucket| bucket.untold);
        let bucket = Bucket { left: left - untold, at: now, untold };
        buckets.insert(caller.clone(), bucket);
        // A call took its part already.
        (left < -CLOSE).then(|| self.wait_for_one(left))
    }

    /// So many calls of a caller, as servers tell each other.
    pub fn taken(&self, caller: &K, calls: f64) -> Taken {
        // A second of the slowest limit is far from where microseconds lose anything.
        #[expect(clippy::cast_possible_truncation, reason = "hours in microseconds")]
        let micros = (calls * 1_000_000.0 / self.per_second).round() as i64;
        Taken { limit: self.name, caller: caller.to_string(), micros }
    }

    fn wait_for_one(&self, left: f64) -> Duration {
        Duration::from_secs_f64((1.0 - left) / self.per_second)
    }

    fn buckets(&self) -> MutexGuard<'_, HashMap<K, Bucket>> {
        self.buckets.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn refilled(&self, bucket: &Bucket, now: Instant) -> f64 {
        let passed = now.saturating_duration_since(bucket.at).as_secs_f64();
        (bucket.left + passed * self.per_second).min(self.burst)
    }
}

#[cfg(test)]
mod tests {
    use pdpp_contract::access::TokenFingerprint;

    use super::*;

    fn token(digit: char) -> TokenFingerprint {
        TokenFingerprint::parse(&digit.to_string().repeat(12)).unwrap()
    }

    #[test]
    fn a_burst_passes_a_flood_waits_and_others_are_not_slowed() {
        let limit = RateLimit::new("call", 3, 2);
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
    fn what_other_servers_let_pass_is_paid_back() {
        let limit = RateLimit::new("call", 3, 2);
        let (caller, now) = (token('a'), Instant::now());
        assert!(limit.take(&caller, now).is_ok());
        let told = limit.untold(None);
        assert_eq!((told.len(), told[0].1.micros), (1, 500_000));
        assert_eq!(limit.untold(None), [], "told once");
        // Together they let seven pass where three were allowed.
        assert!(limit.learn(&caller, Duration::from_millis(3_500), now).is_some());
        assert_eq!(limit.take(&caller, now).unwrap_err(), Duration::from_millis(2_500));
        let later = now + Duration::from_millis(2_500);
        assert!(limit.take(&caller, later).is_ok());
        assert!(limit.take(&caller, later).is_err());
    }

    #[test]
    fn what_was_taken_while_servers_talked_counts() {
        let limit = RateLimit::new("call", 3, 2);
        let (caller, now) = (token('a'), Instant::now());
        assert!(limit.take(&caller, now).is_ok());
        limit.untold(None);
        assert!(limit.take(&caller, now).is_ok());
        assert_eq!(limit.learn(&caller, Duration::from_millis(500), now), None);
        assert!(limit.take(&caller, now).is_ok());
        assert!(limit.take(&caller, now).is_err());
        assert_eq!(limit.untold(Some(&caller))[0].1.micros, 1_000_000);
    }

    #[test]
    fn a_dear_call_counts_as_many_and_is_paid_back_before_the_next() {
        let limit = RateLimit::new("call", 3, 2);
        let (caller, now) = (token('a'), Instant::now());
        assert!(limit.take(&caller, now).is_ok());
        limit.charge(&caller, 4.0, now);
        assert_eq!(limit.overdrawn(&caller, now), Some(Duration::from_millis(1_500)));
        assert_eq!(limit.take(&caller, now).unwrap_err(), Duration::from_millis(1_500));
        assert_eq!(limit.untold(None)[0].1.micros, 2_500_000, "other servers hear of all of it");
        let later = now + Duration::from_millis(1_500);
        assert_eq!(limit.overdrawn(&caller, later), None);
        assert!(limit.take(&caller, later).is_ok());
    }

    #[test]
    fn a_refused_call_costs_nothing() {
        let limit = RateLimit::new("call", 1, 1);
        let now = Instant::now();
        assert!(limit.take(&token('a'), now).is_ok());
        for _ in 0..50 {
            assert!(limit.take(&token('a'), now).is_err());
        }
        assert!(limit.take(&token('a'), now + Duration::from_secs(1)).is_ok());
    }
}
