//! Lets an agent's calls into the local store, through its token.

use std::sync::Arc;

use async_trait::async_trait;
use pdpp_auth::{AuditLog, Caller, RefusedCall};
use pdpp_contract::{ApiError, ErrorCode};
use pdpp_engine::audit::CallAudit;
use pdpp_mcp::{CallContext, CallSource, Refusal};
use pdpp_store::audit::AuditStore;
use tokio::sync::OnceCell;

use crate::app::CliApp;
use crate::app::upkeep;
use crate::data_dir::DataDir;
use crate::failure::Failure;
use crate::server::audit_lost;

/// The local store, through the token of one client. Opened with the first call: a client that
/// only lists tools waits for no disk.
pub struct LocalCalls {
    data_dir: DataDir,
    access_token: String,
    open: OnceCell<Open>,
}

struct Open {
    app: CliApp,
    audit: AuditLog,
}

impl LocalCalls {
    /// Calls over the store in `data_dir`.
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
            let app = CliApp::open_existing(self.data_dir.clone()).await?;
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
impl CallSource for LocalCalls {
    async fn open(&self) -> Result<CallContext, Refusal> {
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
        let client = Some(access.client().to_string());
        let call = CallAudit::new(audit.clone(), app.clock.clone(), Caller::Agent(access), None);
        let call = Arc::new(call.admitted(Some(admission)));
        let reader = Arc::new(app.engine.audited_reader(Arc::clone(&call)).await?);
        let context = CallContext::new(reader.clone(), reader);
        Ok(CallContext { audit: Some(call), client, ..context })
    }
}
