//! Audit events of the sign-in.

use pdpp_contract::ClientName;
use pdpp_contract::access::{AuditActor, AuditEvent, AuditWord};
use pdpp_store::grants::StoredPackage;

use crate::Auth;

impl Auth {
    /// Something that a client did, about a package when there is one.
    pub(super) fn client_event(
        &self,
        client: &ClientName,
        operation: &'static str,
        package: Option<&StoredPackage>,
    ) -> AuditEvent {
        AuditEvent {
            actor: AuditActor::Client(client.clone()),
            package_id: package.map(|package| package.package_id.clone()),
            ..AuditEvent::by_owner(self.clock.now(), operation)
        }
    }

    /// A second use of something that may be used once: it was stolen, or its owner is confused.
    pub(super) fn replay_event(&self, client: &ClientName, package: &StoredPackage) -> AuditEvent {
        AuditEvent {
            outcome: AuditWord::new("replay_detected"),
            ..self.client_event(client, "sign_in_ended", Some(package))
        }
    }
}
