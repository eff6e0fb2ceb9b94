//! Stretches of time in a zone: which bucket an instant or a date falls into.
//!
//! The key of a bucket of a day or more is its first date. The key of an hour or a minute is the
//! local time it begins at, with the offset that is in force: when clocks go back, the hour that
//! comes twice is two buckets with two keys. A date without a time is its own day in every zone.

use std::collections::HashMap;

use jiff::civil::{Date, DateTime};
use jiff::tz::{Offset, TimeZone};
use jiff::{Span, Timestamp};
use pdpp_contract::aggregate::Granularity;

const DAY: i64 = 86_400;

/// How instants are put into buckets.
#[derive(Debug, Clone)]
pub struct TimeBuckets {
    granularity: Granularity,
    zone: TimeZone,
}

impl TimeBuckets {
    /// Buckets in an IANA zone; `None` when there is no such zone.
    pub fn new(granularity: Granularity, zone: &str) -> Option<Self> {
        let zone = if zone == "UTC" { TimeZone::UTC } else { TimeZone::get(zone).ok()? };
        Some(Self { granularity, zone })
    }

    /// Whether a date and midnight UTC of that day fall into the same bucket.
    pub(crate) fn is_utc(&self) -> bool {
        self.zone == TimeZone::UTC
    }

    /// The bucket of an instant, and the stretch of instants around it that share it.
    fn stretch(&self, seconds: i64) -> Option<Stretch> {
        let at = Timestamp::from_second(seconds).ok()?;
        let offset = self.zone.to_offset(at);
        let shift = i64::from(offset.seconds());
        let (start, end) = self.civil_bounds(offset.to_datetime(at))?;
        let after = Timestamp::from_second(seconds + 1).ok()?;
        let changed = self.zone.preceding(after).next().map(|change| change.timestamp());
        let changes = self.zone.following(at).next().map(|change| change.timestamp());
        let from = changed.map_or(i64::MIN, Timestamp::as_second).max(start - shift);
        let until = changes.map_or(i64::MAX, Timestamp::as_second).min(end - shift);
        Some(Stretch { from, until, bucket: self.bucket(start, offset), count: 0 })
    }

    /// The bucket of a date, given in days since the epoch.
    fn bucket_of_date(&self, day: i64) -> Option<Bucket> {
        let midnight = Timestamp::from_second(day.checked_mul(DAY)?).ok()?;
        let date = Offset::UTC.to_datetime(midnight);
        if self.is_long() {
            let (start, _) = self.civil_bounds(date)?;
            return Some(self.bucket(start, Offset::UTC));
        }
        // The first instant of the day: midnight, or later where clocks jump over it.
        let first = self.zone.to_timestamp(date).ok()?;
        let offset = self.zone.to_offset(first);
        let (start, _) = self.civil_bounds(offset.to_datetime(first))?;
        Some(self.bucket(start, offset))
    }

    fn bucket(&self, start: i64, offset: Offset) -> Bucket {
        let offset = if self.is_long() { 0 } else { offset.seconds() };
        Bucket { begins: start - i64::from(offset), offset }
    }

    /// Whether buckets are days or longer.
    fn is_long(&self) -> bool {
        !matches!(self.granularity, Granularity::Minute | Granularity::Hour)
    }

    /// The first local second of the bucket around a local time, and the first one after it.
    fn civil_bounds(&self, local: DateTime) -> Option<(i64, i64)> {
        let seconds = |date: Date| civil_seconds(date.at(0, 0, 0, 0));
        let date = local.date();
        let (first, span) = match self.granularity {
            Granularity::Minute => return short(local, 60),
            Granularity::Hour => return short(local, 3_600),
            Granularity::Day => (date, Span::new().days(1)),
            Granularity::Week => {
                let since_monday = i64::from(date.weekday().to_monday_zero_offset());
                (date.checked_sub(Span::new().days(since_monday)).ok()?, Span::new().days(7))
            }
            Granularity::Month => (date.first_of_month(), Span::new().months(1)),
            Granularity::Quarter => {
                let month = (date.month() - 1) / 3 * 3 + 1;
                (Date::new(date.year(), month, 1).ok()?, Span::new().months(3))
            }
            Granularity::Year => (date.first_of_year(), Span::new().years(1)),
        };
        // The last year has no next one; its buckets go on for ever.
        let end = first.checked_add(span).ok().and_then(seconds).unwrap_or(i64::MAX / 2);
        Some((seconds(first)?, end))
    }

    /// The key of a bucket.
    fn key(&self, bucket: Bucket) -> Option<String> {
        let local = Timestamp::from_second(bucket.begins + i64::from(bucket.offset)).ok()?;
        let local = Offset::UTC.to_datetime(local);
        if self.is_long() {
            return Some(local.date().to_string());
        }
        let zone = if self.is_utc() { "Z".to_owned() } else { offset_text(bucket.offset) };
        Some(format!("{}T{:02}:{:02}:00{zone}", local.date(), local.hour(), local.minute()))
    }
}

fn short(local: DateTime, width: i64) -> Option<(i64, i64)> {
    let start = civil_seconds(local)?.div_euclid(width) * width;
    Some((start, start + width))
}

/// A local time as if it were UTC.
fn civil_seconds(local: DateTime) -> Option<i64> {
    Offset::UTC.to_timestamp(local).ok().map(Timestamp::as_second)
}

fn offset_text(seconds: i32) -> String {
    let sign = if seconds < 0 { '-' } else { '+' };
    let minutes = seconds.abs() / 60;
    format!("{sign}{:02}:{:02}", minutes / 60, minutes % 60)
}

/// A bucket: its first instant in seconds, and the offset in force for buckets below a day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Bucket {
    begins: i64,
    offset: i32,
}

/// Instants in one bucket under one offset, and how many of them were seen.
#[derive(Debug)]
struct Stretch {
    from: i64,
    until: i64,
    bucket: Bucket,
    count: u64,
}

/// Counts per bucket.
#[derive(Debug)]
pub(crate) struct BucketCounts {
    buckets: TimeBuckets,
    counts: HashMap<Bucket, u64>,
    /// Where the last instant fell: a walk in time order hardly ever leaves it.
    current: Option<Stretch>,
    missing: u64,
}

impl BucketCounts {
    pub(crate) fn new(buckets: TimeBuckets) -> Self {
        Self { buckets, counts: HashMap::new(), current: None, missing: 0 }
    }

    pub(crate) fn is_utc(&self) -> bool {
        self.buckets.is_utc()
    }

    /// Counts an instant.
    pub(crate) fn add(&mut self, seconds: i64) {
        if let Some(current) = &mut self.current
            && (current.from..current.until).contains(&seconds)
        {
            current.count += 1;
            return;
        }
        self.settle();
        match self.buckets.stretch(seconds) {
            Some(stretch) => self.current = Some(Stretch { count: 1, ..stretch }),
            None => self.missing += 1,
        }
    }

    /// Counts a date, given by midnight UTC of its day.
    pub(crate) fn add_date(&mut self, seconds: i64) {
        match self.buckets.bucket_of_date(seconds.div_euclid(DAY)) {
            Some(bucket) => *self.counts.entry(bucket).or_insert(0) += 1,
            None => self.missing += 1,
        }
    }

    /// Counts records without a time.
    pub(crate) fn add_missing(&mut self, count: u64) {
        self.missing += count;
    }

    fn settle(&mut self) {
        if let Some(current) = self.current.take() {
            *self.counts.entry(current.bucket).or_insert(0) += current.count;
        }
    }

    /// The first buckets by time; those without a time come last.
    pub(crate) fn first(mut self, most: usize) -> Vec<(Option<String>, u64)> {
        self.settle();
        let mut counts: Vec<(Bucket, u64)> = self.counts.drain().collect();
        counts.sort_unstable();
        let keyed = counts.into_iter().map(|(bucket, count)| (self.buckets.key(bucket), count));
        let missing = (self.missing > 0).then_some((None, self.missing));
        keyed.chain(missing).take(most).collect()
    }
}

#[cfg(test)]
mod tests {
    use pdpp_contract::Instant;

    use super::*;

    fn counted(granularity: Granularity, zone: &str, times: &[&str]) -> Vec<(String, u64)> {
        let mut counts = BucketCounts::new(TimeBuckets::new(granularity, zone).unwrap());
        for time in times {
            let seconds = Instant::parse(time).unwrap().unix_seconds();
            if time.len() == 10 { counts.add_date(seconds) } else { counts.add(seconds) }
        }
        let named = |(key, count): (Option<String>, u64)| (key.unwrap_or_default(), count);
        counts.first(100).into_iter().map(named).collect()
    }

    fn keys(granularity: Granularity, zone: &str, times: &[&str]) -> Vec<String> {
        counted(granularity, zone, times).into_iter().map(|(key, _)| key).collect()
    }

    #[test]
    fn the_hour_that_comes_twice_is_two_buckets() {
        let times = [
            "2026-10-25T00:30:00Z",
            "2026-10-25T01:30:00Z",
            "2026-10-25T00:59:59Z",
            "2026-10-25T02:00:00Z",
        ];
        let expected = [
            ("2026-10-25T02:00:00+02:00".to_owned(), 2),
            ("2026-10-25T02:00:00+01:00".to_owned(), 1),
            ("2026-10-25T03:00:00+01:00".to_owned(), 1),
        ];
        assert_eq!(counted(Granularity::Hour, "Europe/Berlin", &times), expected);
        assert_eq!(keys(Granularity::Day, "Europe/Berlin", &times), ["2026-10-25"]);
    }

    #[test]
    fn a_day_has_the_hours_its_zone_gives_it() {
        let times: Vec<String> = (0..48)
            .map(|hour| format!("2026-03-{:02}T{:02}:00:00Z", 28 + hour / 24, hour % 24))
            .collect();
        let times: Vec<&str> = times.iter().map(String::as_str).collect();
        let counts = counted(Granularity::Day, "Europe/Berlin", &times);
        let expected = [
            ("2026-03-28".to_owned(), 23),
            ("2026-03-29".to_owned(), 23),
            ("2026-03-30".to_owned(), 2),
        ];
        assert_eq!(counts, expected);
        assert_eq!(counted(Granularity::Hour, "Europe/Berlin", &times).len(), 48);
    }

    #[test]
    fn a_date_is_its_own_day_in_every_zone() {
        for zone in ["UTC", "America/Los_Angeles", "Pacific/Kiritimati", "Asia/Kathmandu"] {
            let found =
                counted(Granularity::Day, zone, &["2026-03-01", "2026-03-01T12:00:00+14:00"]);
            assert_eq!(found.iter().map(|(_, count)| count).sum::<u64>(), 2);
            assert!(found.iter().any(|(key, _)| key == "2026-03-01"), "{zone}: {found:?}");
            assert_eq!(keys(Granularity::Month, zone, &["2026-03-01"]), ["2026-03-01"]);
        }
        let hour = |zone| keys(Granularity::Hour, zone, &["2026-03-01"]);
        assert_eq!(hour("America/Los_Angeles"), ["2026-03-01T00:00:00-08:00"]);
        assert_eq!(hour("UTC"), ["2026-03-01T00:00:00Z"]);
        // In Cairo clocks once jumped from midnight to one.
        let gap = keys(Granularity::Hour, "Africa/Cairo", &["2024-04-26"]);
        assert_eq!(gap, ["2024-04-26T01:00:00+03:00"]);
    }

    #[test]
    fn longer_buckets_begin_where_people_expect() {
        let at = ["2026-11-15T12:00:00Z"];
        for (granularity, expected) in [
            (Granularity::Minute, "2026-11-15T12:00:00Z"),
            (Granularity::Week, "2026-11-09"),
            (Granularity::Month, "2026-11-01"),
            (Granularity::Quarter, "2026-10-01"),
            (Granularity::Year, "2026-01-01"),
        ] {
            assert_eq!(keys(granularity, "UTC", &at), [expected]);
        }
        // Monday begins in Auckland while it is Sunday in London.
        assert_eq!(keys(Granularity::Week, "Pacific/Auckland", &at), ["2026-11-16"]);
        assert_eq!(keys(Granularity::Year, "UTC", &["1969-12-31T23:59:59Z"]), ["1969-01-01"]);
        assert_eq!(keys(Granularity::Year, "UTC", &["9999-06-01T00:00:00Z"]), ["9999-01-01"]);
    }

    #[test]
    fn half_hour_shifts_and_unknown_zones() {
        // On Lord Howe Island clocks go back by half an hour, from two to half past one.
        let times = ["2026-04-04T14:45:00Z", "2026-04-04T15:15:00Z", "2026-04-04T15:45:00Z"];
        assert_eq!(
            keys(Granularity::Hour, "Australia/Lord_Howe", &times),
            ["2026-04-05T01:00:00+11:00", "2026-04-05T01:00:00+10:30", "2026-04-05T02:00:00+10:30"]
        );
        assert!(TimeBuckets::new(Granularity::Day, "Europe/Atlantis").is_none());
    }

    #[test]
    fn a_stretch_gives_every_instant_the_bucket_it_would_get_alone() {
        for zone in ["Europe/Berlin", "America/St_Johns", "Australia/Lord_Howe", "Asia/Tehran"] {
            for granularity in [Granularity::Hour, Granularity::Day, Granularity::Week] {
                let times: Vec<i64> = (0..3_000).map(|n| 1_140_000_000 + n * 7_919).collect();
                let buckets = TimeBuckets::new(granularity, zone).unwrap();
                let mut together = BucketCounts::new(buckets.clone());
                let mut alone = BucketCounts::new(buckets);
                for time in &times {
                    together.add(*time);
                    alone.add(*time);
                    alone.settle();
                }
                assert_eq!(together.first(9_999), alone.first(9_999), "{zone} {granularity:?}");
            }
        }
    }
}
