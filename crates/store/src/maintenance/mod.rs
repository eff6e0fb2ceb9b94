//! Health, keys and the full integrity check.

pub mod retention;
pub mod seen_time;

use async_trait::async_trait;

use crate::error::StoreResult;

/// What a full check looked at and what it found.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct VerifyReport {
    /// Connections checked.
    pub connections: u64,
    /// Records checked.
    pub records: u64,
    /// Versions checked.
    pub versions: u64,
    /// Long texts checked.
    pub texts: u64,
    /// Blobs checked.
    pub blobs: u64,
    /// Files of no blob: they were on their way in or out when a process ended, or are just now. The
    /// next collection takes away what was left.
    pub strays: u64,
    /// What is wrong, in words, without content; at most a hundred.
    pub faults: Vec<String>,
}

/// Looking after a store.
#[async_trait]
pub trait Maintenance: Send + Sync {
    /// A cheap read that fails when the store cannot be used.
    async fn check(&self) -> StoreResult<()>;

    /// Fails when a write could not begin now. Whoever writes for long is left alone.
    async fn check_writing(&self) -> StoreResult<()>;

    /// The key that seals cursors and handles, the same for every process in front of the store.
    fn sealing_key(&self) -> [u8; 32];

    /// Compares everything with everything: records, typed copies, texts, blobs, versions, counts.
    async fn verify(&self) -> StoreResult<VerifyReport>;
}
