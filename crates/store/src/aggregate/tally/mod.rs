//! Adding up the values of one field, row by row, in any order; the same for every backend.

mod extreme;
mod identity;

use std::collections::HashSet;

use pdpp_contract::Json;

use crate::aggregate::Measure;
use crate::aggregate::decimal::{Sum, quotient};
use crate::error::StoreResult;
use crate::numbers::RecordNo;
use crate::records::number::Decimal;
use crate::records::sort_value::{KeyValue, is_cut, value_of};
use crate::writes::hashing::{HashKey, TextDigest};
use extreme::Extreme;
pub(crate) use identity::{MAX_LABEL_CHARS, identity};

/// One record on its way into an aggregate.
pub(crate) struct Row<'a> {
    pub record_no: RecordNo,
    /// Which collection of the scope.
    pub collection: usize,
    /// Bytes that order the record among others; needed for extremes alone.
    pub key_order: &'a [u8],
    /// By [`Part`].
    pub cells: [Cell<'a>; 3],
}

impl<'a> Row<'a> {
    pub(crate) fn cell(&self, part: Part) -> Cell<'a> {
        self.cells.get(part as usize).copied().unwrap_or_default()
    }
}

/// Which field of an aggregate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    Measured,
    Grouped,
    Time,
}

impl Part {
    pub(crate) const ALL: [Self; 3] = [Self::Measured, Self::Grouped, Self::Time];
}

/// The value of one field in a record.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Cell<'a> {
    /// The value's key; `None` when the record lacks a readable one.
    pub key: Option<&'a [u8]>,
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

/// Reads a value of a row from its record.
pub(crate) type Read<'a> = dyn Fn(RecordNo, Part) -> StoreResult<Option<Spelled>> + 'a;

/// A measure in progress.
pub(crate) enum Tally {
    Count,
    Distinct { seen: HashSet<u128>, last: Vec<u8> },
    Sum(Box<Sum>),
    Mean { sum: Box<Sum>, count: u64 },
    Extreme(Box<Extreme>),
}

impl Tally {
    pub(crate) fn new(measure: Measure) -> Self {
        match measure {
            Measure::Count => Self::Count,
            Measure::Distinct => Self::Distinct { seen: HashSet::new(), last: Vec::new() },
            Measure::Sum => Self::Sum(Box::default()),
            Measure::Mean => Self::Mean { sum: Box::default(), count: 0 },
            Measure::Least => Self::Extreme(Box::new(Extreme::new(false))),
            Measure::Greatest => Self::Extreme(Box::new(Extreme::new(true))),
        }
    }

    /// Adds the measured value of a row.
    pub(crate) fn add(
        &mut self,
        row: &Row<'_>,
        hashing: &HashKey,
        read: &Read<'_>,
    ) -> StoreResult<()> {
        let Some(key) = row.cell(Part::Measured).key else {
            return Ok(());
        };
        match self {
            Self::Count => {}
            Self::Distinct { seen, last } => {
                // A walk over the field's own index brings equal values one after the other.
                if is_cut(key) {
                    if let Some((identity, _)) = identity(row.record_no, Part::Measured, key, read)?
                    {
                        seen.insert(hashing.wide(&identity));
                    }
                } else if last.as_slice() != key {
                    seen.insert(hashing.wide(key));
                    last.clear();
                    last.extend_from_slice(key);
                }
            }
            Self::Sum(sum) => {
                add_number(sum, row.record_no, key, read)?;
            }
            Self::Mean { sum, count } => {
                *count += u64::from(add_number(sum, row.record_no, key, read)?);
            }
            Self::Extreme(extreme) => extreme.add(row, key, read)?,
        }
        Ok(())
    }

    /// What was computed over so many records; `None` when its digits would fill pages.
    pub(crate) fn value(&self, records: u64, read: &Read<'_>) -> StoreResult<Option<Json>> {
        Ok(match self {
            Self::Count => Some(Json::Number(records.to_string())),
            Self::Distinct { seen, .. } => Some(Json::Number(seen.len().to_string())),
            Self::Sum(sum) => sum.to_text().map(Json::Number),
            Self::Mean { count: 0, .. } => Some(Json::Null),
            Self::Mean { sum, count } => {
                sum.to_text().and_then(|sum| quotient(&sum, *count)).map(Json::Number)
            }
            Self::Extreme(extreme) => {
                let spelled = match extreme.winner() {
                    Some(record_no) => read(record_no, Part::Measured)?,
                    None => None,
                };
                match spelled {
                    Some(Spelled::Here(value)) => Some(value),
                    Some(Spelled::Outside(..)) | None => Some(Json::Null),
                }
            }
        })
    }

    /// The key of the least or greatest value.
    pub(crate) fn extreme_key(&self) -> Option<&[u8]> {
        match self {
            Self::Extreme(extreme) => extreme.key(),
            Self::Count | Self::Distinct { .. } | Self::Sum(_) | Self::Mean { .. } => None,
        }
    }
}

/// Adds a number; says whether there was one.
fn add_number(
    sum: &mut Sum,
    record_no: RecordNo,
    key: &[u8],
    read: &Read<'_>,
) -> StoreResult<bool> {
    if let Some(KeyValue::Number(number)) = value_of(key) {
        sum.add(number);
        return Ok(true);
    }
    let number = exact_number(record_no, read)?;
    if let Some(number) = &number {
        sum.add_decimal(number);
    }
    Ok(number.is_some())
}

/// The measured number in a record, with all its digits.
fn exact_number(record_no: RecordNo, read: &Read<'_>) -> StoreResult<Option<Decimal>> {
    Ok(match read(record_no, Part::Measured)? {
        Some(Spelled::Here(Json::Number(text))) => Decimal::parse(&text),
        _ => None,
    })
}
