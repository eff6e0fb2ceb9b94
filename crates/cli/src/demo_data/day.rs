//! Days of the year 2026 and how Gothenburg's clocks write them. No clock is read.

use std::fmt;

const MONTH_DAYS: [u16; 12] = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const NEW_YEAR_EPOCH_DAY: i64 = 20_454;
const SUMMER_TIME: std::ops::Range<u16> = 87..297;

/// A day of 2026, counted from 1 January = 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Day(u16);

impl Day {
    /// The day that many days after 1 January.
    pub const fn from_ordinal(ordinal: u16) -> Self {
        Self(ordinal)
    }

    /// The day of a month, both counted from 1.
    pub fn new(month: u16, day: u16) -> Self {
        let before = usize::from(month.saturating_sub(1));
        let ordinal: u16 = MONTH_DAYS.iter().take(before).sum();
        Self(ordinal + day.saturating_sub(1))
    }

    /// Reads `MM-DD`; anything else is 1 January.
    pub fn parse(text: &str) -> Self {
        let (month, day) = text.split_once('-').unwrap_or(("1", "1"));
        Self::new(month.trim().parse().unwrap_or(1), day.trim().parse().unwrap_or(1))
    }

    /// That many days later, within the year.
    pub const fn plus(self, days: u16) -> Self {
        Self(self.0 + days)
    }

    /// 0 = Monday … 6 = Sunday; 1 January 2026 was a Thursday.
    pub const fn weekday(self) -> u16 {
        (self.0 + 3) % 7
    }

    /// Monday to Friday.
    pub const fn is_working(self) -> bool {
        self.weekday() < 5
    }

    /// Maya was away from 9 to 14 October.
    pub fn is_in_lisbon(self) -> bool {
        (Self::new(10, 9)..=Self::new(10, 14)).contains(&self)
    }

    fn month_and_day(self) -> (u16, u16) {
        let mut rest = self.0;
        for (month, length) in (1_u16..).zip(MONTH_DAYS) {
            if rest < length {
                return (month, rest + 1);
            }
            rest -= length;
        }
        (12, 31)
    }

    fn offset_hours(self) -> i64 {
        if SUMMER_TIME.contains(&self.0) { 2 } else { 1 }
    }

    /// Local wall time as RFC 3339 with Gothenburg's offset of that day.
    pub fn at(self, time: &str) -> String {
        let seconds = if time.len() == 5 { ":00" } else { "" };
        format!("{self}T{time}{seconds}+0{}:00", self.offset_hours())
    }

    /// The Unix second of a local wall time `HH:MM`.
    pub fn unix(self, time: &str) -> i64 {
        let (hour, minute) = time.split_once(':').unwrap_or(("0", "0"));
        let hour: i64 = hour.parse().unwrap_or(0);
        let minute: i64 = minute.parse().unwrap_or(0);
        let day = NEW_YEAR_EPOCH_DAY + i64::from(self.0);
        day * 86_400 + (hour - self.offset_hours()) * 3_600 + minute * 60
    }

    /// The same wall time written in UTC. Local times before 02:00 are not used.
    pub fn utc(self, time: &str) -> String {
        let second = self.unix(time).rem_euclid(86_400);
        format!("{self}T{:02}:{:02}:00Z", second / 3_600, second / 60 % 60)
    }
}

impl fmt::Display for Day {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (month, day) = self.month_and_day();
        write!(out, "2026-{month:02}-{day:02}")
    }
}

#[cfg(test)]
mod tests {
    use super::Day;

    #[test]
    fn days_print_with_the_offset_of_their_season() {
        assert_eq!(Day::parse("10-24").at("08:00"), "2026-10-24T08:00:00+02:00");
        assert_eq!(Day::parse("10-25").at("08:00"), "2026-10-25T08:00:00+01:00");
        assert_eq!(Day::new(3, 29).at("08:00"), "2026-03-29T08:00:00+02:00");
        assert_eq!(Day::new(11, 19).weekday(), 3);
        assert_eq!(Day::new(1, 1).unix("01:00"), 1_767_225_600);
        assert_eq!(Day::new(11, 16).utc("09:15"), "2026-11-16T08:15:00Z");
    }
}
