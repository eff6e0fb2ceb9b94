//! When something happens: days, instants, and times in the zones that a calendar names.

use calcard::common::PartialDateTime;
use calcard::common::timezone::Tz;
use calcard::icalendar::timezone::TzResolver;
use calcard::icalendar::{ICalendar, ICalendarEntry};
use jiff::civil::DateTime;
use jiff::tz::{Offset, TimeZone};
use jiff::{SignedDuration, Timestamp};

use super::own_zone::zone_at;

/// A point in time.
pub struct EventTime {
    /// As RFC 3339.
    pub instant: String,
    /// A whole day.
    pub all_day: bool,
    /// The zone it was written in.
    pub zone: Option<String>,
    /// The same.
    pub timestamp: Timestamp,
}

impl EventTime {
    /// The instant so many seconds later.
    pub fn later_by_seconds(&self, seconds: i64) -> Option<String> {
        let later = self.timestamp.checked_add(SignedDuration::from_secs(seconds)).ok()?;
        Some(later.to_string())
    }
}

/// The zones of a calendar.
pub struct Zones<'c> {
    known: TzResolver<&'c str>,
    /// The definitions that stand in the calendar.
    own: &'c str,
    default: &'c TimeZone,
}

impl<'c> Zones<'c> {
    /// The zones that `calendar` defines; times without one are in `default`.
    pub fn new(calendar: &'c ICalendar, own: &'c str, default: &'c TimeZone) -> Self {
        Self { known: calendar.build_tz_resolver(), own, default }
    }

    /// When the property says; `None` when it names no date.
    pub fn moment(&self, entry: &ICalendarEntry) -> Option<EventTime> {
        let written = entry.values.first()?.as_partial_date_time()?;
        self.moment_at(entry, civil(written)?)
    }

    /// A local time in the zone of the property.
    pub fn moment_at(&self, entry: &ICalendarEntry, time: DateTime) -> Option<EventTime> {
        let written = entry.values.first()?.as_partial_date_time()?;
        let all_day = written.hour.is_none();
        if all_day {
            let timestamp = time.to_zoned(TimeZone::UTC).ok()?.timestamp();
            return Some(EventTime {
                instant: timestamp.to_string(),
                all_day,
                zone: None,
                timestamp,
            });
        }
        let name = entry.tz_id();
        let zone = match (own_offset(written), name) {
            (Some(zone), _) => zone,
            (None, Some(name)) => self.zone(name, time).unwrap_or_else(|| self.default.clone()),
            (None, None) => self.default.clone(),
        };
        let zoned = time.to_zoned(zone).ok()?;
        let timestamp = zoned.timestamp();
        let instant = if zoned.offset() == Offset::UTC {
            timestamp.to_string()
        } else {
            timestamp.display_with_offset(zoned.offset()).to_string()
        };
        Some(EventTime { instant, all_day, zone: name.map(str::to_owned), timestamp })
    }

    /// The zone by its name, by a name that its maker gave it, or by its rules.
    fn zone(&self, name: &str, local: DateTime) -> Option<TimeZone> {
        let known = match self.known.resolve(name) {
            Some(Tz::Tz(zone)) => TimeZone::get(zone.name()).ok(),
            Some(Tz::Fixed(_) | Tz::Floating) | None => None,
        };
        known.or_else(|| zone_at(self.own, name, local))
    }
}

fn civil(written: &PartialDateTime) -> Option<DateTime> {
    let small = |part: Option<u8>| i8::try_from(part.unwrap_or(0)).ok();
    let year = i16::try_from(written.year?).ok()?;
    let (month, day) = (i8::try_from(written.month?).ok()?, i8::try_from(written.day?).ok()?);
    // A leap second is the last second before the next minute.
    let second = small(written.second)?.min(59);
    DateTime::new(year, month, day, small(written.hour)?, small(written.minute)?, second, 0).ok()
}

/// The offset that stands with the time; `Z` is one of zero.
fn own_offset(written: &PartialDateTime) -> Option<TimeZone> {
    let hours = i32::from(written.tz_hour?);
    let seconds = hours * 3_600 + i32::from(written.tz_minute.unwrap_or(0)) * 60;
    let seconds = if written.tz_minus { -seconds } else { seconds };
    Some(Offset::from_seconds(seconds).ok()?.to_time_zone())
}
