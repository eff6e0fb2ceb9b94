//! Help by other sessions: of no use where all of them would read one file on the same cores.

use super::driver::Connection;
use super::packed_keys::Told;
use crate::aggregate::TimeWalk;
use crate::error::StoreResult;

/// Where other sessions come from: nowhere.
pub(super) struct Helpers;

/// What others have begun: nothing.
pub(super) struct Help;

#[expect(clippy::unnecessary_wraps, reason = "the other backend's may fail")]
#[expect(clippy::unused_self, reason = "the other backend has something to tell")]
impl Help {
    pub(super) fn start(_: &Helpers, _: &Connection, _: Vec<TimeWalk>) -> StoreResult<Self> {
        Ok(Self)
    }

    pub(super) fn take(&self, _: usize, _: &mut Told<'_>) -> StoreResult<Option<u64>> {
        Ok(None)
    }
}
