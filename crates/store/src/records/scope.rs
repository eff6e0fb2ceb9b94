//! What a read may touch. Every reading method takes a scope; no value of it means "everything".

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::writes::prepare::{FLAG_CODES, FLAG_FROM_CODES, FLAG_FROM_SECRETS, FLAG_SECRETS};
use pdpp_contract::{ConnectionId, FieldName, Instant, RecordId, StreamName};

/// The collections a read may touch, each with its own limits. Cheap to clone.
#[derive(Debug, Clone)]
pub struct ReadScope(Arc<[CollectionScope]>);

impl ReadScope {
    /// A scope over the given collections. An empty list is a scope that shows nothing.
    pub fn new(collections: Vec<CollectionScope>) -> Self {
        Self(collections.into())
    }

    /// The collections, in the order they were given.
    pub fn collections(&self) -> &[CollectionScope] {
        &self.0
    }
}

/// One stream of one connection, and what of it may be seen.
#[derive(Debug, Clone)]
pub struct CollectionScope {
    /// The connection.
    pub connection: ConnectionId,
    /// The stream.
    pub stream: StreamName,
    /// The only top-level fields that exist for this read.
    pub fields: BTreeSet<FieldName>,
    /// The only span of time that exists for this read.
    pub time: Option<TimeBounds>,
    /// The only records that exist for this read.
    pub records: Option<BTreeSet<RecordId>>,
    /// Records that carry one-time codes or sign-in links do not exist for this read.
    pub leave_out_codes: bool,
    /// Nor do records that carry keys, tokens or passwords.
    pub leave_out_secrets: bool,
}

impl CollectionScope {
    /// The marks of records that do not exist for this read.
    pub(crate) fn hidden_marks(&self) -> i64 {
        let codes = if self.leave_out_codes { FLAG_CODES | FLAG_FROM_CODES } else { 0 };
        codes | if self.leave_out_secrets { FLAG_SECRETS | FLAG_FROM_SECRETS } else { 0 }
    }
}

/// A span of time on one field: `since` inclusive, `until` exclusive.
///
/// A record whose field is missing or unreadable as a time lies outside.
#[derive(Debug, Clone)]
pub struct TimeBounds {
    /// The field that is compared. It need not be visible itself.
    pub field: FieldName,
    /// The first instant inside.
    pub since: Option<Instant>,
    /// The first instant outside.
    pub until: Option<Instant>,
}

impl TimeBounds {
    /// Whether an instant lies inside; a missing one never does.
    pub fn contains(&self, instant: Option<Instant>) -> bool {
        let Some(instant) = instant else {
            return false;
        };
        self.since.is_none_or(|since| instant >= since)
            && self.until.is_none_or(|until| instant < until)
    }
}
