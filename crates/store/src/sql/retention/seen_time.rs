//! The newest instant that the store has seen, and the days on which it saw something.

use super::backend::driver::{Connection, OptionalExtension, Transaction, params};
use async_trait::async_trait;
use jiff::Timestamp;

use super::backend::Backend;
use super::backend::errors::{corrupt, from_driver};
use super::sql::access::grants::{cell, written};
use super::sql::audit;
use crate::error::StoreResult;
use crate::maintenance::seen_time::{SeenTime, SeenTimeStore};
use pdpp_contract::access::AuditEvent;

const TABLE: &str = "store_clock";

const SEEN: &str = "
    SELECT seen_at, resets
      FROM store_clock
     WHERE only_row = 1";

const NOTE: &str = "
    UPDATE store_clock
       SET seen_at = ?1
     WHERE only_row = 1
       AND seen_at < ?1
       AND resets = ?2";

/// Instants that were taken back are not believed from events.
const NOTE_EVENT: &str = "
    UPDATE store_clock
       SET seen_at = ?1
     WHERE only_row = 1
       AND seen_at < ?1
       AND (reset_from IS NULL OR reset_from > ?1)";

const RESET: &str = "
    UPDATE store_clock
       SET reset_from = seen_at, seen_at = ?1, resets = resets + 1
     WHERE only_row = 1
       AND seen_at > ?1";

/// The first event of a day says which change was the newest before it.
const MARK_DAY: &str = "
    INSERT INTO seen_days (day, change_no)
    SELECT ?1, change_no
      FROM change_counter
     WHERE only_row = 1
        ON CONFLICT (day) DO NOTHING";

/// Days that were taken back never were.
const FORGET_DAYS: &str = "
    DELETE FROM seen_days
     WHERE day > ?1";

#[async_trait]
impl SeenTimeStore for Backend {
    async fn seen_time(&self) -> StoreResult<SeenTime> {
        self.glance(seen).await
    }

    async fn note_time(&self, noted: SeenTime) -> StoreResult<SeenTime> {
        self.aside(move |db| {
            let resets = i64::try_from(noted.resets).unwrap_or(i64::MAX);
            let values = params![written(noted.at), resets];
            db.prepare_cached(NOTE)
                .and_then(|mut note| note.execute(values))
                .map_err(from_driver)?;
            seen(db)
        })
        .await
    }

    async fn reset_time(&self, at: Timestamp, event: AuditEvent) -> StoreResult<Option<Timestamp>> {
        self.write(move |tx| {
            let before = seen(tx)?.at;
            let reset = tx.execute(RESET, params![written(at)]).map_err(from_driver)?;
            if reset == 0 {
                return Ok(None);
            }
            tx.execute(FORGET_DAYS, params![day(at)]).map_err(from_driver)?;
            mark(tx, at)?;
            audit::append(tx, &[event])?;
            Ok(Some(before))
        })
        .await
    }
}

fn seen(db: &Connection) -> StoreResult<SeenTime> {
    let found: Option<(String, i64)> = db
        .prepare_cached(SEEN)
        .and_then(|mut find| find.query_row([], |row| Ok((row.get(0)?, row.get(1)?))).optional())
        .map_err(from_driver)?;
    // A store that another one is being moved into has not been told yet.
    let Some((at, resets)) = found else {
        return Ok(SeenTime { at: Timestamp::UNIX_EPOCH, resets: 0 });
    };
    let resets = u64::try_from(resets).map_err(|_| corrupt(TABLE, "resets", 1))?;
    Ok(SeenTime { at: cell(&at, TABLE, "seen_at", 1)?, resets })
}

/// Notes the instant of an event that is being kept, and with the first one of a day which change is the
/// newest.
pub(crate) fn note_event(tx: &Transaction<'_>, at: Timestamp) -> StoreResult<()> {
    let before = seen(tx)?.at;
    if at <= before {
        return Ok(());
    }
    let text = written(at);
    let noted = tx
        .prepare_cached(NOTE_EVENT)
        .and_then(|mut note| note.execute(params![text]))
        .map_err(from_driver)?;
    if noted > 0 && day(at) != day(before) {
        mark(tx, at)?;
    }
    Ok(())
}

fn mark(tx: &Transaction<'_>, at: Timestamp) -> StoreResult<()> {
    tx.execute(MARK_DAY, params![day(at)]).map(|_| ()).map_err(from_driver)
}

/// The day of an instant, in the text order of days.
pub(crate) fn day(at: Timestamp) -> String {
    written(at).chars().take(10).collect()
}
