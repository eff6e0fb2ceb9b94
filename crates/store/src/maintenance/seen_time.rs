//! The newest instant that a store has seen: time never goes back for it.
//!
//! A grant that has expired stays expired when a machine's clock is set back. Whoever decides about
//! authority uses the later of the clock and this.

use async_trait::async_trait;
use jiff::Timestamp;

use crate::error::StoreResult;
use pdpp_contract::access::AuditEvent;

/// What a store has seen of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SeenTime {
    /// The newest instant.
    pub at: Timestamp,
    /// How often the owner took it back.
    pub resets: u64,
}

/// Keeping the newest instant.
#[async_trait]
pub trait SeenTimeStore: Send + Sync {
    /// What was seen so far. An audit event counts from the moment it is kept.
    async fn seen_time(&self) -> StoreResult<SeenTime>;

    /// Notes an instant, if it is later than what was seen and the owner has not taken time back
    /// since `seen.resets`; answers what holds now. Does not wait for writers of records where
    /// several servers share a store.
    async fn note_time(&self, seen: SeenTime) -> StoreResult<SeenTime>;

    /// Takes time back to `at`, with its event; answers what had been seen. `None`, and nothing
    /// changes, when that was not later than `at`.
    ///
    /// Events with instants that were taken back no longer move time: a server that has not heard
    /// of it yet still writes some.
    async fn reset_time(&self, at: Timestamp, event: AuditEvent) -> StoreResult<Option<Timestamp>>;
}
