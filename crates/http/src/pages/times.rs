//! Times in the owner's own zone: words to read, the exact time behind them.

use std::fmt;

use askama::filters::HtmlSafe;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Timestamp, Zoned};

use super::fault::PageFault;
use crate::app::App;

/// A time on a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct When {
    /// What is read: `today 09:12`.
    pub text: String,
    /// The exact local time, on hover.
    pub exact: String,
    /// The instant, in the markup.
    pub iso: String,
}

/// Made of numbers, names of days and of a zone that the database of zones knows.
impl HtmlSafe for When {}

impl fmt::Display for When {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { text, exact, iso } = self;
        write!(f, "<time datetime=\"{iso}\" title=\"{exact}\">{text}</time>")
    }
}

/// The owner's clock and calendar.
#[derive(Debug, Clone)]
pub struct Times {
    zone: TimeZone,
    now: Zoned,
}

impl Times {
    /// The owner's zone: as set, else the machine's.
    pub async fn of(app: &App) -> Result<Self, PageFault> {
        let set = app.services.auth.settings().await?.time_zone;
        let zone = set.and_then(|name| TimeZone::get(&name).ok());
        Ok(Self::new(app.services.clock.now(), zone.unwrap_or_else(|| app.time_zone.clone())))
    }

    /// A clock that shows this instant in this zone.
    pub fn new(now: Timestamp, zone: TimeZone) -> Self {
        Self { now: now.to_zoned(zone.clone()), zone }
    }

    /// Now.
    pub fn now(&self) -> Timestamp {
        self.now.timestamp()
    }

    /// Today.
    pub fn today(&self) -> Date {
        self.now.date()
    }

    /// The zone's name.
    pub fn zone_name(&self) -> &str {
        self.zone.iana_name().unwrap_or("UTC")
    }

    /// The day an instant falls on here.
    pub fn date(&self, at: Timestamp) -> Date {
        at.to_zoned(self.zone.clone()).date()
    }

    /// The instant at which a day begins here.
    pub fn start_of(&self, day: Date) -> Option<Timestamp> {
        day.to_zoned(self.zone.clone()).ok().map(|start| start.timestamp())
    }

    /// A moment: the closer, the more exact.
    pub fn moment(&self, at: Timestamp) -> When {
        let local = at.to_zoned(self.zone.clone());
        let clock = local.strftime("%H:%M");
        let (day, today) = (local.date(), self.today());
        let text = if day == today {
            format!("today {clock}")
        } else if today.yesterday().is_ok_and(|yesterday| day == yesterday) {
            format!("yesterday {clock}")
        } else if today.tomorrow().is_ok_and(|tomorrow| day == tomorrow) {
            format!("tomorrow {clock}")
        } else {
            day_words(day)
        };
        self.when(text, &local)
    }

    /// The time of a day that is named already.
    pub fn clock(&self, at: Timestamp) -> When {
        let local = at.to_zoned(self.zone.clone());
        self.when(local.strftime("%H:%M").to_string(), &local)
    }

    /// A day.
    pub fn day(&self, at: Timestamp) -> When {
        let local = at.to_zoned(self.zone.clone());
        self.when(day_words(local.date()), &local)
    }

    fn when(&self, text: String, local: &Zoned) -> When {
        let exact = format!("{} {}", local.strftime("%A, %-d %B %Y, %H:%M:%S"), self.zone_name());
        When { text, exact, iso: format!("{:.0}", local.timestamp()) }
    }
}

/// A day as people write it: `13 Feb 2027`.
pub fn day_words(day: Date) -> String {
    day.strftime("%-d %b %Y").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_moments_have_a_clock_and_far_ones_a_date() {
        let zone = TimeZone::get("Europe/Berlin").unwrap();
        let times = Times::new("2026-11-15T23:30:00Z".parse().unwrap(), zone);
        let text = |at: &str| times.moment(at.parse().unwrap()).text;
        assert_eq!(text("2026-11-15T23:12:00Z"), "today 00:12");
        assert_eq!(text("2026-11-15T22:12:00Z"), "yesterday 23:12");
        assert_eq!(text("2026-11-17T08:00:00Z"), "tomorrow 09:00");
        assert_eq!(text("2026-02-13T08:00:00Z"), "13 Feb 2026");
        let exact = times.moment("2026-02-13T08:00:00Z".parse().unwrap());
        assert_eq!(exact.exact, "Friday, 13 February 2026, 09:00:00 Europe/Berlin");
        assert_eq!(exact.iso, "2026-02-13T08:00:00Z");
    }
}
