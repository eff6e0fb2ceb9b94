//! The audit log's events: who read what and how much.
//!
//! An event names things and counts them. It never holds content, a token or search words.

use std::borrow::Cow;

use jiff::Timestamp;

use super::tokens::TokenFingerprint;
use crate::hex::{digest_from_hex, hex};
use crate::{ClientName, ConnectionId, ErrorCode, PackageId, StreamName};

/// A fixed word of the program. It is made from constants only, so no part of a request can slip in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditWord(Cow<'static, str>);

impl AuditWord {
    /// The outcome of everything that was not refused.
    pub const OK: Self = Self::new("ok");

    /// Wraps a word of the program.
    pub const fn new(word: &'static str) -> Self {
        Self(Cow::Borrowed(word))
    }

    /// A word read back from a store.
    pub fn stored(word: String) -> Self {
        Self(Cow::Owned(word))
    }

    /// The word.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<ErrorCode> for AuditWord {
    fn from(code: ErrorCode) -> Self {
        Self::new(code.as_str())
    }
}

/// Who did it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AuditActor {
    /// The person whose data it is.
    Owner,
    /// An agent.
    Client(ClientName),
    /// Somebody who was refused and whose token belongs to no agent.
    Nobody,
}

impl AuditActor {
    /// The agent's name.
    pub fn client(&self) -> Option<&ClientName> {
        match self {
            Self::Client(name) => Some(name),
            Self::Owner | Self::Nobody => None,
        }
    }

    /// The actor of a stored event. A call that was refused proves nobody to be the owner.
    pub fn stored(client: Option<ClientName>, operation: &str) -> Self {
        match client {
            Some(name) => Self::Client(name),
            None if [AuditEvent::REFUSED, AuditEvent::LOGIN_FAILED].contains(&operation) => {
                Self::Nobody
            }
            None => Self::Owner,
        }
    }
}

/// One thing that happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditEvent {
    /// When.
    pub at: Timestamp,
    /// Who.
    pub actor: AuditActor,
    /// Under which package.
    pub package_id: Option<PackageId>,
    /// With which token.
    pub token_fingerprint: Option<TokenFingerprint>,
    /// What was asked for.
    pub operation: AuditWord,
    /// Of which connections.
    pub connection_ids: Vec<ConnectionId>,
    /// Of which stream, when it was about one.
    pub stream: Option<StreamName>,
    /// How many records were returned.
    pub records_returned: u64,
    /// How many bytes were returned.
    pub bytes_returned: u64,
    /// [`AuditWord::OK`] or the code of the refusal.
    pub outcome: AuditWord,
    /// The server's own id of the request.
    pub request_id: Option<String>,
}

impl AuditEvent {
    /// The operation of every call that was refused before anybody looked at what it asked for.
    pub const REFUSED: &'static str = "refused";

    /// The operation of a wrong password: whoever typed it is not proved to be the owner.
    pub const LOGIN_FAILED: &'static str = "owner_login_failed";

    /// The operation of the event that keeps an [`AuditCheckpoint`].
    pub const PRUNED: &'static str = "audit_pruned";

    /// An event of the owner that returned nothing; the caller adds what it was about.
    pub fn by_owner(at: Timestamp, operation: &'static str) -> Self {
        Self {
            at,
            actor: AuditActor::Owner,
            package_id: None,
            token_fingerprint: None,
            operation: AuditWord::new(operation),
            connection_ids: Vec::new(),
            stream: None,
            records_returned: 0,
            bytes_returned: 0,
            outcome: AuditWord::OK,
            request_id: None,
        }
    }
}

/// What was pruned from the beginning of the log. The event that says so stands in the chain, so what
/// follows can be verified from here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditCheckpoint {
    /// How many events went since the log began: the number of the last of them.
    pub pruned_events: u64,
    /// The instant of the last of them.
    pub until: Timestamp,
    /// The hash of the last of them, to which the first kept event is chained.
    pub hash: [u8; 32],
}

impl AuditCheckpoint {
    /// The event that keeps it in the chain.
    pub fn event(&self, at: Timestamp) -> AuditEvent {
        AuditEvent {
            records_returned: self.pruned_events,
            request_id: Some(format!("until {} sha256 {}", self.until, hex(&self.hash))),
            ..AuditEvent::by_owner(at, AuditEvent::PRUNED)
        }
    }

    /// The checkpoint that an event keeps.
    pub fn of(event: &AuditEvent) -> Option<Self> {
        let words: Vec<&str> = event.request_id.as_deref()?.split(' ').collect();
        let ["until", until, "sha256", hash] = words[..] else { return None };
        let is_one = event.operation.as_str() == AuditEvent::PRUNED;
        let until = until.parse().ok().filter(|_| is_one)?;
        Some(Self { pruned_events: event.records_returned, until, hash: digest_from_hex(hash)? })
    }
}

/// An event in its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredEvent {
    /// Its place in the chain, counted from one without gaps.
    pub event_no: u64,
    /// The event.
    pub event: AuditEvent,
}

/// Which events to list.
#[derive(Debug, Clone, Default)]
pub struct AuditQuery {
    /// Only this agent's.
    pub client: Option<ClientName>,
    /// Only what was done with this package, or to it.
    pub package_id: Option<PackageId>,
    /// Only what was about this connection.
    pub connection_id: Option<ConnectionId>,
    /// Only from this instant on.
    pub since: Option<Timestamp>,
    /// Only those before this place: the continuation of a page.
    pub before: Option<u64>,
    /// At most this many.
    pub limit: u32,
}

/// What one access did in one hour.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ActiveHour {
    /// The access.
    pub package_id: PackageId,
    /// The beginning of the hour.
    pub hour: Timestamp,
    /// Calls that were answered.
    pub calls: u64,
    /// Records in those answers.
    pub records: u64,
    /// The last call of the hour.
    pub last_at: Timestamp,
}

/// What a walk over the whole chain found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AuditChain {
    /// Every event is as it was written, and none is missing.
    Intact {
        /// How many there are.
        events: u64,
        /// What was pruned before the first of them.
        pruned: Option<AuditCheckpoint>,
        /// The hash at the end. Noted elsewhere, it proves later that nothing before it changed.
        head: [u8; 32],
    },
    /// This event is the first that is missing or was changed.
    Broken {
        /// Its place in the chain.
        event_no: u64,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_checkpoint_comes_back_from_its_event_and_from_no_other() {
        let at: Timestamp = "2026-03-01T00:00:00Z".parse().unwrap();
        let until: Timestamp = "2025-01-25T10:00:00.123Z".parse().unwrap();
        let checkpoint = AuditCheckpoint { pruned_events: 7, until, hash: [0xa5; 32] };
        let event = checkpoint.event(at);
        assert_eq!(AuditCheckpoint::of(&event), Some(checkpoint));
        for other in [
            AuditEvent { operation: AuditWord::new("search"), ..event.clone() },
            AuditEvent { request_id: Some("until now sha256 a5".to_owned()), ..event.clone() },
            AuditEvent { request_id: None, ..event },
        ] {
            assert_eq!(AuditCheckpoint::of(&other), None);
        }
    }
}
