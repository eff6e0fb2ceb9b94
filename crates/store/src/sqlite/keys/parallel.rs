//! Help by other sessions: of no use where all of them would read one file on the same cores.

use crate::aggregate::{TimeWalk, Walked};
use crate::error::StoreResult;
use crate::sqlite::driver::Connection;

/// Where other sessions come from: nowhere.
pub(crate) struct Helpers;

/// What was found with the help of others: nothing.
pub(crate) struct Help;

#[expect(clippy::unnecessary_wraps, reason = "the other backend's may fail")]
#[expect(clippy::unused_self, reason = "the other backend has something to tell")]
impl Help {
    pub(crate) fn walk(_: &Helpers, _: &Connection, _: Vec<TimeWalk>) -> StoreResult<Self> {
        Ok(Self)
    }

    pub(crate) fn take(&mut self, _: usize) -> Option<Walked> {
        None
    }
}
