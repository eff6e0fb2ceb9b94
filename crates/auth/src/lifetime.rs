//! How long something lives: `90d`, `12h`, `30m`, `2w`, or until a date.

use jiff::{SignedDuration, Timestamp};
use pdpp_contract::{AccessMode, Instant};

const MINUTE: i64 = 60;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;
const WEEK: i64 = 7 * DAY;
/// Longer than anybody means; a slip of the hand is refused instead of becoming "for ever".
const LONGEST: i64 = 100 * 365 * DAY;

/// A time span of at least one minute, or a life that ends at an instant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lifetime(Length);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Length {
    Seconds(i64),
    Until(Instant),
}

/// Why a text is no lifetime.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}; write a number and a unit (30m, 12h, 90d or 2w) or a date (2027-01-31)")]
pub struct LifetimeFault(String);

impl Lifetime {
    /// What an owner's token lives when nothing else is said.
    pub(crate) const OWNER_TOKEN: Self = Self(Length::Seconds(90 * DAY));

    /// What a package lives when nothing else is said: 90 days, or one hour for a single use.
    pub(crate) const fn of_package(mode: AccessMode) -> Self {
        match mode {
            AccessMode::Continuous => Self(Length::Seconds(90 * DAY)),
            AccessMode::SingleUse => Self(Length::Seconds(HOUR)),
        }
    }

    /// The first instant after a life that begins at `from`; `None` when that is not after `from`
    /// or too far away to be meant.
    pub(crate) fn end(self, from: Timestamp) -> Option<Timestamp> {
        let longest = from.checked_add(SignedDuration::from_secs(LONGEST)).ok()?;
        let end = match self.0 {
            Length::Seconds(seconds) => {
                from.checked_add(SignedDuration::from_secs(seconds)).ok()?
            }
            Length::Until(instant) => instant.timestamp(),
        };
        (from < end && end <= longest).then_some(end)
    }
}

impl std::str::FromStr for Lifetime {
    type Err = LifetimeFault;

    fn from_str(text: &str) -> Result<Self, LifetimeFault> {
        let fault = |reason: &str| Err(LifetimeFault(reason.to_owned()));
        if let Some(instant) = Instant::parse(text) {
            return Ok(Self(Length::Until(instant)));
        }
        if text.eq_ignore_ascii_case("never") {
            return fault("every access ends some day; choose a far end, such as 3650d");
        }
        let digits = text.bytes().take_while(u8::is_ascii_digit).count();
        let (number, unit) = text.split_at(digits);
        if number.is_empty() {
            return fault("the number is missing");
        }
        let unit = match unit {
            "m" => MINUTE,
            "h" => HOUR,
            "d" => DAY,
            "w" => WEEK,
            "" => return fault("the unit is missing"),
            other => {
                let shown: String = other.chars().filter(|c| !c.is_control()).take(20).collect();
                return fault(&format!("'{shown}' is no unit"));
            }
        };
        let seconds = number.parse::<i64>().ok().and_then(|number| number.checked_mul(unit));
        match seconds {
            Some(0) => fault("a lifetime of nothing"),
            Some(seconds) if seconds <= LONGEST => Ok(Self(Length::Seconds(seconds))),
            _ => fault("longer than a hundred years"),
        }
    }
}

impl std::fmt::Display for Lifetime {
    /// A span in the largest unit that needs no fraction.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let seconds = match self.0 {
            Length::Until(instant) => return instant.fmt(f),
            Length::Seconds(seconds) => seconds,
        };
        let units = [(WEEK, "w"), (DAY, "d"), (HOUR, "h"), (MINUTE, "m")];
        let fits = |unit: &&(i64, &str)| seconds % unit.0 == 0;
        let (unit, name) = units.iter().find(fits).copied().unwrap_or((MINUTE, "m"));
        write!(f, "{}{name}", seconds / unit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn start() -> Timestamp {
        "2026-01-01T00:00:00Z".parse().unwrap()
    }

    #[test]
    fn units_and_dates_mean_what_they_say() {
        for (text, end) in [
            ("30m", "2026-01-01T00:30:00Z"),
            ("12h", "2026-01-01T12:00:00Z"),
            ("90d", "2026-04-01T00:00:00Z"),
            ("2w", "2026-01-15T00:00:00Z"),
            ("2026-02-01", "2026-02-01T00:00:00Z"),
            ("2026-02-01T09:00:00+02:00", "2026-02-01T07:00:00Z"),
        ] {
            let lifetime: Lifetime = text.parse().unwrap();
            assert_eq!(lifetime.end(start()).unwrap().to_string(), end);
            assert_eq!(lifetime.to_string().parse(), Ok(lifetime));
        }
    }

    #[test]
    fn a_date_that_is_over_or_far_too_late_is_no_end() {
        for text in ["2025-12-31", "2026-01-01", "2126-01-01"] {
            assert_eq!(text.parse::<Lifetime>().unwrap().end(start()), None, "{text}");
        }
    }

    #[test]
    fn what_is_neither_a_span_nor_a_date_is_refused_with_its_reason() {
        for (bad, reason) in [
            ("", "the number is missing"),
            ("d", "the number is missing"),
            ("-1d", "the number is missing"),
            ("soon", "the number is missing"),
            ("90", "the unit is missing"),
            ("1y", "'y' is no unit"),
            ("90days", "'days' is no unit"),
            ("1.5d", "'.5d' is no unit"),
            ("90 d", "' d' is no unit"),
            ("9é", "'é' is no unit"),
            ("1d2h", "'d2h' is no unit"),
            ("2026-13-01", "'-13-01' is no unit"),
            ("0m", "a lifetime of nothing"),
            ("40000d", "longer than a hundred years"),
            ("99999999999999999999w", "longer than a hundred years"),
            ("never", "every access ends some day"),
        ] {
            let fault = bad.parse::<Lifetime>().unwrap_err().to_string();
            assert!(fault.starts_with(reason), "{bad:?}: {fault}");
        }
    }
}
