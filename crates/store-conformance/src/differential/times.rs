//! Times around the places where clocks are changed, and zones that change them in odd ways.

use jiff::Timestamp;
use jiff::tz::Offset;
use pdpp_contract::aggregate::Granularity;

use super::chance::Chance;
use crate::sample::time;
use pdpp_store::aggregate::TimeBuckets;

/// Few enough that many records share an instant.
const KNOWN: [&str; 7] = [
    "2026-01-01T00:00:00Z",
    "2026-01-01T01:00:00+01:00",
    "2026-02-28T23:59:59.999999999Z",
    "2026-03-01",
    "2025-12-31T23:00:00Z",
    "2026-06-15T12:00:00.5Z",
    "1969-12-31T23:59:59.25Z",
];
/// The first and the last that can be read, and two that cannot.
const ODD: [&str; 4] =
    ["0000-01-01T00:00:00Z", "9999-12-30T22:00:00Z", "soon", "2026-03-29T02:30:00"];

/// When clocks are changed: by an hour, by half an hour, by two, at midnight, by a whole day, and from
/// an offset with seconds.
const CHANGES: [&str; 8] = [
    "2026-03-29T01:00:00Z",
    "2026-10-25T01:00:00Z",
    "2026-11-01T06:00:00Z",
    "2026-04-04T15:00:00Z",
    "2024-04-25T22:00:00Z",
    "2011-12-30T10:00:00Z",
    "1972-01-07T00:44:30Z",
    "1937-07-01T00:00:00Z",
];

const ZONES: [&str; 13] = [
    "UTC",
    "Etc/UTC",
    "Europe/Berlin",
    "Europe/Amsterdam",
    "America/New_York",
    "America/St_Johns",
    "Australia/Lord_Howe",
    "Antarctica/Troll",
    "Africa/Cairo",
    "Africa/Monrovia",
    "Asia/Kathmandu",
    "Pacific/Apia",
    "Pacific/Kiritimati",
];

impl Chance {
    /// A time as records have them; some cannot be read.
    pub(super) fn time(&mut self) -> String {
        if self.once_in(20) { self.of(&ODD).to_owned() } else { self.instant() }
    }

    /// A time that can be read.
    pub(super) fn instant(&mut self) -> String {
        match self.below(4) {
            0 => self.of(&KNOWN).to_owned(),
            1 => self.date(),
            _ => {
                let nanos = self.of(&[0, 0, 1, 999_999_999]);
                let at = Timestamp::new(self.near_change(), nanos).unwrap();
                let offset = self.of(&[0, 3_600, -12_600, 20_700]);
                at.display_with_offset(Offset::from_seconds(offset).unwrap()).to_string()
            }
        }
    }

    /// A date, often of a day on which a clock is changed.
    pub(super) fn date(&mut self) -> String {
        let at = Timestamp::from_second(self.near_change()).unwrap();
        Offset::UTC.to_datetime(at).date().to_string()
    }

    /// Spans to count by.
    pub(super) fn buckets(&mut self) -> TimeBuckets {
        let (granularity, zone) = (self.of(&Granularity::ALL), self.of(&ZONES));
        TimeBuckets::new(granularity, zone).unwrap()
    }

    /// A second within a day of a change, mostly a quarter of an hour.
    fn near_change(&mut self) -> i64 {
        let quarters = i64::try_from(self.below(193)).unwrap() - 96;
        let beside = i64::from(self.once_in(4));
        time(self.of(&CHANGES)).as_second() + quarters * 900 - beside
    }
}
