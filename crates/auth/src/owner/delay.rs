//! How long somebody who guessed wrong has to wait before the next guess is looked at.

use jiff::{SignedDuration, Timestamp};
use pdpp_store::owner::LoginFailures;

/// Everybody together: what one person types wrong never gets this far.
pub(super) const EVERYBODY: &str = "everybody";

/// How fast the wait grows.
struct GuessLimit {
    /// Guesses without a wait.
    free: u32,
    /// The longest wait.
    longest: SignedDuration,
}

const ADDRESS: GuessLimit = GuessLimit { free: 3, longest: SignedDuration::from_mins(15) };
/// Short enough that strangers cannot keep the owner out for long.
const ALL: GuessLimit = GuessLimit { free: 30, longest: SignedDuration::from_secs(30) };

/// The rest of the wait, by what one address and everybody together did; `None` when there is none.
pub(super) fn remaining(
    by_address: Option<LoginFailures>,
    by_all: Option<LoginFailures>,
    now: Timestamp,
) -> Option<SignedDuration> {
    let waits = [(by_address, ADDRESS), (by_all, ALL)];
    let rest = waits.into_iter().filter_map(|(failures, limit)| {
        let failures = failures?;
        let rest = limit.wait(failures.count) - now.duration_since(failures.last_at);
        (rest > SignedDuration::ZERO).then_some(rest)
    });
    rest.max()
}

impl GuessLimit {
    /// One second after the free guesses, then twice as long each time.
    fn wait(&self, failures: u32) -> SignedDuration {
        if failures < self.free {
            return SignedDuration::ZERO;
        }
        let doublings = (failures - self.free).min(20);
        SignedDuration::from_secs(1_i64 << doublings).min(self.longest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failed(count: u32, seconds_ago: i64) -> LoginFailures {
        let last_at = Timestamp::from_second(1_000_000 - seconds_ago).unwrap();
        LoginFailures { count, last_at }
    }

    fn rest(address: Option<LoginFailures>, all: Option<LoginFailures>) -> i64 {
        let now = Timestamp::from_second(1_000_000).unwrap();
        remaining(address, all, now).map_or(0, |rest| rest.as_secs())
    }

    #[test]
    fn the_wait_doubles_and_ends() {
        let waits: Vec<i64> = (0..8).map(|count| rest(Some(failed(count, 0)), None)).collect();
        assert_eq!(waits, [0, 0, 0, 1, 2, 4, 8, 16]);
        assert_eq!(rest(Some(failed(400, 0)), None), 15 * 60);
        assert_eq!(rest(Some(failed(7, 10)), None), 6);
        assert_eq!(rest(Some(failed(7, 16)), None), 0);
    }

    #[test]
    fn strangers_slow_the_owner_down_by_half_a_minute_at_most() {
        assert_eq!(rest(None, Some(failed(29, 0))), 0);
        assert_eq!(rest(None, Some(failed(30, 0))), 1);
        assert_eq!(rest(Some(failed(1, 0)), Some(failed(5_000, 0))), 30);
    }
}
