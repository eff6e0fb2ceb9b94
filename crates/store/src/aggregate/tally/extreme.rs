//! The least or greatest value, with the record that spells it.

use std::cmp::Ordering;

use super::Read;
use super::Row;
use super::exact_number;
use crate::error::StoreResult;
use crate::numbers::RecordNo;
use crate::records::sort_value::is_cut;

/// The best row so far.
pub(crate) struct Extreme {
    greatest: bool,
    best: Option<Best>,
}

struct Best {
    key: Vec<u8>,
    key_order: Vec<u8>,
    collection: usize,
    record_no: RecordNo,
}

impl Extreme {
    pub(super) fn new(greatest: bool) -> Self {
        Self { greatest, best: None }
    }

    pub(super) fn add(&mut self, row: &Row<'_>, key: &[u8], read: &Read<'_>) -> StoreResult<()> {
        let wins = match &self.best {
            None => true,
            Some(best) => match self.compare(best, row, key, read)? {
                Ordering::Greater => true,
                Ordering::Less => false,
                // Of equal values the one in the record with the lowest key is shown.
                Ordering::Equal => {
                    (row.key_order, row.collection) < (best.key_order.as_slice(), best.collection)
                }
            },
        };
        if wins {
            self.best = Some(Best {
                key: key.to_vec(),
                key_order: row.key_order.to_vec(),
                collection: row.collection,
                record_no: row.record_no,
            });
        }
        Ok(())
    }

    /// Greater when the row beats the best one.
    fn compare(
        &self,
        best: &Best,
        row: &Row<'_>,
        key: &[u8],
        read: &Read<'_>,
    ) -> StoreResult<Ordering> {
        let mut ordering = key.cmp(best.key.as_slice());
        if ordering == Ordering::Equal && is_cut(key) {
            let own = exact_number(row.record_no, read)?;
            let other = exact_number(best.record_no, read)?;
            if let (Some(own), Some(other)) = (own, other) {
                ordering = own.compare(&other);
            }
        }
        Ok(if self.greatest { ordering } else { ordering.reverse() })
    }

    /// The key of the value.
    pub(super) fn key(&self) -> Option<&[u8]> {
        self.best.as_ref().map(|best| best.key.as_slice())
    }

    /// The record with the value.
    pub(super) fn winner(&self) -> Option<RecordNo> {
        self.best.as_ref().map(|best| best.record_no)
    }
}
