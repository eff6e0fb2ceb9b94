//! Bounds of time that roll: so many days, weeks, months or years before or after today.

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Span, Timestamp};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ids::InvalidName;
use crate::instant::Instant;

/// Farthest distance, in any unit.
const MAX_COUNT: i32 = 9_999;
/// Farthest distance in years.
const MAX_YEARS: i32 = 200;

/// A day that is counted from today: `-30d` is thirty days ago, `+30d` in thirty days.
///
/// It stands for 00:00 UTC of that day, so that it moves once a day, at midnight UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
#[schemars(with = "String")]
pub struct RollingDay {
    count: i32,
    unit: DayUnit,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum DayUnit {
    Day,
    Week,
    Month,
    Year,
}

impl DayUnit {
    const ALL: [(&'static str, Self, &'static str); 4] = [
        ("mo", Self::Month, "month"),
        ("d", Self::Day, "day"),
        ("w", Self::Week, "week"),
        ("y", Self::Year, "year"),
    ];
}

impl RollingDay {
    /// Reads `30d`, `-30d`, `+2w`, `12mo` or `1y`; without a sign it lies in the past.
    pub fn parse(text: &str) -> Option<Self> {
        let (sign, rest) = match text.as_bytes().first()? {
            b'+' => (1, text.get(1..)?),
            b'-' => (-1, text.get(1..)?),
            _ => (-1, text),
        };
        let mut units = DayUnit::ALL.into_iter();
        let (digits, unit) =
            units.find_map(|(word, unit, _)| Some((rest.strip_suffix(word)?, unit)))?;
        if !(1..=4).contains(&digits.len()) || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let count: i32 = digits.parse().ok()?;
        let most = if unit == DayUnit::Year { MAX_YEARS } else { MAX_COUNT };
        (count <= most).then_some(Self { count: sign * count, unit })
    }

    /// The day itself, when today is known.
    pub fn date(self, today: Date) -> Date {
        let count = i64::from(self.count);
        let span = match self.unit {
            DayUnit::Day => Span::new().try_days(count),
            DayUnit::Week => Span::new().try_weeks(count),
            DayUnit::Month => Span::new().try_months(count),
            DayUnit::Year => Span::new().try_years(count),
        };
        span.map_or(today, |span| today.saturating_add(span))
    }

    /// 00:00 UTC of that day.
    pub fn instant(self, today: Date) -> Option<Instant> {
        TimeZone::UTC.to_timestamp(self.date(today).at(0, 0, 0, 0)).ok().map(Instant::from)
    }

    /// For people: `30 days ago`, `in 2 weeks`, `today`.
    pub fn words(self) -> String {
        let count = self.count.unsigned_abs();
        let name = DayUnit::ALL.iter().find(|(_, unit, _)| *unit == self.unit);
        let name = name.map_or("day", |(_, _, name)| name);
        let plural = if count == 1 { "" } else { "s" };
        match self.count {
            0 => "today".to_owned(),
            ..0 => format!("{count} {name}{plural} ago"),
            1.. => format!("in {count} {name}{plural}"),
        }
    }

    /// As it is written where a bound begins a range: the past needs no sign there.
    pub fn as_since(self) -> String {
        let text = self.to_string();
        text.strip_prefix('-').map_or(text.clone(), str::to_owned)
    }
}

impl std::fmt::Display for RollingDay {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let sign = if self.count > 0 { '+' } else { '-' };
        let unit = DayUnit::ALL.iter().find(|(_, unit, _)| *unit == self.unit);
        write!(f, "{sign}{}{}", self.count.unsigned_abs(), unit.map_or("d", |(word, ..)| word))
    }
}

impl TryFrom<String> for RollingDay {
    type Error = InvalidName;

    fn try_from(text: String) -> Result<Self, InvalidName> {
        let reason = "must be a number of d, w, mo or y from today, such as -30d";
        Self::parse(&text).ok_or(InvalidName { what: "rolling day", reason })
    }
}

impl From<RollingDay> for String {
    fn from(day: RollingDay) -> Self {
        day.to_string()
    }
}

/// The day it is in UTC.
pub fn utc_day(now: Timestamp) -> Date {
    TimeZone::UTC.to_datetime(now).date()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rolling_day_is_midnight_utc_so_many_days_from_today() {
        let today: Date = "2026-03-31".parse().unwrap();
        for (text, day) in [
            ("30d", "2026-03-01"),
            ("-30d", "2026-03-01"),
            ("+1d", "2026-04-01"),
            ("2w", "2026-03-17"),
            ("1mo", "2026-02-28"),
            ("12mo", "2025-03-31"),
            ("+1y", "2027-03-31"),
            ("0d", "2026-03-31"),
        ] {
            let rolling = RollingDay::parse(text).unwrap();
            assert_eq!(rolling.instant(today), Instant::parse(day), "{text}");
            assert_eq!(RollingDay::parse(&rolling.to_string()), Some(rolling), "{text}");
        }
        assert!(RollingDay::parse("9999mo").unwrap().instant(today).is_some());
    }

    #[test]
    fn what_is_no_number_of_days_is_no_rolling_day() {
        for bad in ["", "d", "30", "30h", "30 d", "+-3d", "--3d", "99999d", "201y", "３d", "3dd"] {
            assert_eq!(RollingDay::parse(bad), None, "{bad:?}");
        }
    }

    #[test]
    fn people_read_it_in_words() {
        for (text, words) in
            [("1d", "1 day ago"), ("12mo", "12 months ago"), ("+2w", "in 2 weeks"), ("0d", "today")]
        {
            assert_eq!(RollingDay::parse(text).unwrap().words(), words);
        }
    }
}
