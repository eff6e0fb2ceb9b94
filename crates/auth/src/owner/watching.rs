//! The owner looks at who read what.

use jiff::Timestamp;
use pdpp_contract::PackageId;
use pdpp_contract::access::{ActiveHour, AuditChain, AuditEvent, AuditQuery, StoredEvent};

use crate::Auth;
use crate::access::OwnerAccess;
use crate::error::AuthError;

impl Auth {
    /// A page of the audit log, the newest first.
    pub async fn audit_events(
        &self,
        _: &OwnerAccess,
        query: &AuditQuery,
    ) -> Result<Vec<StoredEvent>, AuthError> {
        Ok(self.store.audit_events(query).await?)
    }

    /// When agents were answered, by hour, the oldest first.
    pub async fn active_hours(
        &self,
        _: &OwnerAccess,
        since: Timestamp,
        package: Option<&PackageId>,
    ) -> Result<Vec<ActiveHour>, AuthError> {
        Ok(self.store.active_hours(since, package).await?)
    }

    /// Whether the log is as it was written.
    pub async fn verify_audit(&self, _: &OwnerAccess) -> Result<AuditChain, AuthError> {
        Ok(self.store.verify_audit().await?)
    }

    /// Keeps an event of the owner at once.
    pub async fn note(&self, event: AuditEvent) -> Result<(), AuthError> {
        Ok(self.store.append_audit(vec![event]).await?)
    }
}
