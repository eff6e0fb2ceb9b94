//! Reads per day as a row of thin bars.

use std::fmt;

use askama::filters::HtmlSafe;
use jiff::ToSpan;
use pdpp_contract::access::ActiveHour;

use super::plain::counted;
use super::times::Times;

/// Days shown.
pub const DAYS: usize = 30;
const STEP: usize = 4;
const HEIGHT: u64 = 20;

/// Calls of each of the last days, the oldest first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bars {
    days: Vec<u64>,
}

impl Bars {
    /// Sorts hours into days of the owner's zone.
    pub fn of<'a>(hours: impl Iterator<Item = &'a ActiveHour>, times: &Times) -> Self {
        let mut days = vec![0; DAYS];
        for hour in hours {
            let age = times.today().since(times.date(hour.hour)).map(|span| span.get_days());
            let age = age.ok().and_then(|age| usize::try_from(age).ok());
            let place = age.and_then(|age| DAYS.checked_sub(age + 1));
            if let Some(day) = place.and_then(|place| days.get_mut(place)) {
                *day += hour.calls;
            }
        }
        Self { days }
    }

    /// The first instant that the bars show.
    pub fn since(times: &Times) -> jiff::Timestamp {
        let days = i64::try_from(DAYS).unwrap_or(30) - 1;
        let first = times.today().checked_sub(days.days()).ok();
        first.and_then(|day| times.start_of(day)).unwrap_or_else(|| times.now())
    }

    /// What the bars say, for those who do not see them.
    pub fn words(&self) -> String {
        let total: u64 = self.days.iter().sum();
        let today = self.days.last().copied().unwrap_or_default();
        let calls = counted(total, "read", "reads");
        format!("{calls} in the last {DAYS} days, {} today", super::plain::grouped(today))
    }
}

/// Bars stand on a line, so that a quiet month looks quiet and not broken.
impl fmt::Display for Bars {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let most = self.days.iter().copied().max().unwrap_or_default().max(1);
        let width = DAYS * STEP;
        let ground = HEIGHT + 1;
        write!(
            f,
            "<svg class=\"bars\" viewBox=\"0 0 {width} {}\" role=\"img\" aria-label=\"{}\">",
            ground + 1,
            self.words()
        )?;
        write!(f, "<path d=\"M0 {ground}.5H{width}\"/>")?;
        for (place, calls) in self.days.iter().enumerate().filter(|(_, calls)| **calls > 0) {
            // The least read day is still seen.
            let height = (calls * HEIGHT / most).max(2);
            let (x, y) = (place * STEP, ground - height);
            write!(f, "<rect x=\"{x}\" y=\"{y}\" width=\"3\" height=\"{height}\"/>")?;
        }
        f.write_str("</svg>")
    }
}

/// Made of numbers and fixed words only.
impl HtmlSafe for Bars {}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::tz::TimeZone;

    #[test]
    fn hours_fall_into_the_owner_s_days() {
        let zone = TimeZone::get("Europe/Berlin").unwrap();
        let times = Times::new("2026-11-15T12:00:00Z".parse().unwrap(), zone);
        let hour = |at: &str, calls| ActiveHour {
            package_id: "pkg_1".parse().unwrap(),
            hour: at.parse().unwrap(),
            calls,
            records: 0,
            last_at: at.parse().unwrap(),
        };
        let hours = [
            hour("2026-11-14T23:00:00Z", 5),
            hour("2026-11-14T22:00:00Z", 2),
            hour("2026-01-01T00:00:00Z", 9),
        ];
        let bars = Bars::of(hours.iter(), &times);
        assert_eq!((bars.days[29], bars.days[28]), (5, 2));
        assert_eq!(bars.words(), "7 reads in the last 30 days, 5 today");
        let drawn = bars.to_string();
        assert_eq!(drawn.matches("<rect").count(), 2, "{drawn}");
        assert_eq!(Bars::since(&times).to_string(), "2026-10-16T22:00:00Z");
    }
}
