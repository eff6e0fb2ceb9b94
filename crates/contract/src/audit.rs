//! What a call was and how it ended, for the audit log.

use async_trait::async_trait;

use crate::error::ApiError;

/// Records one call.
#[async_trait]
pub trait AuditSink: Send + Sync {
    /// Reserves room in the log. Called before anything is read: what cannot be recorded is not read.
    async fn admit(&self) -> Result<(), ApiError>;

    /// Called once, after the answer is made and before it is sent.
    async fn record(&self, outcome: CallOutcome);
}

/// One call that was answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CallOutcome {
    /// What was called.
    pub operation: &'static str,
    /// The code with which it was refused, when it was: the one that the caller is told.
    pub refused: Option<&'static str>,
    /// How many records the answer shows something of.
    pub records: u64,
    /// Bytes of the answer.
    pub bytes: u64,
}
