//! Events that are given a second time, because the answer to the first got lost.

use super::backend::driver::{Connection, OptionalExtension, params};
use super::backend::errors::{corrupt, from_driver};
use super::sql::access::grants::written;
use crate::access::audit::{CHAIN_START, chain_hash};
use crate::error::StoreResult;
use pdpp_contract::access::AuditEvent;

/// Where such a list could begin.
const FIND_PLACES: &str = "
    SELECT event_no
      FROM audit_events
     WHERE at = ?1
     ORDER BY event_no";

const FIND_HASH: &str = "
    SELECT hash
      FROM audit_events
     WHERE event_no = ?1";

/// Whether the events stand in the log, one after the other. The chain tells: from the hash before the
/// first one only these events lead to the hash of the last.
pub(crate) fn is_kept(db: &Connection, events: &[AuditEvent]) -> StoreResult<bool> {
    let Some(first) = events.first() else { return Ok(true) };
    let places: Vec<i64> = db
        .prepare_cached(FIND_PLACES)
        .and_then(|mut find| {
            find.query_map(params![written(first.at)], |row| row.get(0))?.collect()
        })
        .map_err(from_driver)?;
    let count = i64::try_from(events.len()).unwrap_or(i64::MAX);
    for place in places {
        let Some(before) = hash(db, place - 1)? else { continue };
        let led_to = events.iter().fold(before, |hash, event| chain_hash(event, &hash));
        if hash(db, place + count - 1)? == Some(led_to) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The hash of an event, if it is there; before the first one, the beginning of the chain.
fn hash(db: &Connection, event_no: i64) -> StoreResult<Option<[u8; 32]>> {
    if event_no == 0 {
        return Ok(Some(CHAIN_START));
    }
    let found: Option<Vec<u8>> = db
        .prepare_cached(FIND_HASH)
        .and_then(|mut find| find.query_row([event_no], |row| row.get(0)))
        .optional()
        .map_err(from_driver)?;
    let checked =
        |hash: Vec<u8>| hash.try_into().map_err(|_| corrupt("audit_events", "hash", event_no));
    found.map(checked).transpose()
}
