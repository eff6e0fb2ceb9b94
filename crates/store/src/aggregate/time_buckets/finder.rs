//! Which bucket a record falls into, one record after the other.

use pdpp_contract::Json;

use super::counts::BucketRange;
use super::{Bucket, DAY, TimeBuckets};
use crate::aggregate::tally::{Part, Read, Row, Spelled};
use crate::error::StoreResult;
use crate::records::sort_value::{KeyValue, value_of};

/// When a record happened, in seconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RowTime {
    Instant(i64),
    /// A date, by midnight UTC of its day.
    Date(i64),
}

/// What a record tells about its time. A key cannot tell midnight UTC from a date; only in UTC they
/// fall into the same bucket.
pub(crate) fn time_of(
    row: &Row<'_>,
    is_utc: bool,
    read: &Read<'_>,
) -> StoreResult<Option<RowTime>> {
    let cell = row.cell(Part::Time);
    let Some(KeyValue::Time { seconds, nanos }) = cell.key.and_then(value_of) else {
        return Ok(None);
    };
    let midnight = nanos == 0 && seconds.rem_euclid(DAY) == 0;
    if !midnight || is_utc {
        return Ok(Some(RowTime::Instant(seconds)));
    }
    let is_date = cell.is_date
        || matches!(
            read(row.record_no, Part::Time)?,
            Some(Spelled::Here(Json::String(text))) if text.len() == 10
        );
    Ok(Some(if is_date { RowTime::Date(seconds) } else { RowTime::Instant(seconds) }))
}

/// Finds buckets.
pub(crate) struct BucketFinder {
    buckets: TimeBuckets,
    /// Where the last instant fell: a walk in time order hardly ever leaves it.
    current: Option<BucketRange>,
}

impl BucketFinder {
    pub(crate) fn new(buckets: TimeBuckets) -> Self {
        Self { buckets, current: None }
    }

    /// The bucket of a record; `None` when it has no time.
    pub(crate) fn find(&mut self, row: &Row<'_>, read: &Read<'_>) -> StoreResult<Option<Bucket>> {
        Ok(match time_of(row, self.buckets.is_utc(), read)? {
            Some(RowTime::Instant(seconds)) => self.bucket_of(seconds),
            Some(RowTime::Date(seconds)) => self.buckets.bucket_of_date(seconds.div_euclid(DAY)),
            None => None,
        })
    }

    fn bucket_of(&mut self, seconds: i64) -> Option<Bucket> {
        let known = self.current.as_ref();
        if !known.is_some_and(|range| (range.from..range.until).contains(&seconds)) {
            self.current = self.buckets.range(seconds);
        }
        self.current.as_ref().map(|range| range.bucket)
    }
}
