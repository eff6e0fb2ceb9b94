//! Times in the past on the command line: `7d` ago, a date, or an RFC 3339 time.

use std::str::FromStr;

use jiff::{SignedDuration, Timestamp};
use pdpp_contract::Instant;

const REFUSAL: &str = "use a number with m, h, d or w (such as 7d), a date or an RFC 3339 time";

/// A time as a person writes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PastTime {
    /// This instant.
    At(Timestamp),
    /// This long ago.
    Ago(SignedDuration),
}

impl PastTime {
    /// The instant; `None` when it lies before all time.
    pub fn seen_from(self, now: Timestamp) -> Option<Timestamp> {
        match self {
            Self::At(at) => Some(at),
            Self::Ago(distance) => now.checked_sub(distance).ok(),
        }
    }
}

impl FromStr for PastTime {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if let Some(instant) = Instant::parse(text) {
            return Ok(Self::At(instant.timestamp()));
        }
        let unit = text.chars().last().ok_or(REFUSAL)?;
        let seconds_per_unit = match unit {
            'm' => 60,
            'h' => 3_600,
            'd' => 24 * 3_600,
            'w' => 7 * 24 * 3_600,
            _ => return Err(REFUSAL),
        };
        let number = text.strip_suffix(unit).unwrap_or_default();
        if !number.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(REFUSAL);
        }
        let number: i64 = number.parse().map_err(|_| REFUSAL)?;
        let seconds = number.checked_mul(seconds_per_unit).ok_or(REFUSAL)?;
        Ok(Self::Ago(SignedDuration::from_secs(seconds)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_distance_counts_from_now_and_a_date_does_not() {
        let now: Timestamp = "2026-04-01T12:00:00Z".parse().unwrap();
        let times = [
            ("90d", "2026-01-01T12:00:00Z"),
            ("30m", "2026-04-01T11:30:00Z"),
            ("2w", "2026-03-18T12:00:00Z"),
            ("2026-05-01", "2026-05-01T00:00:00Z"),
            ("2026-05-01T02:00:00+02:00", "2026-05-01T00:00:00Z"),
        ];
        for (text, expected) in times {
            let past_time: PastTime = text.parse().unwrap();
            assert_eq!(past_time.seen_from(now).unwrap().to_string(), expected);
        }
    }

    #[test]
    fn what_is_no_time_is_refused() {
        let bad = ["", "d", "-1d", "1.5d", "90", "90 d", "90days", "yesterday", "+3d", "3é"];
        for text in bad.into_iter().chain(["9999999999999999999d", "999999999999999999w"]) {
            assert!(text.parse::<PastTime>().is_err(), "{text:?}");
        }
        let far: PastTime = "999999999d".parse().unwrap();
        assert_eq!(far.seen_from(Timestamp::UNIX_EPOCH), None);
    }
}
