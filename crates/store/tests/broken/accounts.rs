//! The accounts of a broken store, passed on.

use async_trait::async_trait;
use jiff::Timestamp;
use pdpp_contract::{ConnectionId, JsonObject, RecordId, StreamName};
use pdpp_store::StoreResult;
use pdpp_store::accounts::sync::{FolderState, ItemNo, SyncCommit, SyncStore, SyncedItem};
use pdpp_store::accounts::{
    AccountStore, NewAccount, RunEnd, RunNo, RunStart, StoredAccount, StoredRun,
};
use pdpp_store::prepare::PreparedRecord;
use pdpp_store::writes::BatchOutcome;

use super::store::{Broken, pass_on};

pass_on!(AccountStore {
    async fn add_account(&self, new: NewAccount) -> bool;
    async fn accounts(&self) -> Vec<StoredAccount>;
    async fn pause_account(&self, id: &ConnectionId, is_paused: bool, now: Timestamp) -> bool;
    async fn change_account(
        &self,
        id: &ConnectionId,
        settings_json: &str,
        credential: Option<Vec<u8>>,
        now: Timestamp,
    ) -> bool;
    async fn reseal_credentials(&self, sealed: Vec<(ConnectionId, Vec<u8>, Vec<u8>)>) -> bool;
    async fn remove_account(&self, id: &ConnectionId) -> bool;
    async fn begin_run(&self, id: &ConnectionId, start: RunStart) -> Option<RunNo>;
    async fn keep_lease(&self, id: &ConnectionId, run: RunNo, lease_until: Timestamp) -> bool;
    async fn end_run(&self, id: &ConnectionId, run: RunNo, end: RunEnd) -> bool;
    async fn runs(&self, id: &ConnectionId, limit: u32) -> Vec<StoredRun>;
});

pass_on!(SyncStore {
    async fn folder_states(&self, id: &ConnectionId) -> Vec<FolderState>;
    async fn folder_items(&self, id: &ConnectionId, folder: &str) -> Vec<SyncedItem>;
    async fn count_items(&self, id: &ConnectionId, folder: &str, epoch: i64) -> u64;
    async fn find_items(&self, id: &ConnectionId, folder: &str, numbers: Vec<ItemNo>) -> Vec<SyncedItem>;
    async fn places_of(&self, id: &ConnectionId, records: Vec<RecordId>) -> Vec<SyncedItem>;
    async fn whole_record(
        &self,
        id: &ConnectionId,
        stream: &StreamName,
        record: &RecordId,
    ) -> Option<JsonObject>;
    async fn write_synced(
        &self,
        id: &ConnectionId,
        batch: Vec<PreparedRecord>,
        commit: SyncCommit,
    ) -> Option<BatchOutcome>;
});
