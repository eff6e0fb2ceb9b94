//! How much callers ask, when several servers share one store. A caller's limit is a bucket that
//! refills; what all servers took out of it is one number: how long until it is full again.

use async_trait::async_trait;
use jiff::Timestamp;
use pdpp_contract::access::Taken;

use crate::error::StoreResult;

/// What servers tell each other about callers.
#[async_trait]
pub trait RateLimitStore: Send + Sync {
    /// Whether other servers may work on this store at the same time.
    fn is_shared(&self) -> bool;

    /// Adds what was taken to what others took, and answers for each, in the same order, how many
    /// microseconds after `now` its bucket is full again. A bucket that was full until `now` begins
    /// there. Does not wait for writers of records.
    async fn add_taken(&self, taken: Vec<Taken>, now: Timestamp) -> StoreResult<Vec<i64>>;

    /// Forgets the callers whose bucket is full.
    async fn forget_full(&self, now: Timestamp) -> StoreResult<()>;
}
