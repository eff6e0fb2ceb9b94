//! Adding up rows of an aggregate, one by one, in any order; the same for every backend.

mod extreme;
mod groups;

use std::collections::HashSet;

use pdpp_contract::Json;

use crate::aggregate::decimal::Sum;
use crate::aggregate::time_buckets::BucketCounts;
use crate::aggregate::{Measure, MeasuredValue};
use crate::error::StoreResult;
use crate::numbers::RecordNo;
use crate::records::number::Decimal;
use crate::records::sort_value::{KeyValue, is_cut, value_of};
use crate::writes::hashing::{HashKey, TextDigest};
use extreme::Extreme;
pub(crate) use groups::MAX_LABEL_CHARS;
use groups::{Groups, identity};

const DAY: i64 = 86_400;

/// The value of a field in one record.
pub(crate) struct Row<'a> {
    pub record_no: RecordNo,
    /// Which collection of the scope.
    pub collection: usize,
    /// The value's key; `None` when the record lacks a readable one.
    pub key: Option<&'a [u8]>,
    /// Bytes that order the record among others; needed for extremes alone.
    pub key_order: &'a [u8],
    /// The field is declared as a date.
    pub is_date: bool,
}

/// A value as it stands in its record, for what a key cannot tell.
pub(crate) enum Spelled {
    /// It lives in the record.
    Here(Json),
    /// It is a long text that lives outside: its digest and its beginning.
    Outside(TextDigest, String),
}

/// Reads the value of a row from its record.
pub(crate) type Read<'a> = dyn Fn(RecordNo) -> StoreResult<Option<Spelled>> + 'a;

/// A measure in progress.
pub(crate) enum Tally {
    Distinct { seen: HashSet<u128>, last: Vec<u8>, hashing: HashKey },
    Sum(Sum),
    Extreme(Extreme),
    Groups(Groups),
    Times { counts: BucketCounts, most: usize },
}

impl Tally {
    pub(crate) fn new(measure: Measure, hashing: &HashKey) -> Self {
        match measure {
            Measure::Distinct => {
                let hashing = hashing.clone();
                Self::Distinct { seen: HashSet::new(), last: Vec::new(), hashing }
            }
            Measure::Sum => Self::Sum(Sum::default()),
            Measure::Least => Self::Extreme(Extreme::new(false)),
            Measure::Greatest => Self::Extreme(Extreme::new(true)),
            Measure::Groups { most } => Self::Groups(Groups::new(most)),
            Measure::Times { buckets, most } => {
                Self::Times { counts: BucketCounts::new(buckets), most }
            }
        }
    }

    /// Whether rows must come with their `key_order`.
    pub(crate) fn needs_key_order(&self) -> bool {
        matches!(self, Self::Extreme(_))
    }

    /// Whether rows must come with the numbers of their records: a key does not always tell the
    /// whole value.
    pub(crate) fn needs_records(&self, is_date: bool) -> bool {
        !matches!(self, Self::Times { counts, .. } if is_date || counts.is_utc())
    }

    /// What counts by time, when that is what is computed.
    pub(crate) fn times(&mut self) -> Option<&mut BucketCounts> {
        match self {
            Self::Times { counts, .. } => Some(counts),
            Self::Distinct { .. } | Self::Sum(_) | Self::Extreme(_) | Self::Groups(_) => None,
        }
    }

    /// Adds a row.
    pub(crate) fn add(&mut self, row: &Row<'_>, read: &Read<'_>) -> StoreResult<()> {
        let Some(key) = row.key else {
            self.add_missing(1);
            return Ok(());
        };
        match self {
            Self::Distinct { seen, last, hashing } => {
                // A walk over the field's own index brings equal values one after the other.
                if is_cut(key) {
                    if let Some((identity, _)) = identity(row.record_no, key, read)? {
                        seen.insert(hashing.wide(&identity));
                    }
                } else if last.as_slice() != key {
                    seen.insert(hashing.wide(key));
                    last.clear();
                    last.extend_from_slice(key);
                }
            }
            Self::Sum(sum) => match value_of(key) {
                Some(KeyValue::Number(number)) => sum.add(number),
                _ => {
                    if let Some(number) = exact_number(row.record_no, read)? {
                        sum.add_decimal(&number);
                    }
                }
            },
            Self::Extreme(extreme) => extreme.add(row, key, read)?,
            Self::Groups(groups) => groups.add(row, key, read)?,
            Self::Times { counts, .. } => add_time(counts, row, key, read)?,
        }
        Ok(())
    }

    /// Adds records that lack a value.
    pub(crate) fn add_missing(&mut self, count: u64) {
        match self {
            Self::Groups(groups) => groups.add_missing(count),
            Self::Times { counts, .. } => counts.add_missing(count),
            Self::Distinct { .. } | Self::Sum(_) | Self::Extreme(_) => {}
        }
    }

    /// The result. `read` is asked for the extreme value alone.
    pub(crate) fn finish(self, read: &Read<'_>) -> StoreResult<MeasuredValue> {
        Ok(match self {
            Self::Distinct { seen, .. } => {
                MeasuredValue::Distinct(u64::try_from(seen.len()).unwrap_or(u64::MAX))
            }
            Self::Sum(sum) => MeasuredValue::Sum(sum.to_text()),
            Self::Extreme(extreme) => MeasuredValue::Extreme(match extreme.winner() {
                Some(record_no) => match read(record_no)? {
                    Some(Spelled::Here(value)) => Some(value),
                    Some(Spelled::Outside(..)) | None => None,
                },
                None => None,
            }),
            Self::Groups(groups) => MeasuredValue::Groups(groups.largest()),
            Self::Times { counts, most } => {
                let key = |key: Option<String>| key.map_or(Json::Null, Json::String);
                let first = counts.first(most).into_iter();
                MeasuredValue::Groups(first.map(|(name, count)| (key(name), count)).collect())
            }
        })
    }
}

/// A key cannot tell midnight UTC from a date; only in UTC they fall into the same bucket.
fn add_time(
    counts: &mut BucketCounts,
    row: &Row<'_>,
    key: &[u8],
    read: &Read<'_>,
) -> StoreResult<()> {
    let Some(KeyValue::Time { seconds, nanos }) = value_of(key) else {
        counts.add_missing(1);
        return Ok(());
    };
    let midnight = nanos == 0 && seconds.rem_euclid(DAY) == 0;
    if !midnight || counts.is_utc() {
        counts.add(seconds);
        return Ok(());
    }
    let is_date = row.is_date
        || matches!(read(row.record_no)?, Some(Spelled::Here(Json::String(text))) if text.len() == 10);
    if is_date {
        counts.add_date(seconds);
    } else {
        counts.add(seconds);
    }
    Ok(())
}

/// The number in a record, with all its digits.
fn exact_number(record_no: RecordNo, read: &Read<'_>) -> StoreResult<Option<Decimal>> {
    Ok(match read(record_no)? {
        Some(Spelled::Here(Json::Number(text))) => Decimal::parse(&text),
        _ => None,
    })
}
