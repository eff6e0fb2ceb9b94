//! A wall around parsers that are not ours: if one gives up on an item, only that item is lost.

use std::panic::{AssertUnwindSafe, catch_unwind};

use pdpp_contract::ErrorCode;

use pdpp_contract::import::Rejected;

/// Runs `parse` on an item; a panic inside becomes a rejection of the item.
pub fn catch_panic<T>(
    item: &[u8],
    parse: impl FnOnce() -> Result<T, Rejected>,
) -> Result<T, Rejected> {
    catch_unwind(AssertUnwindSafe(parse)).unwrap_or_else(|_| {
        let why = "the parser gave up on this item; please report it";
        Err(Rejected::new(ErrorCode::MalformedRecord, why, item))
    })
}
