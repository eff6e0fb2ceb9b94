//! The wall clock: the one place where the program reads the time.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use jiff::{SignedDuration, Timestamp};
use pdpp_contract::ports::Clock;
use pdpp_store::seen_time::SeenTime;

/// The machine's clock.
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(
        clippy::disallowed_methods,
        reason = "this is the place where time enters the program"
    )]
    fn now(&self) -> Timestamp {
        Timestamp::now()
    }
}

/// The time of a store: the machine's clock, and never earlier than what the store has seen. While the
/// clock is behind that, time goes on from there.
pub struct StoreClock {
    machine: Arc<dyn Clock>,
    last: Mutex<Last>,
}

struct Last {
    seen: SeenTime,
    /// When that was, by a clock that nobody sets.
    since: Instant,
}

impl StoreClock {
    /// The time of a store that has seen this.
    pub fn new(machine: Arc<dyn Clock>, seen: SeenTime) -> Self {
        Self { machine, last: Mutex::new(Last { seen, since: Instant::now() }) }
    }

    /// What this process has seen so far.
    pub fn seen(&self) -> SeenTime {
        self.forward().seen
    }

    /// Takes up what the store says, which other processes and the owner may have changed.
    pub fn adopt(&self, seen: SeenTime) {
        let mut last = self.forward();
        if seen.resets != last.seen.resets {
            let at = seen.at.max(self.machine.now());
            *last = Last { seen: SeenTime { at, ..seen }, since: Instant::now() };
        } else if seen.at > last.seen.at {
            *last = Last { seen, since: Instant::now() };
        }
    }

    /// How far the store is ahead of the machine's clock.
    pub fn ahead(&self) -> SignedDuration {
        self.seen().at.duration_since(self.machine.now())
    }

    fn forward(&self) -> MutexGuard<'_, Last> {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let passed = SignedDuration::try_from(last.since.elapsed()).unwrap_or_default();
        let at = last.seen.at.checked_add(passed).unwrap_or(last.seen.at);
        last.seen.at = at.max(self.machine.now());
        last.since = Instant::now();
        last
    }
}

impl Clock for StoreClock {
    fn now(&self) -> Timestamp {
        self.seen().at
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A clock that somebody sets.
    struct Set(Mutex<Timestamp>);

    impl Set {
        fn at(text: &str) -> Arc<Self> {
            Arc::new(Self(Mutex::new(text.parse().unwrap())))
        }

        fn to(&self, text: &str) {
            *self.0.lock().unwrap() = text.parse().unwrap();
        }
    }

    impl Clock for Set {
        fn now(&self) -> Timestamp {
            *self.0.lock().unwrap()
        }
    }

    const NEVER: SeenTime = SeenTime { at: Timestamp::UNIX_EPOCH, resets: 0 };

    fn hour(at: Timestamp) -> String {
        at.to_string().chars().take(13).collect()
    }

    #[test]
    fn a_clock_that_is_set_back_goes_on_from_where_it_was() {
        let machine = Set::at("2026-11-01T12:00:00Z");
        let clock = StoreClock::new(machine.clone(), NEVER);
        assert_eq!(hour(clock.now()), "2026-11-01T12");
        machine.to("2025-01-01T00:00:00Z");
        let (first, second) = (clock.now(), clock.now());
        assert_eq!(hour(first), "2026-11-01T12");
        assert!(second > first, "time passes all the same");
        assert!(clock.ahead() > SignedDuration::from_hours(24 * 300));
        machine.to("2026-11-01T15:00:00Z");
        assert_eq!(hour(clock.now()), "2026-11-01T15");
        assert!(clock.ahead() < SignedDuration::from_secs(1));
    }

    #[test]
    fn what_the_store_has_seen_counts_after_a_restart_and_until_a_reset() {
        let machine = Set::at("2026-11-01T12:00:00Z");
        let seen = SeenTime { at: "2031-01-01T00:00:00Z".parse().unwrap(), resets: 0 };
        let clock = StoreClock::new(machine.clone(), seen);
        assert_eq!(hour(clock.now()), "2031-01-01T00");
        clock.adopt(SeenTime { at: "2030-01-01T00:00:00Z".parse().unwrap(), resets: 0 });
        assert_eq!(hour(clock.now()), "2031-01-01T00", "another process is behind");
        clock.adopt(SeenTime { at: "2032-01-01T00:00:00Z".parse().unwrap(), resets: 0 });
        assert_eq!(hour(clock.now()), "2032-01-01T00", "another process is ahead");
        clock.adopt(SeenTime { at: "2026-11-01T11:00:00Z".parse().unwrap(), resets: 1 });
        assert_eq!(hour(clock.now()), "2026-11-01T12", "the owner took it back");
    }
}
