//! Accounts, their runs, and where their records stand.

mod rows;
mod runs;
pub(crate) mod sync;

use super::{backend, sql};

use async_trait::async_trait;
use backend::driver::{Connection, params};
use jiff::Timestamp;
use pdpp_contract::ConnectionId;

use crate::accounts::{
    AccountStore, NewAccount, RunEnd, RunNo, RunStart, StoredAccount, StoredRun,
};
use crate::error::StoreResult;
use backend::Backend;
use backend::errors::from_driver;
use sql::access::grants::written;
use sql::write::connection_no;

const ADD: &str = "
    INSERT INTO accounts
           (connection_no, kind, settings_json, credential, every_seconds, paused, created_at,
            next_run_at, failures, run_no)
    VALUES (?1, ?2, ?3, ?4, ?5, 0, ?6, ?6, 0, 0)
    ON CONFLICT (connection_no) DO NOTHING";
const PAUSE: &str = "
    UPDATE accounts
       SET paused = ?2, failures = 0, next_run_at = ?3
     WHERE connection_no = ?1";
const CHANGE: &str = "
    UPDATE accounts
       SET settings_json = ?2, credential = ?3, failures = 0, next_run_at = ?4
     WHERE connection_no = ?1";
const RESEAL: &str = "
    UPDATE accounts SET credential = ?3 WHERE connection_no = ?1 AND credential = ?2";
/// Statements that take an account away; `?1` is its connection.
const REMOVE: [&str; 4] = [
    "DELETE FROM account_items WHERE connection_no = ?1",
    "DELETE FROM account_folders WHERE connection_no = ?1",
    "DELETE FROM account_runs WHERE connection_no = ?1",
    "DELETE FROM accounts WHERE connection_no = ?1",
];

/// Takes the account of a connection away, if it has one.
pub(crate) fn remove(db: &Connection, connection: &ConnectionId) -> StoreResult<bool> {
    let Some(connection_no) = connection_no(db, connection)? else {
        return Ok(false);
    };
    let mut removed = 0;
    for statement in REMOVE {
        removed = db.execute(statement, [connection_no]).map_err(from_driver)?;
    }
    Ok(removed > 0)
}

#[async_trait]
impl AccountStore for Backend {
    async fn add_account(&self, new: NewAccount) -> StoreResult<bool> {
        self.write(move |db| {
            let Some(connection_no) = connection_no(db, &new.connection)? else {
                return Ok(false);
            };
            let every_seconds = i64::from(new.every_seconds);
            let values = params![
                connection_no,
                new.kind,
                new.settings_json,
                new.credential,
                every_seconds,
                written(new.now)
            ];
            Ok(db.execute(ADD, values).map_err(from_driver)? > 0)
        })
        .await
    }

    async fn accounts(&self) -> StoreResult<Vec<StoredAccount>> {
        self.read(rows::all).await
    }

    async fn pause_account(
        &self,
        connection: &ConnectionId,
        is_paused: bool,
        now: Timestamp,
    ) -> StoreResult<bool> {
        let connection = connection.clone();
        self.write(move |db| {
            let Some(connection_no) = connection_no(db, &connection)? else {
                return Ok(false);
            };
            let values = params![connection_no, i64::from(is_paused), written(now)];
            Ok(db.execute(PAUSE, values).map_err(from_driver)? > 0)
        })
        .await
    }

    async fn change_account(
        &self,
        connection: &ConnectionId,
        settings_json: &str,
        credential: Option<Vec<u8>>,
        now: Timestamp,
    ) -> StoreResult<bool> {
        let (connection, settings_json) = (connection.clone(), settings_json.to_owned());
        self.write(move |db| {
            let Some(connection_no) = connection_no(db, &connection)? else {
                return Ok(false);
            };
            let values = params![connection_no, settings_json, credential, written(now)];
            Ok(db.execute(CHANGE, values).map_err(from_driver)? > 0)
        })
        .await
    }

    async fn reseal_credentials(
        &self,
        sealed: Vec<(ConnectionId, Vec<u8>, Vec<u8>)>,
    ) -> StoreResult<bool> {
        self.with_writer(move |writer| {
            let db = backend::begin_write(writer)?;
            for (connection, before, after) in &sealed {
                let Some(connection_no) = connection_no(&db, connection)? else {
                    return Ok(false);
                };
                let values = params![connection_no, before, after];
                if db.execute(RESEAL, values).map_err(from_driver)? == 0 {
                    return Ok(false);
                }
            }
            db.commit().map_err(from_driver)?;
            Ok(true)
        })
        .await
    }

    async fn remove_account(&self, connection: &ConnectionId) -> StoreResult<bool> {
        let connection = connection.clone();
        self.write(move |db| remove(db, &connection)).await
    }

    async fn begin_run(
        &self,
        connection: &ConnectionId,
        start: RunStart,
    ) -> StoreResult<Option<RunNo>> {
        let connection = connection.clone();
        self.write(move |db| runs::begin(db, &connection, &start)).await
    }

    async fn keep_lease(
        &self,
        connection: &ConnectionId,
        run: RunNo,
        lease_until: Timestamp,
    ) -> StoreResult<bool> {
        let connection = connection.clone();
        self.write(move |db| runs::keep_lease(db, &connection, run, lease_until)).await
    }

    async fn end_run(
        &self,
        connection: &ConnectionId,
        run: RunNo,
        end: RunEnd,
    ) -> StoreResult<bool> {
        let connection = connection.clone();
        self.write(move |db| runs::end(db, &connection, run, &end)).await
    }

    async fn runs(&self, connection: &ConnectionId, limit: u32) -> StoreResult<Vec<StoredRun>> {
        let connection = connection.clone();
        self.read(move |db| runs::list(db, &connection, limit)).await
    }
}
