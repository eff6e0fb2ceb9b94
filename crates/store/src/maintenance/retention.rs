//! How much of the past a store keeps: audit events and versions, and the room that they leave.

use async_trait::async_trait;
use jiff::Timestamp;

use crate::error::StoreResult;
use crate::numbers::ChangeNo;
use pdpp_contract::access::AuditCheckpoint;

/// What a store holds of the past.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct History {
    /// The number of the newest change.
    pub changes: i64,
    /// Versions that are kept, the newest of each record among them.
    pub versions: u64,
    /// Audit events that are kept.
    pub audit_events: u64,
    /// The instant of the oldest of them.
    pub audit_from: Option<Timestamp>,
    /// What was pruned before them.
    pub audit_pruned: Option<AuditCheckpoint>,
}

/// How much room a store takes in its database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DatabaseSize {
    /// Bytes of the database.
    pub bytes: u64,
    /// Those of them that hold nothing, where the database says.
    pub unused_bytes: Option<u64>,
}

/// How thoroughly room is given back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compacting {
    /// What is unused at the end of tables goes back to the disk; the rest is used again. Readers and
    /// writers go on. An embedded store has no such way and is rewritten.
    Usual,
    /// Everything is written anew without gaps. Whoever does it has the store alone.
    Rewrite,
}

/// Shortening the past.
#[async_trait]
pub trait RetentionStore: Send + Sync {
    /// Removes audit events from before an instant, the oldest first and at most a few thousand; says
    /// how many. When any goes, a checkpoint with the time `now` is chained to the end in the same
    /// step, so that the rest can still be verified. An event that is not older keeps all that follow
    /// it; one from after `now`, when a clock was wrong, does not.
    async fn prune_audit(&self, before: Timestamp, now: Timestamp) -> StoreResult<u64>;

    /// The newest change that was surely made before the day of an instant; 0 when none was, or nothing is known.
    async fn change_before(&self, before: Timestamp) -> StoreResult<ChangeNo>;

    /// Shortens the log up to and including a number; says how many versions it dropped.
    ///
    /// A version goes when everything it changed was changed again at or before that number. The
    /// newest version of each record stays, and so does the last change of each of its fields: what
    /// a reader sees of records and their order does not depend on pruning. A reader who could see none
    /// of what was dropped notices nothing.
    async fn prune_versions(&self, through: ChangeNo) -> StoreResult<u64>;

    /// The beginning of the newest day but `days` on which something was noted; none when there were
    /// not so many. A clock that jumped ahead adds one day, however far it jumped.
    async fn day_seen(&self, days: u32) -> StoreResult<Option<Timestamp>>;
}

/// How much a store holds of the past, and the room it takes.
#[async_trait]
pub trait StorageUsage: Send + Sync {
    /// What is kept of the past.
    async fn history(&self) -> StoreResult<History>;

    /// How much room the database takes.
    async fn room(&self) -> StoreResult<DatabaseSize>;

    /// Gives unused room back. `InUse` when that needs the store alone and others work on it.
    async fn compact(&self, how: Compacting) -> StoreResult<()>;
}
