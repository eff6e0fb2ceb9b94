//! What one call may use: the caller's reads, its handles, and where the call is recorded.

use std::sync::Arc;

use async_trait::async_trait;
use pdpp_contract::audit::AuditSink;
use pdpp_contract::{Handles, ReadApi};

use crate::refusal::Refusal;

/// One call of one caller. Made for that call, and gone with it. Holds no data.
#[derive(Clone)]
pub struct CallContext {
    /// The caller's reads.
    pub read: Arc<dyn ReadApi>,
    /// Makes and opens the caller's handles.
    pub handles: Arc<dyn Handles>,
    /// Records the call; absent where the provider does so itself.
    pub audit: Option<Arc<dyn AuditSink>>,
    /// Where the reads are served over HTTP, for citation addresses; absent on a local store.
    pub base_url: Option<String>,
    /// The name under which the caller's token was issued, when it is known.
    pub client: Option<String>,
    /// Whether results may carry `resource_link` blocks.
    pub links: bool,
}

impl CallContext {
    /// A call over these reads that nobody records.
    pub fn new(read: Arc<dyn ReadApi>, handles: Arc<dyn Handles>) -> Self {
        Self { read, handles, audit: None, base_url: None, client: None, links: true }
    }
}

/// Lets the calls of one process in. Every call asks, because a grant may have ended since the last.
#[async_trait]
pub trait CallSource: Send + Sync {
    /// The context of the next call, or why there is none.
    async fn open(&self) -> Result<CallContext, Refusal>;
}
