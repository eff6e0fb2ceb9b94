//! What a run of an account reads and writes: records, and where they stand at their source, in one step.

use async_trait::async_trait;
use pdpp_contract::{ConnectionId, JsonObject, RecordId, StreamName};

use super::RunNo;
use crate::error::StoreResult;
use crate::writes::BatchOutcome;
use crate::writes::prepare::PreparedRecord;

/// How far a folder was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FolderState {
    /// Its name at the source.
    pub folder: String,
    /// The state in the words of the account's kind, as JSON.
    pub state_json: String,
}

/// One item at the source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ItemNo {
    /// The numbering of the folder.
    pub epoch: i64,
    /// Its number in it.
    pub item: i64,
}

/// Where a record stands at the source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SyncedItem {
    /// The folder.
    pub folder: String,
    /// Its number there.
    pub no: ItemNo,
    /// The record; empty when the item was rejected.
    pub record_id: String,
    /// What the source says of the item, such as its flags.
    pub marks: String,
}

/// What a run writes beside records.
#[derive(Debug, Clone)]
pub struct SyncCommit {
    /// The run that writes.
    pub run: RunNo,
    /// New and changed items.
    pub put: Vec<SyncedItem>,
    /// Items that the source has no more.
    pub drop: Vec<(String, ItemNo)>,
    /// States to set.
    pub set_states: Vec<FolderState>,
    /// Folders whose state goes.
    pub drop_states: Vec<String>,
}

impl SyncCommit {
    /// One of this run that changes nothing yet.
    pub fn of(run: RunNo) -> Self {
        Self {
            run,
            put: Vec::new(),
            drop: Vec::new(),
            set_states: Vec::new(),
            drop_states: Vec::new(),
        }
    }
}

/// Reading and writing for a run.
#[async_trait]
pub trait SyncStore: Send + Sync {
    /// The states of all folders of an account, by name.
    async fn folder_states(&self, connection: &ConnectionId) -> StoreResult<Vec<FolderState>>;

    /// The items of a folder, by number.
    async fn folder_items(
        &self,
        connection: &ConnectionId,
        folder: &str,
    ) -> StoreResult<Vec<SyncedItem>>;

    /// How many items a folder has in one numbering.
    async fn count_items(
        &self,
        connection: &ConnectionId,
        folder: &str,
        epoch: i64,
    ) -> StoreResult<u64>;

    /// Items of a folder by their numbers; those that are not there are left out.
    async fn find_items(
        &self,
        connection: &ConnectionId,
        folder: &str,
        numbers: Vec<ItemNo>,
    ) -> StoreResult<Vec<SyncedItem>>;

    /// Where records stand, over all folders, by folder and number.
    async fn places_of(
        &self,
        connection: &ConnectionId,
        records: Vec<RecordId>,
    ) -> StoreResult<Vec<SyncedItem>>;

    /// A record with its long texts; `None` when it is not there. For the owner's own programs.
    async fn whole_record(
        &self,
        connection: &ConnectionId,
        stream: &StreamName,
        id: &RecordId,
    ) -> StoreResult<Option<JsonObject>>;

    /// Writes records as `RecordWriter::write_records` keeps the good ones, and in the same transaction what
    /// the run says about their places.
    ///
    /// `None`, and nothing is written, when the run is not the newest of its account any more, or the
    /// account is gone.
    async fn write_synced(
        &self,
        connection: &ConnectionId,
        batch: Vec<PreparedRecord>,
        commit: SyncCommit,
    ) -> StoreResult<Option<BatchOutcome>>;
}
