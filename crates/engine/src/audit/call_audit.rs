//! What one call has read so far, and its event in the audit log.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use pdpp_auth::{Admission, AuditLog, Caller};
use pdpp_contract::access::{AuditActor, AuditEvent, AuditWord};
use pdpp_contract::audit::{AuditSink, CallOutcome};
use pdpp_contract::ports::Clock;
use pdpp_contract::{ApiError, ConnectionId, StreamName};

/// One call of a verified caller, from its admission to its event.
pub struct CallAudit {
    log: AuditLog,
    clock: Arc<dyn Clock>,
    caller: Caller,
    request_id: Option<String>,
    progress: Mutex<Progress>,
}

#[derive(Default)]
struct Progress {
    /// Room in the log for this call; gone with its event.
    admission: Option<Admission>,
    connections: BTreeSet<ConnectionId>,
    stream: Option<StreamName>,
    records: u64,
}

impl CallAudit {
    /// A call that has read nothing yet.
    pub fn new(
        log: AuditLog,
        clock: Arc<dyn Clock>,
        caller: Caller,
        request_id: Option<String>,
    ) -> Self {
        Self { log, clock, caller, request_id, progress: Mutex::default() }
    }

    /// The same with room in the log that was reserved before the caller was known.
    #[must_use]
    pub fn admitted(self, admission: Option<Admission>) -> Self {
        self.progress().admission = admission;
        self
    }

    /// Who calls.
    pub fn caller(&self) -> &Caller {
        &self.caller
    }

    /// Names the stream that the call is about.
    pub fn about(&self, stream: &StreamName) {
        self.progress().stream = Some(stream.clone());
    }

    /// Names connections that were read or changed.
    pub fn touched(&self, connections: impl IntoIterator<Item = ConnectionId>) {
        self.progress().connections.extend(connections);
    }

    /// Counts records that were read.
    pub(super) fn read(&self, records: usize) {
        self.progress().records += u64::try_from(records).unwrap_or(u64::MAX);
    }

    /// How many records were read.
    pub fn records_read(&self) -> u64 {
        self.progress().records
    }

    /// Nothing of what was read is part of the answer.
    pub fn withhold(&self) {
        self.progress().connections.clear();
    }

    fn progress(&self) -> MutexGuard<'_, Progress> {
        self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl AuditSink for CallAudit {
    async fn admit(&self) -> Result<(), ApiError> {
        if self.progress().admission.is_none() {
            let admission = self.log.admit().await?;
            self.progress().admission = Some(admission);
        }
        Ok(())
    }

    async fn record(&self, outcome: CallOutcome) {
        let progress = std::mem::take(&mut *self.progress());
        let (actor, package_id, token_fingerprint) = match &self.caller {
            Caller::Agent(access) => (
                AuditActor::Client(access.client().clone()),
                Some(access.package_id().clone()),
                Some(access.token_fingerprint().clone()),
            ),
            Caller::Owner(access) => (AuditActor::Owner, None, access.fingerprint().cloned()),
        };
        let event = AuditEvent {
            at: self.clock.now(),
            actor,
            package_id,
            token_fingerprint,
            operation: AuditWord::new(outcome.operation),
            connection_ids: progress.connections.into_iter().collect(),
            stream: progress.stream,
            records_returned: outcome.records,
            bytes_returned: outcome.bytes,
            outcome: outcome.refused.map_or(AuditWord::OK, AuditWord::new),
            request_id: self.request_id.clone(),
        };
        match progress.admission {
            Some(admission) => self.log.record_admitted(event, admission).await,
            None => self.log.record(event).await,
        }
    }
}
