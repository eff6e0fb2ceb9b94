//! Keys of a time field, many at once: here a step to the next row costs less than packing it.

use crate::aggregate::time_buckets::BucketCounts;
use crate::error::StoreResult;
use crate::sqlite::driver::Connection;
use crate::sqlite::sql::connections::collection::Collection;
use crate::sqlite::sql::records::plan::Conditions;

/// Walks row by row instead.
#[expect(clippy::unnecessary_wraps, reason = "the other backend's may fail")]
pub(crate) fn walk_packed(
    _: &Connection,
    _: &Collection,
    _: usize,
    _: &Conditions<'_>,
    _: &str,
    _: &mut BucketCounts,
) -> StoreResult<Option<u64>> {
    Ok(None)
}
