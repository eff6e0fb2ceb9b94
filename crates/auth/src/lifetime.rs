//! How long something lives: `90d`, `12h`, `30m`, `2w`.

use jiff::{SignedDuration, Timestamp};
use pdpp_contract::AccessMode;

const MINUTE: i64 = 60;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;
const WEEK: i64 = 7 * DAY;
/// Longer than anybody means; a slip of the hand is refused instead of becoming "for ever".
const LONGEST: i64 = 100 * 365 * DAY;

/// A time span, at least one minute.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Lifetime {
    seconds: i64,
}

/// Why a text is no lifetime.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{0}; write a number and a unit: 30m, 12h, 90d or 2w")]
pub struct LifetimeFault(&'static str);

impl Lifetime {
    /// What an owner's token lives when nothing else is said.
    pub(crate) const OWNER_TOKEN: Self = Self { seconds: 90 * DAY };

    /// What a package lives when nothing else is said: 90 days, or one hour for a single use.
    pub(crate) const fn of_package(mode: AccessMode) -> Self {
        match mode {
            AccessMode::Continuous => Self { seconds: 90 * DAY },
            AccessMode::SingleUse => Self { seconds: HOUR },
        }
    }

    /// The first instant after a life that begins at `from`.
    pub(crate) fn end(self, from: Timestamp) -> Option<Timestamp> {
        from.checked_add(SignedDuration::from_secs(self.seconds)).ok()
    }
}

impl std::str::FromStr for Lifetime {
    type Err = LifetimeFault;

    fn from_str(text: &str) -> Result<Self, LifetimeFault> {
        let unit = match text.chars().last() {
            Some('m') => MINUTE,
            Some('h') => HOUR,
            Some('d') => DAY,
            Some('w') => WEEK,
            _ => return Err(LifetimeFault("the unit is missing")),
        };
        let number = text.get(..text.len() - 1).unwrap_or_default();
        if number.is_empty() || !number.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(LifetimeFault("the number is missing"));
        }
        let seconds = number.parse::<i64>().ok().and_then(|number| number.checked_mul(unit));
        match seconds {
            Some(0) => Err(LifetimeFault("a lifetime of nothing")),
            Some(seconds) if seconds <= LONGEST => Ok(Self { seconds }),
            _ => Err(LifetimeFault("longer than a hundred years")),
        }
    }
}

impl std::fmt::Display for Lifetime {
    /// In the largest unit that needs no fraction.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let units = [(WEEK, "w"), (DAY, "d"), (HOUR, "h"), (MINUTE, "m")];
        let fits = |unit: &&(i64, &str)| self.seconds % unit.0 == 0;
        let (unit, name) = units.iter().find(fits).copied().unwrap_or((MINUTE, "m"));
        write!(f, "{}{name}", self.seconds / unit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_mean_what_they_say() {
        let start: Timestamp = "2026-01-01T00:00:00Z".parse().unwrap();
        for (text, end) in [
            ("30m", "2026-01-01T00:30:00Z"),
            ("12h", "2026-01-01T12:00:00Z"),
            ("90d", "2026-04-01T00:00:00Z"),
            ("2w", "2026-01-15T00:00:00Z"),
        ] {
            let lifetime: Lifetime = text.parse().unwrap();
            assert_eq!(lifetime.end(start).unwrap().to_string(), end);
            assert_eq!(lifetime.to_string().parse(), Ok(lifetime));
        }
    }

    #[test]
    fn what_is_not_a_number_and_a_unit_is_refused() {
        for bad in ["", "d", "90", "-1d", "+1d", "1.5d", "0m", "1y", "90 d", "9é", "40000d", "1d2h"]
        {
            assert!(bad.parse::<Lifetime>().is_err(), "{bad:?} was accepted");
        }
        assert!("99999999999999999999w".parse::<Lifetime>().is_err());
    }
}
