//! The audit log: who read what and how much, each event chained to the one before it.
//!
//! An event names things and counts them. It never holds content, a token or search words.

use async_trait::async_trait;
use jiff::Timestamp;
use pdpp_contract::PackageId;
use pdpp_contract::access::{
    ActiveHour, AuditChain, AuditEvent, AuditQuery, StoredEvent, TokenFingerprint,
};
use serde_json::json;
use sha2::{Digest, Sha256};

use crate::error::StoreResult;

/// What the first event is chained to.
pub const CHAIN_START: [u8; 32] = [0; 32];

/// The event chained to the hash of the one before it: SHA-256 of that hash and the event's
/// canonical text.
pub fn chain_hash(event: &AuditEvent, previous: &[u8; 32]) -> [u8; 32] {
    let mut hash = Sha256::new();
    hash.update(previous);
    hash.update(canonical(event));
    hash.finalize().into()
}

/// One text for equal events on every backend: members in the order of their names.
fn canonical(event: &AuditEvent) -> String {
    let client = event.actor.client();
    json!({
        "at": event.at.to_string(),
        "bytes_returned": event.bytes_returned,
        "client": client,
        "connection_ids": event.connection_ids,
        "operation": event.operation.as_str(),
        "outcome": event.outcome.as_str(),
        "package_id": event.package_id,
        "records_returned": event.records_returned,
        "request_id": event.request_id,
        "stream": event.stream,
        "token_fingerprint": event.token_fingerprint.as_ref().map(TokenFingerprint::as_str),
    })
    .to_string()
}

/// The audit log: it grows at its end, and is pruned from its beginning behind a checkpoint.
#[async_trait]
pub trait AuditStore: Send + Sync {
    /// Appends events in the order given, all of them or none. An empty list changes nothing.
    ///
    /// Two callers append one after the other, never interleaved, so the chain has no forks.
    async fn append_audit(&self, events: Vec<AuditEvent>) -> StoreResult<()>;

    /// The same for a list that was given before without an answer: when it stands in the log already,
    /// whole and in one piece, nothing changes. Who gives it must be sure that its events are one of a
    /// kind, by their instants or requests.
    async fn append_audit_again(&self, events: Vec<AuditEvent>) -> StoreResult<()>;

    /// A page of events, the newest first. A limit of zero is an empty page.
    async fn audit_events(&self, query: &AuditQuery) -> StoreResult<Vec<StoredEvent>>;

    /// The hours from `since` on in which an agent was answered, the oldest first; one row for each
    /// package and hour. Signing in does not count. With a package, only its own.
    async fn active_hours(
        &self,
        since: Timestamp,
        package: Option<&PackageId>,
    ) -> StoreResult<Vec<ActiveHour>>;

    /// Walks the chain from its first event, or from the checkpoint of what was pruned. Events appended meanwhile may or may not be included.
    async fn verify_audit(&self) -> StoreResult<AuditChain>;
}

#[cfg(test)]
mod tests {
    use pdpp_contract::ErrorCode;
    use pdpp_contract::access::AuditActor;

    use super::*;

    #[test]
    fn the_chain_hash_depends_on_every_part_and_on_what_came_before() {
        let at: Timestamp = "2026-03-01T00:00:00Z".parse().unwrap();
        let event = AuditEvent::by_owner(at, "search");
        let first = chain_hash(&event, &CHAIN_START);
        assert_eq!(first, chain_hash(&event.clone(), &CHAIN_START));
        assert_ne!(first, chain_hash(&event, &first));
        let named = AuditEvent { actor: AuditActor::Client("a".parse().unwrap()), ..event.clone() };
        let counted = AuditEvent { records_returned: 1, ..event.clone() };
        let refused = AuditEvent { outcome: ErrorCode::NotFound.into(), ..event };
        for other in [named, counted, refused] {
            assert_ne!(chain_hash(&other, &CHAIN_START), first);
        }
    }

    #[test]
    fn the_canonical_text_is_sorted_and_never_changes() {
        let at: Timestamp = "2026-03-01T00:00:00.5Z".parse().unwrap();
        let text = canonical(&AuditEvent::by_owner(at, "search"));
        let expected = r#"{"at":"2026-03-01T00:00:00.5Z","bytes_returned":0,"client":null,"connection_ids":[],"operation":"search","outcome":"ok","package_id":null,"records_returned":0,"request_id":null,"stream":null,"token_fingerprint":null}"#;
        assert_eq!(text, expected);
    }
}
