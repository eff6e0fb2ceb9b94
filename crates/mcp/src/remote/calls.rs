//! The calls of a client that reads at a remote provider.

use std::sync::Arc;

use async_trait::async_trait;

use super::RemoteProvider;
use crate::call_context::{CallContext, CallSource};
use crate::{NameHandles, Refusal};

/// A remote provider, which checks the token and records every read itself.
pub struct RemoteCalls {
    provider: Arc<RemoteProvider>,
    handles: Arc<NameHandles>,
}

impl RemoteCalls {
    /// Calls at a provider, with the key that seals this machine's handles.
    pub fn new(provider: RemoteProvider, key: [u8; 32]) -> Self {
        Self { provider: Arc::new(provider), handles: Arc::new(NameHandles::new(key)) }
    }
}

#[async_trait]
impl CallSource for RemoteCalls {
    async fn open(&self) -> Result<CallContext, Refusal> {
        let base_url = Some(self.provider.base_url().to_owned());
        let context = CallContext::new(self.provider.clone(), self.handles.clone());
        Ok(CallContext { base_url, ..context })
    }
}
