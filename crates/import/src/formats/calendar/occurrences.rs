//! The occurrences of a series: every time it takes place, up to two years after the import.

use std::collections::HashSet;

use calcard::common::timezone::Tz;
use calcard::icalendar::ICalendar;
use jiff::civil::DateTime;
use jiff::{Timestamp, ToSpan};

/// Occurrences of one series that are looked at; those of the longest series are daily for 50 years.
const MAX_EXPANDED: usize = 20_000;
/// Occurrences of one series that are kept, the latest ones.
const MAX_KEPT: usize = 4_000;
/// Occurrences of all series of an import.
const MAX_TOTAL: usize = 200_000;
/// Changed occurrences that are remembered; more would need unbounded memory.
const MAX_CHANGED: usize = 500_000;

/// What expanding needs to know of the whole import.
pub struct Expansion {
    /// The last moment of an occurrence.
    until: Option<Timestamp>,
    /// Occurrences that stand in the calendar themselves, by the id of the event and the moment.
    changed: HashSet<(String, Timestamp)>,
    left: usize,
}

impl Expansion {
    /// Up to two years after `now`, an RFC 3339 time.
    pub fn from(now: &str) -> Self {
        let now: Option<Timestamp> = now.parse().ok();
        let until = now.and_then(|now| now.checked_add((2 * 365 * 24).hours()).ok());
        Self { until, changed: HashSet::new(), left: MAX_TOTAL }
    }

    /// Remembers an occurrence that the calendar has as an event of its own.
    pub fn remember_changed(&mut self, uid: &str, moment: Timestamp) {
        if self.changed.len() < MAX_CHANGED {
            self.changed.insert((uid.to_owned(), moment));
        }
    }

    /// The moments at which the only component of `calendar` takes place again after `first`; `at`
    /// turns local times into instants.
    pub fn moments(
        &mut self,
        (calendar, uid): (&ICalendar, &str),
        first: Timestamp,
        at: &dyn Fn(DateTime) -> Option<Timestamp>,
    ) -> Vec<(DateTime, Timestamp)> {
        let Some(until) = self.until else { return Vec::new() };
        let expanded = calendar.expand_dates(Tz::UTC, MAX_EXPANDED);
        let local = expanded.events.iter().map(|event| event.start.naive_local().to_string());
        let local = local.filter_map(|text| text.parse::<DateTime>().ok());
        let moments = local.filter_map(|time| Some((time, at(time)?)));
        let mut moments: Vec<(DateTime, Timestamp)> = moments
            .filter(|(_, moment)| *moment != first && *moment <= until)
            .filter(|(_, moment)| !self.changed.contains(&(uid.to_owned(), *moment)))
            .collect();
        moments.sort_unstable();
        moments.dedup();
        let kept = MAX_KEPT.min(self.left);
        moments.drain(..moments.len().saturating_sub(kept));
        self.left -= moments.len();
        moments
    }

    /// Whether there was no room for more.
    pub fn is_full(&self) -> bool {
        self.left == 0
    }
}
