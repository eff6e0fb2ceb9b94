//! Time zones that a calendar defines itself, by the rules of their summer and winter time.

use jiff::civil::{Date, DateTime, Weekday};
use jiff::tz::{Offset, TimeZone};

/// A part of the year with one offset.
#[derive(Debug, Default)]
struct Observance {
    starts: Option<DateTime>,
    offset_seconds: Option<i32>,
    /// Month, week (negative from the end) and weekday in which it begins each year.
    yearly: Option<(i8, i8, Weekday)>,
    until: Option<DateTime>,
}

/// The offset that the zone `name` has at a local time, by its definition in `zones`.
pub fn zone_at(zones: &str, name: &str, local: DateTime) -> Option<TimeZone> {
    let observances = observances(zones, name);
    let begun = observances.iter().filter_map(|one| Some((one.last_start(local)?, one)));
    // Before the first of them, the earliest one counts.
    let current = begun.max_by_key(|(start, _)| *start).map(|(_, one)| one);
    let current = current.or_else(|| observances.iter().min_by_key(|one| one.starts));
    let offset = Offset::from_seconds(current?.offset_seconds?).ok()?;
    Some(offset.to_time_zone())
}

fn observances(zones: &str, name: &str) -> Vec<Observance> {
    let unfolded = zones.replace("\r\n", "\n").replace("\n ", "").replace("\n\t", "");
    let mut found = Vec::new();
    let mut in_zone = false;
    for line in unfolded.lines() {
        let (head, value) = line.trim().split_once(':').unwrap_or_default();
        let head = head.split(';').next().unwrap_or_default().to_ascii_uppercase();
        match (head.as_str(), value) {
            ("TZID", value) => in_zone = value == name,
            ("BEGIN", "STANDARD" | "DAYLIGHT") if in_zone => found.push(Observance::default()),
            ("END", "VTIMEZONE") => in_zone = false,
            _ if in_zone => {
                if let Some(open) = found.last_mut() {
                    open.read(&head, value);
                }
            }
            _ => {}
        }
    }
    found
}

impl Observance {
    fn read(&mut self, head: &str, value: &str) {
        match head {
            "DTSTART" => self.starts = date_time(value),
            "TZOFFSETTO" => self.offset_seconds = offset_seconds(value),
            "RRULE" => self.read_rule(value),
            _ => {}
        }
    }

    fn read_rule(&mut self, rule: &str) {
        let part = |name: &str| {
            let mut parts = rule.split(';').filter_map(|part| part.split_once('='));
            parts.find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value)
        };
        self.until = part("UNTIL").and_then(date_time);
        let month = part("BYMONTH").and_then(|month| month.parse().ok());
        let day = part("BYDAY").and_then(week_and_day);
        self.yearly = month.zip(day).map(|(month, (week, day))| (month, week, day));
    }

    /// When it last began, at or before a local time.
    fn last_start(&self, local: DateTime) -> Option<DateTime> {
        let first = self.starts?;
        let Some((month, week, weekday)) = self.yearly else {
            return (first <= local).then_some(first);
        };
        let in_year = |year: i16| {
            let date = Date::new(year, month, 1).ok()?;
            let start = date.nth_weekday_of_month(week, weekday).ok()?.to_datetime(first.time());
            let over = self.until.is_some_and(|until| start > until);
            (start >= first && start <= local && !over).then_some(start)
        };
        in_year(local.year()).or_else(|| in_year(local.year() - 1)).or({
            // A rule that ended counts from its first day, when nothing later is known.
            (first <= local && self.until.is_some()).then_some(first)
        })
    }
}

/// `20260703T100000`
fn date_time(text: &str) -> Option<DateTime> {
    let digits: String = text.chars().filter(char::is_ascii_digit).collect();
    let part = |from: usize, to: usize| digits.get(from..to).and_then(|text| text.parse().ok());
    let (month, day) = (part(4, 6)?, part(6, 8)?);
    let year = digits.get(..4)?.parse().ok()?;
    let (hour, minute) = (part(8, 10).unwrap_or(0), part(10, 12).unwrap_or(0));
    DateTime::new(year, month, day, hour, minute, 0, 0).ok()
}

/// `+0130`
fn offset_seconds(text: &str) -> Option<i32> {
    let (sign, digits) = match text.trim().split_at_checked(1)? {
        ("-", digits) => (-1, digits),
        ("+", digits) => (1, digits),
        _ => return None,
    };
    let hours: i32 = digits.get(..2)?.parse().ok()?;
    let minutes: i32 = digits.get(2..4)?.parse().ok()?;
    Some(sign * (hours * 3_600 + minutes * 60))
}

/// `-1SU`: the last Sunday.
fn week_and_day(text: &str) -> Option<(i8, Weekday)> {
    let (week, day) = text.split_at_checked(text.len().checked_sub(2)?)?;
    let weekday = match day.to_ascii_uppercase().as_str() {
        "MO" => Weekday::Monday,
        "TU" => Weekday::Tuesday,
        "WE" => Weekday::Wednesday,
        "TH" => Weekday::Thursday,
        "FR" => Weekday::Friday,
        "SA" => Weekday::Saturday,
        "SU" => Weekday::Sunday,
        _ => return None,
    };
    Some((week.parse().ok()?, weekday))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ZONES: &str = "BEGIN:VTIMEZONE\r\nTZID:Ours\r\nBEGIN:STANDARD\r\nDTSTART:16010101T030000\r\n\
        TZOFFSETFROM:+0200\r\nTZOFFSETTO:+0100\r\nRRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10\r\nEND:STANDARD\r\n\
        BEGIN:DAYLIGHT\r\nDTSTART:16010101T020000\r\nTZOFFSETFROM:+0100\r\nTZOFFSETTO:+0200\r\n\
        RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3\r\nEND:DAYLIGHT\r\nEND:VTIMEZONE\r\n";

    #[test]
    fn summer_and_winter_have_their_offsets() {
        for (local, hours) in
            [("2026-01-15T10:00:00", 1), ("2026-07-15T10:00:00", 2), ("2026-12-15T10:00:00", 1)]
        {
            let zone = zone_at(ZONES, "Ours", local.parse().unwrap()).unwrap();
            assert_eq!(zone.to_fixed_offset().unwrap(), jiff::tz::offset(hours), "{local}");
        }
        assert!(zone_at(ZONES, "Theirs", "2026-01-15T10:00:00".parse().unwrap()).is_none());
    }
}
