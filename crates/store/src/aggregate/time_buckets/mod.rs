//! Spans of time in a zone: which bucket an instant or a date falls into.
//!
//! The key of a bucket of a day or more is its first date. The key of an hour or a minute is the
//! local time it begins at, with the offset that is in force: when clocks go back, the hour that
//! comes twice is two buckets with two keys. A date without a time is its own day in every zone.

mod counts;
mod finder;
#[cfg(test)]
mod tests;

use jiff::civil::{Date, DateTime};
use jiff::tz::{Offset, TimeZone};
use jiff::{Span, Timestamp};
use pdpp_contract::Json;
use pdpp_contract::aggregate::Granularity;

pub(crate) use counts::BucketCounts;
use counts::BucketRange;
pub(crate) use finder::{BucketFinder, RowTime, time_of};

pub(crate) const DAY: i64 = 86_400;

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

    /// The bucket of an instant, and the range of instants around it that share it.
    fn range(&self, seconds: i64) -> Option<BucketRange> {
        let at = Timestamp::from_second(seconds).ok()?;
        let offset = self.zone.to_offset(at);
        let shift = i64::from(offset.seconds());
        let (start, end) = self.civil_bounds(offset.to_datetime(at))?;
        let after = Timestamp::from_second(seconds + 1).ok()?;
        let changed = self.zone.preceding(after).next().map(|change| change.timestamp());
        let changes = self.zone.following(at).next().map(|change| change.timestamp());
        let from = changed.map_or(i64::MIN, Timestamp::as_second).max(start - shift);
        let until = changes.map_or(i64::MAX, Timestamp::as_second).min(end - shift);
        Some(BucketRange { from, until, bucket: self.bucket(start, offset), count: 0 })
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

    /// How a bucket is shown; null stands for records without a time.
    pub(crate) fn label(&self, bucket: Option<Bucket>) -> Json {
        bucket.and_then(|bucket| self.key(bucket)).map_or(Json::Null, Json::String)
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
pub(crate) struct Bucket {
    begins: i64,
    offset: i32,
}

impl Bucket {
    /// Bytes in the order of the buckets.
    pub(crate) fn to_bytes(self) -> [u8; 12] {
        let mut bytes = [0; 12];
        let (begins, offset) = bytes.split_at_mut(8);
        begins.copy_from_slice(&(self.begins ^ i64::MIN).to_be_bytes());
        offset.copy_from_slice(&(self.offset ^ i32::MIN).to_be_bytes());
        bytes
    }

    /// The bucket of its bytes.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (begins, offset) = bytes.split_first_chunk::<8>()?;
        Some(Self {
            begins: i64::from_be_bytes(*begins) ^ i64::MIN,
            offset: i32::from_be_bytes(*offset.first_chunk::<4>()?) ^ i32::MIN,
        })
    }
}
