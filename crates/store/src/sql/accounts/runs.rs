//! Runs of accounts: who may begin one, and what each did.

use jiff::Timestamp;
use pdpp_contract::ConnectionId;

use super::backend::driver::{Connection, OptionalExtension, Row, params};
use super::backend::errors::from_driver;
use super::sql::access::grants::{cell, optional_cell, written};
use super::sql::write::connection_no;
use crate::accounts::{RunCounts, RunEnd, RunFault, RunNo, RunStart, StoredRun};
use crate::error::StoreResult;

/// Runs that are remembered of each account.
const KEPT_RUNS: i64 = 200;

const BEGIN: &str = "
    UPDATE accounts
       SET run_no = run_no + 1, lease_until = ?4
     WHERE connection_no = ?1
       AND (lease_until IS NULL OR lease_until <= ?3)
       AND (?2 = 0 OR (paused = 0 AND next_run_at <= ?3))
    RETURNING run_no";
const ADD_RUN: &str = "
    INSERT INTO account_runs
           (connection_no, run_no, is_scheduled, started_at, added, changed, kept, rejected, bytes)
    VALUES (?1, ?2, ?3, ?4, 0, 0, 0, 0, 0)";
const FORGET_OLD: &str = "
    DELETE FROM account_runs WHERE connection_no = ?1 AND run_no <= ?2";
const KEEP: &str = "
    UPDATE accounts SET lease_until = ?3 WHERE connection_no = ?1 AND run_no = ?2";
const IS_NEWEST: &str = "
    SELECT 1 FROM accounts WHERE connection_no = ?1 AND run_no = ?2";
const RELEASE: &str = "
    UPDATE accounts
       SET lease_until = NULL, next_run_at = ?3,
           failures = CASE WHEN ?4 = 0 THEN 0 ELSE failures + 1 END
     WHERE connection_no = ?1 AND run_no = ?2";
const NOTE_CURRENT: &str = "
    UPDATE accounts
       SET current_at = (SELECT r.started_at
                           FROM account_runs r
                          WHERE r.connection_no = ?1 AND r.run_no = ?2)
     WHERE connection_no = ?1";
const NOTE_FRESH: &str = "
    UPDATE accounts
       SET fresh_at = (SELECT r.started_at
                         FROM account_runs r
                        WHERE r.connection_no = ?1 AND r.run_no = ?2)
     WHERE connection_no = ?1
       AND EXISTS (SELECT 1
                     FROM account_runs r
                    WHERE r.connection_no = ?1 AND r.run_no = ?2 AND r.is_scheduled = 1)";
const END_RUN: &str = "
    UPDATE account_runs
       SET ended_at = ?3, fault_code = ?4, fault = ?5, added = ?6, changed = ?7, kept = ?8,
           rejected = ?9, bytes = ?10
     WHERE connection_no = ?1 AND run_no = ?2";
const LIST: &str = "
    SELECT r.run_no, r.is_scheduled, r.started_at, r.ended_at, r.fault_code, r.fault, r.added,
           r.changed, r.kept, r.rejected, r.bytes
      FROM account_runs r JOIN connections n ON n.connection_no = r.connection_no
     WHERE n.connection_id = ?1
     ORDER BY r.run_no DESC
     LIMIT ?2";

/// Begins a run, if nobody else has the account.
pub(super) fn begin(
    db: &Connection,
    connection: &ConnectionId,
    start: &RunStart,
) -> StoreResult<Option<RunNo>> {
    let Some(connection_no) = connection_no(db, connection)? else {
        return Ok(None);
    };
    let is_scheduled = i64::from(start.is_scheduled);
    let values =
        params![connection_no, is_scheduled, written(start.now), written(start.lease_until)];
    let run: Option<i64> = db
        .prepare_cached(BEGIN)
        .and_then(|mut begin| begin.query_row(values, |row| row.get(0)).optional())
        .map_err(from_driver)?;
    let Some(run) = run else { return Ok(None) };
    db.execute(ADD_RUN, params![connection_no, run, is_scheduled, written(start.now)])
        .and_then(|_| db.execute(FORGET_OLD, params![connection_no, run - KEPT_RUNS]))
        .map_err(from_driver)?;
    Ok(Some(RunNo(u64::try_from(run).unwrap_or(0))))
}

/// Holds the account for longer.
pub(super) fn keep_lease(
    db: &Connection,
    connection: &ConnectionId,
    run: RunNo,
    lease_until: Timestamp,
) -> StoreResult<bool> {
    let Some(connection_no) = connection_no(db, connection)? else {
        return Ok(false);
    };
    let values = params![connection_no, stored(run.0), written(lease_until)];
    Ok(db.execute(KEEP, values).map_err(from_driver)? > 0)
}

/// Whether a run is the newest of its account, and still runs.
pub(super) fn is_newest(
    db: &Connection,
    connection: &ConnectionId,
    run: RunNo,
) -> StoreResult<bool> {
    let Some(connection_no) = connection_no(db, connection)? else {
        return Ok(false);
    };
    let found: Option<i64> = db
        .prepare_cached(IS_NEWEST)
        .and_then(|mut find| {
            find.query_row(params![connection_no, stored(run.0)], |row| row.get(0)).optional()
        })
        .map_err(from_driver)?;
    Ok(found.is_some())
}

/// Ends a run.
pub(super) fn end(
    db: &Connection,
    connection: &ConnectionId,
    run: RunNo,
    end: &RunEnd,
) -> StoreResult<bool> {
    let Some(connection_no) = connection_no(db, connection)? else {
        return Ok(false);
    };
    let failed = i64::from(end.fault.is_some());
    let number = stored(run.0);
    let released = params![connection_no, number, written(end.next_run_at), failed];
    if db.execute(RELEASE, released).map_err(from_driver)? == 0 {
        return Ok(false);
    }
    let RunCounts { added, changed, kept, rejected, bytes } = end.counts;
    let (code, message) = end.fault.clone().map(|fault| (fault.code, fault.message)).unzip();
    let values = params![
        connection_no,
        number,
        written(end.now),
        code,
        message,
        stored(added),
        stored(changed),
        stored(kept),
        stored(rejected),
        stored(bytes)
    ];
    db.execute(END_RUN, values).map_err(from_driver)?;
    if end.fault.is_none() {
        db.execute(NOTE_CURRENT, params![connection_no, number])
            .and_then(|_| db.execute(NOTE_FRESH, params![connection_no, number]))
            .map_err(from_driver)?;
    }
    Ok(true)
}

/// The newest runs.
pub(super) fn list(
    db: &Connection,
    connection: &ConnectionId,
    limit: u32,
) -> StoreResult<Vec<StoredRun>> {
    let rows: Vec<RawRun> = db
        .prepare_cached(LIST)
        .and_then(|mut list| {
            list.query_map(params![connection.as_str(), i64::from(limit)], RawRun::read)?.collect()
        })
        .map_err(from_driver)?;
    rows.into_iter().map(RawRun::checked).collect()
}

fn stored(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// A row before its values are checked.
struct RawRun {
    no: i64,
    is_scheduled: i64,
    started_at: String,
    ended_at: Option<String>,
    fault: (Option<String>, Option<String>),
    counts: [i64; 5],
}

impl RawRun {
    fn read(row: &Row<'_>) -> super::backend::driver::Result<Self> {
        Ok(Self {
            no: row.get(0)?,
            is_scheduled: row.get(1)?,
            started_at: row.get(2)?,
            ended_at: row.get(3)?,
            fault: (row.get(4)?, row.get(5)?),
            counts: [row.get(6)?, row.get(7)?, row.get(8)?, row.get(9)?, row.get(10)?],
        })
    }

    fn checked(self) -> StoreResult<StoredRun> {
        let [added, changed, kept, rejected, bytes] =
            self.counts.map(|count| u64::try_from(count).unwrap_or(0));
        let table = "account_runs";
        Ok(StoredRun {
            run_no: RunNo(u64::try_from(self.no).unwrap_or(0)),
            is_scheduled: self.is_scheduled != 0,
            started_at: cell(&self.started_at, table, "started_at", self.no)?,
            ended_at: optional_cell(self.ended_at.as_deref(), table, "ended_at", self.no)?,
            fault: self.fault.0.zip(self.fault.1).map(|(code, message)| RunFault { code, message }),
            counts: RunCounts { added, changed, kept, rejected, bytes },
        })
    }
}
