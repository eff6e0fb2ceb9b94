//! Counting instants and dates by bucket.

use std::collections::HashMap;

use foldhash::fast::RandomState;

use super::{Bucket, DAY, RowTime, TimeBuckets};
use crate::records::sort_value::{KeyValue, value_of};

/// Instants in one bucket under one offset, and how many of them were seen.
#[derive(Debug)]
pub(super) struct BucketRange {
    pub from: i64,
    pub until: i64,
    pub bucket: Bucket,
    pub count: u64,
}

/// Counts per bucket.
#[derive(Debug)]
pub(crate) struct BucketCounts {
    buckets: TimeBuckets,
    counts: HashMap<Bucket, u64, RandomState>,
    /// Where the last instant fell: a walk in time order hardly ever leaves it.
    current: Option<BucketRange>,
    missing: u64,
}

impl BucketCounts {
    pub(crate) fn new(buckets: TimeBuckets) -> Self {
        Self { buckets, counts: HashMap::default(), current: None, missing: 0 }
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
        match self.buckets.range(seconds) {
            Some(range) => self.current = Some(BucketRange { count: 1, ..range }),
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

    /// Counts what a record tells about its time.
    pub(crate) fn add_time(&mut self, time: Option<RowTime>) {
        match time {
            Some(RowTime::Instant(seconds)) => self.add(seconds),
            Some(RowTime::Date(seconds)) => self.add_date(seconds),
            None => self.missing += 1,
        }
    }

    /// Counts times by keys that tell all there is to know.
    pub(crate) fn add_keys<'a>(
        &mut self,
        keys: impl IntoIterator<Item = &'a [u8]>,
        are_dates: bool,
    ) {
        // In UTC a date and its midnight fall into one bucket.
        let are_dates = are_dates && !self.is_utc();
        for key in keys {
            match value_of(key) {
                Some(KeyValue::Time { seconds, nanos: 0 })
                    if are_dates && seconds.rem_euclid(DAY) == 0 =>
                {
                    self.add_date(seconds);
                }
                Some(KeyValue::Time { seconds, .. }) => self.add(seconds),
                _ => self.missing += 1,
            }
        }
    }

    /// Adds what others counted into the same buckets.
    pub(crate) fn merge(&mut self, mut other: Self) {
        other.settle();
        for (bucket, count) in other.counts {
            *self.counts.entry(bucket).or_insert(0) += count;
        }
        self.missing += other.missing;
    }

    /// Counts of the same buckets, still empty.
    pub(crate) fn emptied(&self) -> Self {
        Self::new(self.buckets.clone())
    }

    /// Counts records without a time.
    pub(crate) fn add_missing(&mut self, count: u64) {
        self.missing += count;
    }

    pub(super) fn settle(&mut self) {
        if let Some(current) = self.current.take() {
            *self.counts.entry(current.bucket).or_insert(0) += current.count;
        }
    }

    /// The counts by time; records without a time come last.
    pub(crate) fn ordered(mut self) -> (TimeBuckets, Vec<(Option<Bucket>, u64)>) {
        self.settle();
        let mut counts: Vec<(Bucket, u64)> = self.counts.drain().collect();
        counts.sort_unstable();
        let known = counts.into_iter().map(|(bucket, count)| (Some(bucket), count));
        let missing = (self.missing > 0).then_some((None, self.missing));
        (self.buckets, known.chain(missing).collect())
    }
}
