//! Keys of a time field, many at once: here a step to the next row costs less than packing it.

use super::declared::Collection;
use super::driver::Connection;
use super::list_plan::Conditions;
use crate::error::StoreResult;
use crate::time_buckets::BucketCounts;

/// Walks row by row instead.
#[expect(clippy::unnecessary_wraps, reason = "the other backend's may fail")]
pub(super) fn walk_packed(
    _: &Connection,
    _: (&Collection, usize),
    _: &Conditions<'_>,
    _: &str,
    _: &mut BucketCounts,
) -> StoreResult<Option<u64>> {
    Ok(None)
}
