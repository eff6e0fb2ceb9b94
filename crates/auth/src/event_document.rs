//! An event of the audit log as people export it, the same from the command line and from the pages.

use pdpp_contract::access::{AuditActor, StoredEvent, TokenFingerprint};
use serde_json::{Value, json};

/// Who did it: the owner, an agent, or somebody who was not let in.
pub fn actor_kind(actor: &AuditActor) -> &'static str {
    match actor {
        AuditActor::Owner => "owner",
        AuditActor::Client(_) => "client",
        AuditActor::Nobody => "unknown",
    }
}

/// The event with its members by name; what it does not have is left out.
pub fn event_document(stored: &StoredEvent) -> Value {
    let event = &stored.event;
    let mut document = json!({
        "event": stored.event_no,
        "at": event.at.to_string(),
        "actor": actor_kind(&event.actor),
        "client": event.actor.client(),
        "operation": event.operation.as_str(),
        "outcome": event.outcome.as_str(),
        "connection_ids": event.connection_ids,
        "stream": event.stream,
        "records_returned": event.records_returned,
        "bytes_returned": event.bytes_returned,
        "package_id": event.package_id,
        "token_fingerprint": event.token_fingerprint.as_ref().map(TokenFingerprint::as_str),
        "request_id": event.request_id,
    });
    if let Value::Object(members) = &mut document {
        members.retain(|_, value| !value.is_null());
    }
    document
}
