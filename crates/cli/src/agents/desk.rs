//! Lets an agent's calls in: over the local store through its token, or at a remote provider.

use std::sync::Arc;

use async_trait::async_trait;
use pdpp_auth::{AuditLog, RefusedCall};
use pdpp_contract::{ApiError, ErrorCode};
use pdpp_mcp::remote::RemoteProvider;
use pdpp_mcp::serve::{Desk, Visit};
use pdpp_mcp::{NameHandles, Refusal};
use pdpp_store::audit::AuditStore;
use tokio::sync::OnceCell;

use super::noting::counted;
use crate::app::App;
use crate::app::upkeep;
use crate::data_dir::DataDir;
use crate::failure::Failure;
use crate::server::audit_lost;

/// The local store, through the token of one client. Opened with the first call: a client that
/// only lists tools waits for no disk.
pub struct LocalDesk {
    data_dir: DataDir,
    access_token: String,
    open: OnceCell<Open>,
}

struct Open {
    app: App,
    audit: AuditLog,
}

impl LocalDesk {
    /// A desk over the store in `data_dir`.
    pub fn new(data_dir: DataDir, access_token: String) -> Self {
        Self { data_dir, access_token, open: OnceCell::new() }
    }

    /// Writes out what was noted. Call it before the process ends; fails when that is not possible.
    pub async fn close(&self) -> Result<(), Failure> {
        match self.open.get() {
            Some(open) if open.audit.flush().await.is_err() => {
                Err(audit_lost(open.audit.unwritten()))
            }
            _ => Ok(()),
        }
    }

    async fn store(&self) -> Result<&Open, Refusal> {
        let opening = async {
            let app = App::open_existing(self.data_dir.clone()).await?;
            upkeep::keep_time(&app);
            let store: Arc<dyn AuditStore> = app.store.clone();
            Ok(Open { audit: AuditLog::start_hasty(store), app })
        };
        self.open.get_or_try_init(|| opening).await.map_err(|failure: Failure| {
            tracing::error!(code = failure.code, "the store cannot be opened");
            let message = "the store cannot be opened now; its owner can run `pdpp doctor`";
            ApiError::new(ErrorCode::Unavailable, message).into()
        })
    }
}

#[async_trait]
impl Desk for LocalDesk {
    async fn open(&self) -> Result<Visit, Refusal> {
        let Open { app, audit } = self.store().await?;
        let admission = audit.admit().await.map_err(ApiError::from)?;
        let caller = match app.auth.verify_call(&self.access_token).await {
            Ok(caller) => caller,
            Err(RefusedCall { error, event }) => {
                if let Some(event) = event {
                    audit.record(*event).await;
                }
                return Err(ApiError::from(error).into());
            }
        };
        let access = caller.into_agent().map_err(ApiError::from)?;
        let reader = Arc::new(app.engine.reader(&access));
        let client = access.client().to_string();
        let (read, witness) =
            counted(reader.clone(), (audit.clone(), admission), &app.clock, access, None);
        Ok(Visit {
            read,
            handles: reader,
            base_url: None,
            client: Some(client),
            witness: Some(witness),
        })
    }
}

/// A remote provider, which checks the token and takes note of every read itself.
pub struct ProviderDesk {
    provider: Arc<RemoteProvider>,
    handles: Arc<NameHandles>,
}

impl ProviderDesk {
    /// A desk at a provider, with the key that seals this machine's handles.
    pub fn new(provider: RemoteProvider, key: [u8; 32]) -> Self {
        Self { provider: Arc::new(provider), handles: Arc::new(NameHandles::new(key)) }
    }
}

#[async_trait]
impl Desk for ProviderDesk {
    async fn open(&self) -> Result<Visit, Refusal> {
        Ok(Visit {
            read: self.provider.clone(),
            handles: self.handles.clone(),
            base_url: Some(self.provider.base_url().to_owned()),
            client: None,
            witness: None,
        })
    }
}
