//! What an aggregate's rows go into.

use pdpp_contract::Json;

use super::{Groups, times};
use crate::aggregate::tally::{Read, Row, Tally};
use crate::aggregate::time_buckets::{BucketCounts, time_of};
use crate::aggregate::{Aggregate, GroupQuery, Measure};
use crate::error::StoreResult;
use crate::writes::hashing::HashKey;

/// An answer in progress.
pub(crate) struct Collector {
    measure: Measure,
    hashing: HashKey,
    /// Over all groups.
    total: Tally,
    parts: Parts,
}

enum Parts {
    One,
    /// Counts by time alone, which no record has to be looked at for.
    Times(BucketCounts, GroupQuery),
    Groups(Box<Groups>),
}

impl Collector {
    pub(crate) fn new(measure: Measure, grouping: Option<GroupQuery>, hashing: &HashKey) -> Self {
        let parts = match grouping {
            None => Parts::One,
            Some(query) => match query.buckets.clone() {
                Some(buckets) if measure == Measure::Count && !query.by_value => {
                    Parts::Times(BucketCounts::new(buckets), query)
                }
                _ => Parts::Groups(Box::new(Groups::new(query, measure, hashing))),
            },
        };
        Self { measure, hashing: hashing.clone(), total: Tally::new(measure), parts }
    }

    /// Whether rows must come with their `key_order`.
    pub(crate) fn needs_key_order(&self) -> bool {
        matches!(self.measure, Measure::Least | Measure::Greatest)
    }

    /// Whether rows must come with the numbers of their records: a key does not always tell the
    /// whole value.
    pub(crate) fn needs_records(&self, is_date: bool) -> bool {
        !matches!(&self.parts, Parts::Times(counts, _) if is_date || counts.is_utc())
    }

    /// What counts by time, when that is what is computed.
    pub(crate) fn times(&mut self) -> Option<&mut BucketCounts> {
        match &mut self.parts {
            Parts::Times(counts, _) => Some(counts),
            Parts::One | Parts::Groups(_) => None,
        }
    }

    /// Adds a row.
    pub(crate) fn add(&mut self, row: &Row<'_>, read: &Read<'_>) -> StoreResult<()> {
        self.total.add(row, &self.hashing, read)?;
        match &mut self.parts {
            Parts::One => Ok(()),
            Parts::Times(counts, _) => {
                let time = time_of(row, counts.is_utc(), read)?;
                counts.add_time(time);
                Ok(())
            }
            Parts::Groups(groups) => groups.add(row, read),
        }
    }

    /// Adds records of a collection that shows none of the fields.
    pub(crate) fn add_missing(&mut self, count: u64) {
        match &mut self.parts {
            Parts::One => {}
            Parts::Times(counts, _) => counts.add_missing(count),
            Parts::Groups(groups) => groups.add_missing(count),
        }
    }

    /// The answer over so many records. `read` is asked for extreme values alone.
    pub(crate) fn finish(self, records: u64, read: &Read<'_>) -> StoreResult<Aggregate> {
        let value: Option<Json> = self.total.value(records, read)?;
        let groups = match self.parts {
            Parts::One => None,
            Parts::Times(counts, query) => Some(times(counts, &query, &self.hashing)),
            Parts::Groups(groups) => Some(groups.finish(read)?),
        };
        Ok(Aggregate { records, value, groups })
    }
}
