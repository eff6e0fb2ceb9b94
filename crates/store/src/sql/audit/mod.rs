//! The audit log: appended in batches, chained, walked in pages.

mod active;
mod again;
mod checkpoint;
mod row;

#[cfg(test)]
mod tests;

use super::{backend, sql};

use async_trait::async_trait;
use backend::driver::{Connection, Transaction, params};
use jiff::Timestamp;
use pdpp_contract::PackageId;

use crate::access::audit::{AuditStore, CHAIN_START, chain_hash};
use crate::error::{StoreError, StoreResult};
use crate::opening::reserve::Reserve;
use backend::Backend;
use backend::errors::{corrupt, from_driver};
pub(super) use checkpoint::checkpoint;
use pdpp_contract::access::{
    ActiveHour, AuditChain, AuditEvent, AuditQuery, StoredEvent, TokenFingerprint,
};
use row::RawEvent;
use sql::access::grants::written;
use sql::retention::seen_time;

/// Events looked at in one read, so that a long chain never meets the deadline of a single one.
const VERIFY_PAGE: i64 = 5_000;

const HEAD: &str = "
    SELECT event_no, hash
      FROM audit_head
     WHERE only_row = 1";

const MOVE_HEAD: &str = "
    UPDATE audit_head
       SET event_no = ?1, hash = ?2
     WHERE only_row = 1";

const INSERT_EVENT: &str = "
    INSERT INTO audit_events (
           event_no, at, client, package_id, token_fingerprint, operation, connection_ids,
           stream, records_returned, bytes_returned, outcome, request_id, hash)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)";

const LIST_EVENTS: &str = r#"
    SELECT event_no, at, client, package_id, token_fingerprint, operation, connection_ids,
           stream, records_returned, bytes_returned, outcome, request_id, hash
      FROM audit_events
     WHERE (client = ?1 OR ?1 IS NULL)
       AND (at >= ?2 OR ?2 IS NULL)
       AND (event_no < ?3 OR ?3 IS NULL)
       AND (package_id = ?5 OR ?5 IS NULL)
       AND (replace(connection_ids, '"' || ?6 || '"', '') <> connection_ids OR ?6 IS NULL)
     ORDER BY event_no DESC
     LIMIT ?4"#;

/// The same for one package, by its index: what one access did is asked for often.
const LIST_OF_PACKAGE: &str = r#"
    SELECT event_no, at, client, package_id, token_fingerprint, operation, connection_ids,
           stream, records_returned, bytes_returned, outcome, request_id, hash
      FROM audit_events
     WHERE package_id = ?5
       AND (client = ?1 OR ?1 IS NULL)
       AND (at >= ?2 OR ?2 IS NULL)
       AND (event_no < ?3 OR ?3 IS NULL)
       AND (replace(connection_ids, '"' || ?6 || '"', '') <> connection_ids OR ?6 IS NULL)
     ORDER BY event_no DESC
     LIMIT ?4"#;

const WALK_EVENTS: &str = "
    SELECT event_no, at, client, package_id, token_fingerprint, operation, connection_ids,
           stream, records_returned, bytes_returned, outcome, request_id, hash
      FROM audit_events
     WHERE event_no > ?1
     ORDER BY event_no
     LIMIT ?2";

#[async_trait]
impl AuditStore for Backend {
    async fn append_audit(&self, events: Vec<AuditEvent>) -> StoreResult<()> {
        if events.is_empty() {
            return Ok(());
        }
        self.write_reserved(Reserve::Audit, move |tx| append(tx, &events)).await
    }

    async fn append_audit_again(&self, events: Vec<AuditEvent>) -> StoreResult<()> {
        self.write_reserved(Reserve::Audit, move |tx| {
            if again::is_kept(tx, &events)? { Ok(()) } else { append(tx, &events) }
        })
        .await
    }

    async fn audit_events(&self, query: &AuditQuery) -> StoreResult<Vec<StoredEvent>> {
        let query = query.clone();
        self.read(move |connection| list(connection, &query)).await
    }

    async fn active_hours(
        &self,
        since: Timestamp,
        package: Option<&PackageId>,
    ) -> StoreResult<Vec<ActiveHour>> {
        let package = package.cloned();
        self.read(move |connection| active::hours(connection, since, package.as_ref())).await
    }

    async fn verify_audit(&self) -> StoreResult<AuditChain> {
        let mut place = Head::START;
        loop {
            match self.read(move |connection| walk(connection, place)).await? {
                Step::Further(next) => place = next,
                Step::Done(chain) => return Ok(chain),
            }
        }
    }
}

/// A place in the chain: the last event so far and its hash.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Head {
    event_no: i64,
    hash: [u8; 32],
}

impl Head {
    /// Before the first event.
    const START: Self = Self { event_no: 0, hash: CHAIN_START };
}

/// Appends events inside a transaction of somebody who changes something else too.
///
/// Writers take their turns, so the head cannot move between its reading and its writing.
pub(crate) fn append(tx: &Transaction<'_>, events: &[AuditEvent]) -> StoreResult<()> {
    let mut head = head(tx)?;
    for event in events {
        head = Head { event_no: head.event_no + 1, hash: chain_hash(event, &head.hash) };
        insert(tx, event, head)?;
    }
    tx.prepare_cached(MOVE_HEAD)
        .and_then(|mut statement| statement.execute(params![head.event_no, head.hash]))
        .map_err(from_driver)?;
    let newest = events.iter().map(|event| event.at).max();
    newest.map_or(Ok(()), |at| seen_time::note_event(tx, at))
}

/// The number of the newest event.
pub(super) fn newest_event(connection: &Connection) -> StoreResult<i64> {
    head(connection).map(|head| head.event_no)
}

fn head(connection: &Connection) -> StoreResult<Head> {
    let (event_no, hash): (i64, Vec<u8>) = connection
        .prepare_cached(HEAD)
        .and_then(|mut find| find.query_row([], |row| Ok((row.get(0)?, row.get(1)?))))
        .map_err(from_driver)?;
    let hash = hash.try_into().map_err(|_| corrupt("audit_head", "hash", 1))?;
    Ok(Head { event_no, hash })
}

fn insert(tx: &Transaction<'_>, event: &AuditEvent, place: Head) -> StoreResult<()> {
    let client = event.actor.client().map(AsRef::<str>::as_ref);
    let connection_ids: Vec<&str> = event.connection_ids.iter().map(AsRef::as_ref).collect();
    let values = params![
        place.event_no,
        written(event.at),
        client,
        event.package_id.as_ref().map(AsRef::<str>::as_ref),
        event.token_fingerprint.as_ref().map(TokenFingerprint::as_str),
        event.operation.as_str(),
        serde_json::json!(connection_ids).to_string(),
        event.stream.as_ref().map(AsRef::<str>::as_ref),
        count(event.records_returned)?,
        count(event.bytes_returned)?,
        event.outcome.as_str(),
        event.request_id,
        place.hash,
    ];
    tx.prepare_cached(INSERT_EVENT)
        .and_then(|mut statement| statement.execute(values))
        .map_err(from_driver)?;
    Ok(())
}

/// A clamped number would break the chain, so an impossible one is refused.
fn count(number: u64) -> StoreResult<i64> {
    i64::try_from(number).map_err(|_| StoreError::Conflict("an audit event counts too high"))
}

fn list(connection: &Connection, query: &AuditQuery) -> StoreResult<Vec<StoredEvent>> {
    let values = params![
        query.client.as_ref().map(AsRef::<str>::as_ref),
        query.since.map(written),
        query.before.map(|before| i64::try_from(before).unwrap_or(i64::MAX)),
        query.limit,
        query.package_id.as_ref().map(AsRef::<str>::as_ref),
        query.connection_id.as_ref().map(AsRef::<str>::as_ref),
    ];
    let list = if query.package_id.is_some() { LIST_OF_PACKAGE } else { LIST_EVENTS };
    let mut statement = connection.prepare_cached(list).map_err(from_driver)?;
    let mut rows = statement.query(values).map_err(from_driver)?;
    let mut events = Vec::new();
    while let Some(row) = rows.next().map_err(from_driver)? {
        let raw = RawEvent::read(row).map_err(from_driver)?;
        let event_no = raw.event_no;
        let event = raw.event().ok_or_else(|| corrupt("audit_events", "event_no", event_no))?;
        events.push(StoredEvent { event_no: number(event_no), event });
    }
    Ok(events)
}

/// What one page of a walk leads to.
enum Step {
    Further(Head),
    Done(AuditChain),
}

/// Walks one page. The end is compared with the head in the same snapshot, so that events appended
/// meanwhile are no fault; neither are those that were pruned meanwhile.
fn walk(connection: &Connection, from: Head) -> StoreResult<Step> {
    let pruned = checkpoint(connection)?;
    let from = checkpoint::start(pruned.as_ref())
        .filter(|start| start.event_no > from.event_no)
        .unwrap_or(from);
    let mut statement = connection.prepare_cached(WALK_EVENTS).map_err(from_driver)?;
    let mut rows = statement.query(params![from.event_no, VERIFY_PAGE]).map_err(from_driver)?;
    let mut place = from;
    while let Some(row) = rows.next().map_err(from_driver)? {
        let expected = place.event_no + 1;
        // A column of another type is a changed event, not a fault of the database.
        let found = RawEvent::read(row).ok().and_then(|raw| raw.follows(&place.hash, expected));
        let Some(hash) = found else {
            return Ok(broken(expected));
        };
        place = Head { event_no: expected, hash };
    }
    if place.event_no - from.event_no == VERIFY_PAGE {
        return Ok(Step::Further(place));
    }
    let head = head(connection)?;
    if head.event_no > place.event_no {
        return Ok(broken(place.event_no + 1));
    }
    if head != place {
        return Ok(broken(place.event_no.max(1)));
    }
    let events = number(place.event_no) - pruned.as_ref().map_or(0, |pruned| pruned.pruned_events);
    Ok(Step::Done(AuditChain::Intact { events, pruned, head: place.hash }))
}

fn broken(event_no: i64) -> Step {
    Step::Done(AuditChain::Broken { event_no: number(event_no) })
}

fn number(event_no: i64) -> u64 {
    u64::try_from(event_no).unwrap_or(0)
}
