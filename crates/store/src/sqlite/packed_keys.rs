//! Keys of a time field, many at once: here a step to the next row costs less than packing it.

use super::declared::Collection;
use super::driver::Connection;
use super::list_plan::Conditions;
use crate::error::StoreResult;

/// Is told each key, or none where a record lacks one, and how many records have it.
pub(super) type Told<'a> = dyn FnMut(Option<&[u8]>, u64) -> StoreResult<()> + 'a;

/// Walks row by row instead.
#[expect(clippy::unnecessary_wraps, reason = "the other backend's may fail")]
pub(super) fn walk_packed(
    _: &Connection,
    _: (&Collection, usize),
    _: &Conditions<'_>,
    _: &str,
    _: &mut Told<'_>,
) -> StoreResult<Option<u64>> {
    Ok(None)
}
