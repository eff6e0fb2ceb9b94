//! Listing packages and ending them.

use pdpp_contract::access::{AuditEvent, GrantSelector};
use pdpp_store::grants::StoredPackage;

use super::{PackageSummary, Revocation};
use crate::Auth;
use crate::access::OwnerAccess;
use crate::error::{AuthError, NamedKind};

impl Auth {
    /// Every package ever issued, in the order they were issued.
    pub async fn packages(&self, _owner: &OwnerAccess) -> Result<Vec<PackageSummary>, AuthError> {
        let stored = self.store.list_packages().await?;
        Ok(self.summaries(stored))
    }

    /// The packages that hold what is named: one for an id, any number for an agent.
    pub async fn package(
        &self,
        _owner: &OwnerAccess,
        what: &GrantSelector,
    ) -> Result<Vec<PackageSummary>, AuthError> {
        let stored = self.store.find_packages(what).await?;
        if stored.is_empty() {
            return Err(no_grant(what));
        }
        Ok(self.summaries(stored))
    }

    /// Ends what is named, and every package left without a live grant. The next call with such a
    /// token is refused. Ending it again is no error and ends nothing.
    pub async fn revoke(
        &self,
        owner: &OwnerAccess,
        what: &GrantSelector,
    ) -> Result<Revocation, AuthError> {
        let mut event = AuditEvent::by_owner(self.clock.now(), "grant_revoke");
        event.token_fingerprint = owner.fingerprint().cloned();
        let revoked = self.store.revoke_grants(what, event).await?;
        revoked.ok_or_else(|| no_grant(what))
    }

    fn summaries(&self, stored: Vec<StoredPackage>) -> Vec<PackageSummary> {
        let now = self.clock.now();
        stored.into_iter().map(|package| PackageSummary::of(package, now)).collect()
    }
}

pub(super) fn no_grant(what: &GrantSelector) -> AuthError {
    AuthError::NothingMatches { what: what.to_string(), kind: NamedKind::Grant }
}
