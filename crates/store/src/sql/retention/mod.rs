//! Removing old audit events behind a checkpoint, and finding changes by their age.

pub(crate) mod prune;
pub(crate) mod seen_time;

use super::{backend, sql};

use async_trait::async_trait;
use backend::driver::{Connection, OptionalExtension, Transaction, params};
use jiff::Timestamp;

use crate::error::StoreResult;
use crate::maintenance::retention::{
    Compacting, DatabaseSize, History, RetentionStore, StorageUsage,
};
use crate::numbers::ChangeNo;
use backend::Backend;
use backend::errors::{corrupt, from_driver};
use backend::maintenance::compact;
use pdpp_contract::access::AuditCheckpoint;
use seen_time::day;
use sql::access::grants::cell;
use sql::audit;

const TABLE: &str = "audit_events";
/// Events that go in one transaction: writers wait for a fraction of a second.
const STEP: i64 = 5_000;

const CHANGES: &str = "
    SELECT change_no FROM change_counter WHERE only_row = 1";

const VERSIONS: &str = "
    SELECT count(*) FROM changes";

const OLDEST: &str = "
    SELECT event_no, at
      FROM audit_events
     ORDER BY event_no
     LIMIT ?1";

const HASH: &str = "
    SELECT hash FROM audit_events WHERE event_no = ?1";

const DROP: &str = "
    DELETE FROM audit_events WHERE event_no <= ?1";

const CHANGE_BEFORE: &str = "
    SELECT coalesce(max(change_no), 0) FROM seen_days WHERE day < ?1";

const DAY_SEEN: &str = "
    SELECT day FROM seen_days ORDER BY day DESC LIMIT 1 OFFSET ?1";

#[async_trait]
impl RetentionStore for Backend {
    async fn prune_audit(&self, before: Timestamp, now: Timestamp) -> StoreResult<u64> {
        self.write(move |tx| prune(tx, before, now)).await
    }

    async fn change_before(&self, before: Timestamp) -> StoreResult<ChangeNo> {
        self.read(move |db| {
            db.query_row(CHANGE_BEFORE, params![day(before)], |row| row.get(0)).map_err(from_driver)
        })
        .await
    }

    async fn day_seen(&self, days: u32) -> StoreResult<Option<Timestamp>> {
        self.read(move |db| {
            let found: Option<String> = db
                .query_row(DAY_SEEN, [i64::from(days)], |row| row.get(0))
                .optional()
                .map_err(from_driver)?;
            let start = |day: String| cell(&format!("{day}T00:00:00Z"), "seen_days", "day", 0);
            found.map(start).transpose()
        })
        .await
    }

    async fn prune_versions(&self, through: ChangeNo) -> StoreResult<u64> {
        prune::prune(self, through).await
    }
}

#[async_trait]
impl StorageUsage for Backend {
    async fn history(&self) -> StoreResult<History> {
        self.read(history).await
    }

    async fn room(&self) -> StoreResult<DatabaseSize> {
        self.read(compact::room).await
    }

    async fn compact(&self, how: Compacting) -> StoreResult<()> {
        compact::compact(self, how).await
    }
}

fn history(db: &Connection) -> StoreResult<History> {
    let number = |sql| db.query_row(sql, [], |row| row.get::<_, i64>(0)).map_err(from_driver);
    let first = oldest(db, 1)?.into_iter().next();
    let newest = audit::newest_event(db)?;
    let kept = first.map_or(0, |(first, _)| newest - first + 1);
    Ok(History {
        changes: number(CHANGES)?,
        versions: u64::try_from(number(VERSIONS)?).unwrap_or(0),
        audit_events: u64::try_from(kept).unwrap_or(0),
        audit_from: first.map(|(_, at)| at),
        audit_pruned: audit::checkpoint(db)?,
    })
}

fn oldest(db: &Connection, most: i64) -> StoreResult<Vec<(i64, Timestamp)>> {
    let rows: Vec<(i64, String)> = db
        .prepare_cached(OLDEST)
        .and_then(|mut list| {
            list.query_map([most], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
        })
        .map_err(from_driver)?;
    rows.into_iter()
        .map(|(event_no, at)| Ok((event_no, cell(&at, TABLE, "at", event_no)?)))
        .collect()
}

fn prune(tx: &Transaction<'_>, before: Timestamp, now: Timestamp) -> StoreResult<u64> {
    let events = oldest(tx, STEP)?;
    let goes = |(_, at): &&(i64, Timestamp)| *at < before || *at > now;
    let old: Vec<&(i64, Timestamp)> = events.iter().take_while(goes).collect();
    // One that a wrong clock dated goes with older ones behind it, never for its own sake.
    let Some(last) = old.iter().rposition(|(_, at)| *at < before) else { return Ok(0) };
    let (Some((first_no, _)), Some((last_no, until))) = (old.first(), old.get(last)) else {
        return Ok(0);
    };
    let hash: Option<Vec<u8>> =
        tx.query_row(HASH, [*last_no], |row| row.get(0)).optional().map_err(from_driver)?;
    let hash = hash.and_then(|hash| hash.try_into().ok());
    let checkpoint = AuditCheckpoint {
        pruned_events: u64::try_from(*last_no).unwrap_or(0),
        until: *until,
        hash: hash.ok_or_else(|| corrupt(TABLE, "hash", *last_no))?,
    };
    tx.execute(DROP, [*last_no]).map_err(from_driver)?;
    audit::append(tx, &[checkpoint.event(now)])?;
    Ok(u64::try_from(last_no - first_no + 1).unwrap_or(0))
}
