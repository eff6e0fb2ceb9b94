//! Help by other sessions: of no use where all of them would read one file on the same cores.

use super::driver::Connection;
use super::packed_keys::Told;
use crate::error::StoreResult;
use crate::records::CollectionQuery;
use crate::scope::CollectionScope;
use pdpp_contract::FieldName;

/// Where other sessions come from: nowhere.
pub(super) struct Helpers;

/// A collection whose time field is walked over.
#[expect(dead_code, reason = "the other backend hands it to another session")]
pub(super) struct Job {
    pub index: usize,
    pub records: u64,
    pub scope: CollectionScope,
    pub query: CollectionQuery,
    pub field: FieldName,
}

/// What others have begun: nothing.
pub(super) struct Help;

#[expect(clippy::unnecessary_wraps, reason = "the other backend's may fail")]
#[expect(clippy::unused_self, reason = "the other backend has something to tell")]
impl Help {
    pub(super) fn start(_: &Helpers, _: &Connection, _: Vec<Job>) -> StoreResult<Self> {
        Ok(Self)
    }

    pub(super) fn take(&self, _: usize, _: &mut Told<'_>) -> StoreResult<Option<u64>> {
        Ok(None)
    }
}
