//! Writing records: prepared outside the transaction, kept or refused as one batch.

pub mod classification;
pub mod hashing;
pub mod inheritance;
pub mod prepare;
mod prepared_text;

use async_trait::async_trait;
use jiff::Timestamp;
use pdpp_contract::import::RejectedItem;
use pdpp_contract::{ConnectionId, RecordId, StreamName};

use crate::error::StoreResult;
use hashing::HashKey;
use prepare::PreparedRecord;

/// What to do when a record of the batch cannot be taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WriteMode {
    /// One refusal undoes the batch.
    AllOrNothing,
    /// Refused records are left out, the others are kept.
    KeepGood,
    /// Nothing is kept; the outcomes say what would happen.
    DryRun,
}

/// What happened to one record of a batch, in the order given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WriteOutcome {
    /// The key was not in the stream.
    Added,
    /// The key was in the stream with other data.
    Changed,
    /// The key was in the stream with the same data; nothing was written.
    Unchanged,
    /// The record left the stream.
    Deleted,
    /// There was nothing to delete.
    Absent,
    /// An append-only stream already holds the key with other data, or was asked to delete.
    RefusedAppendOnly,
    /// The connection does not carry this stream.
    RefusedUnknownStream,
}

impl WriteOutcome {
    /// Whether something that was kept before is gone.
    pub fn takes_away(&self) -> bool {
        matches!(self, Self::Changed | Self::Deleted)
    }
}

/// The answer to a batch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BatchOutcome {
    /// One outcome per record.
    pub outcomes: Vec<WriteOutcome>,
    /// Whether the batch is on disk. False for a dry run and for an undone batch.
    pub kept: bool,
}

/// An item in quarantine, with its number: positive, and never given twice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeldItem {
    /// Its number.
    pub number: u64,
    /// The item.
    pub item: RejectedItem,
}

/// Writing and erasing records. When a call returns, its effect survives a crash.
///
/// What a write deletes or replaces is in none of the store's files when it returns, unless another
/// program reads an old state at that moment: then the next write sees to it. Erasing waits for such
/// readers, and fails when they stay; erasing again tries again.
#[async_trait]
pub trait RecordWriter: Send + Sync {
    /// The key for [`crate::prepare::prepare`].
    fn hash_key(&self) -> HashKey;

    /// Writes a batch in one transaction, in order; a later record of the same key wins.
    ///
    /// `None` when there is no such connection.
    async fn write_records(
        &self,
        connection: &ConnectionId,
        batch: Vec<PreparedRecord>,
        mode: WriteMode,
    ) -> StoreResult<Option<BatchOutcome>>;

    /// Takes one record out of its stream and erases its content. `false` when it was not there.
    async fn erase_record(
        &self,
        connection: &ConnectionId,
        stream: &StreamName,
        id: &RecordId,
        now: Timestamp,
    ) -> StoreResult<bool>;

    /// Takes every record out of a stream and erases the content; says how many there were.
    async fn erase_stream(
        &self,
        connection: &ConnectionId,
        stream: &StreamName,
        now: Timestamp,
    ) -> StoreResult<u64>;

    /// Keeps items an import could not take. The same place of the same source is kept once.
    async fn quarantine(
        &self,
        connection: &ConnectionId,
        items: Vec<RejectedItem>,
        now: Timestamp,
    ) -> StoreResult<()>;

    /// How many items of a connection are in quarantine.
    async fn quarantined(&self, connection: &ConnectionId) -> StoreResult<u64>;

    /// Items in quarantine with a number above `after`, by number, at most `limit` of them.
    async fn list_quarantine(
        &self,
        connection: &ConnectionId,
        after: u64,
        limit: u32,
    ) -> StoreResult<Vec<HeldItem>>;

    /// Lets items go, by number; says how many were there. An item that was kept again meanwhile
    /// has a new number and stays.
    async fn release_quarantine(
        &self,
        connection: &ConnectionId,
        numbers: Vec<u64>,
    ) -> StoreResult<u64>;
}
