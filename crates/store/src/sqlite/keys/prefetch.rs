//! What is known of keys before their records are written: nothing, as a look costs next to nothing.

use crate::error::StoreResult;
use crate::numbers::CollectionNo;
use crate::sqlite::driver::Connection;
use crate::sqlite::sql::write::known_keys::KnownKeys;

/// Looks up the keys of records that are about to be written.
#[expect(clippy::unnecessary_wraps, reason = "the other backend's may fail")]
pub(crate) fn find<'a>(
    _: &Connection,
    _collection_no: CollectionNo,
    _keys: impl Iterator<Item = &'a [u8]>,
) -> StoreResult<KnownKeys> {
    Ok(KnownKeys::default())
}
