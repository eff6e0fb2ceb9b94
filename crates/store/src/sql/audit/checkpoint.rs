//! The checkpoint behind which events were pruned.

use super::Head;
use super::backend::driver::{Connection, OptionalExtension};
use super::backend::errors::from_driver;
use super::row::RawEvent;
use crate::error::StoreResult;
use pdpp_contract::access::AuditCheckpoint;

const FIRST_EVENT: &str = "
    SELECT min(event_no) FROM audit_events";

const NEWEST_CHECKPOINT: &str = "
    SELECT event_no, at, client, package_id, token_fingerprint, operation, connection_ids,
           stream, records_returned, bytes_returned, outcome, request_id, hash
      FROM audit_events
     WHERE operation = 'audit_pruned'
     ORDER BY event_no DESC
     LIMIT 1";

/// The newest checkpoint, if the log does not begin with its first event. One that cannot be read is
/// none: then the events before it are missing.
pub(crate) fn checkpoint(db: &Connection) -> StoreResult<Option<AuditCheckpoint>> {
    let first: Option<i64> =
        db.query_row(FIRST_EVENT, [], |row| row.get(0)).map_err(from_driver)?;
    if first.is_none_or(|first| first <= 1) {
        return Ok(None);
    }
    let found = db
        .query_row(NEWEST_CHECKPOINT, [], |row| Ok(RawEvent::read(row).ok()))
        .optional()
        .map_err(from_driver)?;
    Ok(found.flatten().and_then(RawEvent::event).and_then(|event| AuditCheckpoint::of(&event)))
}

/// Where the chain begins behind it.
pub(crate) fn start(checkpoint: Option<&AuditCheckpoint>) -> Option<Head> {
    let checkpoint = checkpoint?;
    let event_no = i64::try_from(checkpoint.pruned_events).ok()?;
    Some(Head { event_no, hash: checkpoint.hash })
}
