//! Where a call is let in, and who takes note of it.

use std::sync::Arc;

use async_trait::async_trait;
use pdpp_contract::{Handles, ReadApi};

use crate::Refusal;

/// Lets calls in. Every call asks, because a grant may have ended since the last one.
#[async_trait]
pub trait Desk: Send + Sync {
    /// The reads of the caller as of now, or why there are none.
    async fn open(&self) -> Result<Visit, Refusal>;
}

/// What one call may use. Made for one call, and gone with it.
pub struct Visit {
    /// The caller's reads.
    pub read: Arc<dyn ReadApi>,
    /// Makes and opens the caller's handles.
    pub handles: Arc<dyn Handles>,
    /// Where the reads are served over HTTP, for citation addresses.
    pub base_url: Option<String>,
    /// The name under which the caller's token was issued, when it is known.
    pub client: Option<String>,
    /// Takes note of the call; absent where the provider does so itself.
    pub witness: Option<Arc<dyn Witness>>,
}

/// Takes note of what a call was and how it ended.
#[async_trait]
pub trait Witness: Send + Sync {
    /// Called once, after the answer is made and before it is sent.
    async fn note(&self, noted: Noted);
}

/// One call that was answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Noted {
    /// What was called, a word of this crate.
    pub operation: &'static str,
    /// The code with which it was refused, when it was: the one that the agent is told.
    pub refused: Option<&'static str>,
    /// How many records the answer shows something of.
    pub records: u64,
    /// Bytes of the answer.
    pub bytes: u64,
}
