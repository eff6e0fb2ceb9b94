//! What an import tells: how far it is, and in the end what it did.

use std::collections::BTreeMap;

use pdpp_contract::{ConnectionId, ConnectionName, ErrorCode, StreamName};
use pdpp_store::writes::WriteOutcome;
use serde::Serialize;

/// How far an import is, told after each batch that is on disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ImportProgress {
    /// Items seen.
    pub seen: u64,
    /// Records that were added, changed or deleted, and are so on disk.
    pub written: u64,
    /// Bytes seen.
    pub bytes: u64,
}

/// What an import did; every item is accounted for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ImportReport {
    /// The connection; absent when a dry run would have created it.
    pub connection_id: Option<ConnectionId>,
    /// Its short name.
    pub connection: ConnectionName,
    /// Items with content.
    pub seen: u64,
    /// New records.
    pub added: u64,
    /// Records with other data than before.
    pub changed: u64,
    /// Records that were there already.
    pub unchanged: u64,
    /// Records that left their stream.
    pub deleted: u64,
    /// How much of it in which stream.
    pub streams: BTreeMap<StreamName, StreamCounts>,
    /// Items that were rejected.
    pub rejected: u64,
    /// How many for which reason.
    pub rejected_by_code: BTreeMap<String, u64>,
    /// The first rejections, in the order of the items.
    pub rejections: Vec<ImportRejection>,
    /// The first reasons, each with the items it was given for.
    pub reasons: Vec<RejectionReason>,
    /// Items of this connection in quarantine now.
    pub quarantined: u64,
    /// Nothing was written.
    pub dry_run: bool,
    /// What the importer assumed or replaced, in words for the owner.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// What happened in one stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct StreamCounts {
    /// New records.
    pub added: u64,
    /// Records with other data than before.
    pub changed: u64,
    /// Records that were there already.
    pub unchanged: u64,
    /// Records that left the stream.
    pub deleted: u64,
}

impl StreamCounts {
    /// Every record that was looked at.
    pub fn all(&self) -> u64 {
        self.added + self.changed + self.unchanged + self.deleted
    }

    /// Counts one outcome; a rejection is none.
    pub(crate) fn count(&mut self, outcome: WriteOutcome) {
        let counter = match outcome {
            WriteOutcome::Added => &mut self.added,
            WriteOutcome::Changed => &mut self.changed,
            WriteOutcome::Unchanged | WriteOutcome::Absent => &mut self.unchanged,
            WriteOutcome::Deleted => &mut self.deleted,
            WriteOutcome::RefusedAppendOnly | WriteOutcome::RefusedUnknownStream => return,
        };
        *counter += 1;
    }
}

/// One rejected item.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ImportRejection {
    /// Where it came from.
    pub source: String,
    /// Its number, from 1.
    pub position: u64,
    /// Why.
    pub code: ErrorCode,
    /// The same in words, without content.
    pub message: String,
}

/// Items of one source that were rejected for the same reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RejectionReason {
    /// Where they came from.
    pub source: String,
    /// Why.
    pub code: ErrorCode,
    /// The same in words, without content.
    pub message: String,
    /// How many items.
    pub count: u64,
    /// Which: the first ranges, from the first to the last item of each.
    pub lines: Vec<(u64, u64)>,
}

/// Most ranges of items named for one reason.
const NAMED_RANGES: usize = 10;

impl RejectionReason {
    /// The reason of one rejection.
    pub(crate) fn of(rejection: &ImportRejection) -> Self {
        let ImportRejection { source, position, code, message } = rejection.clone();
        Self { source, code, message, count: 1, lines: vec![(position, position)] }
    }

    /// Takes in another rejection, if it has this reason.
    pub(crate) fn takes(&mut self, other: &ImportRejection) -> bool {
        let same = self.code == other.code && self.message == other.message;
        if !same || self.source != other.source {
            return false;
        }
        self.count += 1;
        let named = self.lines.len();
        match self.lines.last_mut() {
            Some((_, last)) if *last + 1 == other.position => *last = other.position,
            _ if named < NAMED_RANGES => self.lines.push((other.position, other.position)),
            _ => {}
        }
        true
    }
}
