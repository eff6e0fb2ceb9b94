//! One row of the audit log.

use super::backend::driver::Row;
use crate::access::audit::chain_hash;

use pdpp_contract::access::{AuditActor, AuditEvent, AuditWord, TokenFingerprint};

/// The columns of an event before they are checked.
pub(crate) struct RawEvent {
    pub(crate) event_no: i64,
    at: String,
    client: Option<String>,
    package_id: Option<String>,
    token_fingerprint: Option<String>,
    operation: String,
    connection_ids: String,
    stream: Option<String>,
    records_returned: i64,
    bytes_returned: i64,
    outcome: String,
    request_id: Option<String>,
    hash: Vec<u8>,
}

impl RawEvent {
    pub(crate) fn read(row: &Row<'_>) -> super::backend::driver::Result<Self> {
        Ok(Self {
            event_no: row.get(0)?,
            at: row.get(1)?,
            client: row.get(2)?,
            package_id: row.get(3)?,
            token_fingerprint: row.get(4)?,
            operation: row.get(5)?,
            connection_ids: row.get(6)?,
            stream: row.get(7)?,
            records_returned: row.get(8)?,
            bytes_returned: row.get(9)?,
            outcome: row.get(10)?,
            request_id: row.get(11)?,
            hash: row.get(12)?,
        })
    }

    /// The event; `None` when a column no longer holds what it was given.
    pub(crate) fn event(self) -> Option<AuditEvent> {
        let fingerprint = |text: String| TokenFingerprint::parse(&text);
        let client = checked(self.client, |text| text.parse().ok()).ok()?;
        Some(AuditEvent {
            at: self.at.parse().ok()?,
            actor: AuditActor::stored(client, &self.operation),
            package_id: checked(self.package_id, |text| text.parse().ok()).ok()?,
            token_fingerprint: checked(self.token_fingerprint, fingerprint).ok()?,
            operation: AuditWord::stored(self.operation),
            connection_ids: serde_json::from_str(&self.connection_ids).ok()?,
            stream: checked(self.stream, |text| text.parse().ok()).ok()?,
            records_returned: self.records_returned.try_into().ok()?,
            bytes_returned: self.bytes_returned.try_into().ok()?,
            outcome: AuditWord::stored(self.outcome),
            request_id: self.request_id,
        })
    }

    /// This row's hash, if the row stands in its place and follows from the one before it.
    pub(crate) fn follows(self, previous: &[u8; 32], expected_no: i64) -> Option<[u8; 32]> {
        let stored: [u8; 32] = self.hash.as_slice().try_into().ok()?;
        let in_place = self.event_no == expected_no;
        let event = self.event()?;
        (in_place && chain_hash(&event, previous) == stored).then_some(stored)
    }
}

/// A column that holds something else than it was given.
struct Changed;

/// An absent column stays absent; a present one must pass its check.
fn checked<T>(
    text: Option<String>,
    check: impl Fn(String) -> Option<T>,
) -> Result<Option<T>, Changed> {
    text.map(|text| check(text).ok_or(Changed)).transpose()
}
