//! Calls refused at the door: each known token leaves an audit event, and a flood leaves few.

use pdpp_contract::ErrorCode;
use pdpp_contract::access::{AuditActor, AuditEvent, AuditWord};
use pdpp_store::grants::StoredPackage;
use pdpp_store::tokens::TokenHash;

use crate::Auth;
use crate::error::AuthError;

/// A call that was not let in.
#[derive(Debug, thiserror::Error)]
#[error("{error}")]
pub struct RefusedCall {
    /// Why.
    #[source]
    pub error: AuthError,
    /// What the audit log should keep; absent when it said so less than a minute ago, and for a
    /// text that cannot be a token.
    pub event: Option<Box<AuditEvent>>,
}

impl RefusedCall {
    /// A refusal that nobody keeps.
    pub(crate) fn unnoted(error: AuthError) -> Self {
        Self { error, event: None }
    }
}

impl Auth {
    /// A refusal with its event, at most one a minute for each token that was ever issued. Tokens
    /// that were not share one event a minute: anybody can invent them.
    pub(crate) fn refused_call(
        &self,
        error: AuthError,
        token: TokenHash,
        package: Option<&StoredPackage>,
    ) -> RefusedCall {
        let known = !matches!(error, AuthError::NoSuchToken);
        let event = self.due_event(known.then_some(token), error.reason());
        let event = event.map(|mut event| {
            event.token_fingerprint = Some(token.fingerprint());
            if let Some(package) = package {
                event.actor = AuditActor::Client(package.client.clone());
                event.package_id = Some(package.package_id.clone());
            }
            Box::new(event)
        });
        RefusedCall { error, event }
    }

    /// The event of an owner's credential that was presented where agents call, if one is due.
    pub fn refused_owner_credential(&self) -> Option<AuditEvent> {
        self.due_event(None, ErrorCode::OwnerCredentialRefused.as_str())
    }

    fn due_event(&self, token: Option<TokenHash>, reason: &'static str) -> Option<AuditEvent> {
        let now = self.clock.now();
        // No token hashes to the same as its reason.
        let key = token.unwrap_or_else(|| TokenHash::of(reason));
        let due = self.refusals.due(key, None, now);
        due.then(|| AuditEvent {
            actor: AuditActor::Nobody,
            outcome: AuditWord::new(reason),
            ..AuditEvent::by_owner(now, AuditEvent::REFUSED)
        })
    }
}
