//! When an account runs next: on time with some jitter, later and later while it fails.

use jiff::{SignedDuration, Timestamp};
use pdpp_contract::ports::Entropy;

use crate::fault::FaultAction;

/// The first pause after a fault that passes by itself.
const FIRST_PAUSE_SECONDS: u64 = 60;
/// The longest pause after faults.
const LONGEST_PAUSE_SECONDS: u64 = 24 * 60 * 60;

/// How the last run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// It read everything.
    Well,
    /// It failed, and runs before it had failed so many times in a row.
    Badly {
        /// What the fault asks for.
        action: FaultAction,
        /// Failures in a row before this one.
        failures_before: u32,
    },
}

/// When the next run is due.
pub fn next_run(
    now: Timestamp,
    every_seconds: u32,
    ended: Ended,
    entropy: &dyn Entropy,
) -> Timestamp {
    let every = u64::from(every_seconds.max(1));
    let pause = match ended {
        Ended::Well => every,
        Ended::Badly { action, failures_before } => {
            // A fault that only the owner can mend is not tried more often than usual.
            let first = match action {
                FaultAction::Wait => FIRST_PAUSE_SECONDS.min(every),
                _ => every,
            };
            let doubled = first.saturating_mul(1 << failures_before.min(20));
            doubled.min(LONGEST_PAUSE_SECONDS.max(every))
        }
    };
    let mut random = [0; 2];
    entropy.fill(&mut random);
    // From 90 to 110 percent, so that accounts that were added together drift apart.
    let thousandths = 900 + u64::from(u16::from_be_bytes(random)) % 201;
    let millis = pause.saturating_mul(thousandths);
    now + SignedDuration::from_millis(i64::try_from(millis).unwrap_or(i64::MAX / 2))
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Fixed(u8);

    impl Entropy for Fixed {
        fn fill(&self, bytes: &mut [u8]) {
            bytes.fill(self.0);
        }
    }

    fn pause(ended: Ended, random: u8) -> i64 {
        let now = Timestamp::UNIX_EPOCH;
        next_run(now, 900, ended, &Fixed(random)).duration_since(now).as_secs()
    }

    #[test]
    fn a_run_that_ends_well_is_repeated_on_time_with_jitter() {
        let pauses: Vec<i64> = (0..=255).map(|random| pause(Ended::Well, random)).collect();
        assert!(pauses.iter().all(|seconds| (810..=990).contains(seconds)));
        assert!(pauses.iter().any(|seconds| *seconds != pauses[0]));
    }

    #[test]
    fn failures_are_tried_again_soon_and_then_seldom() {
        let bad = |action, failures_before| pause(Ended::Badly { action, failures_before }, 0);
        assert_eq!(bad(FaultAction::Wait, 0), 54);
        assert_eq!(bad(FaultAction::Wait, 3), 432);
        assert_eq!(bad(FaultAction::GivePassword, 0), 810);
        let longest = i64::try_from(LONGEST_PAUSE_SECONDS).unwrap() * 9 / 10;
        assert_eq!(bad(FaultAction::Wait, u32::MAX), longest);
    }
}
