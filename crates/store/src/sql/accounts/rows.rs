//! Accounts as they stand in their rows.

use super::backend::driver::{Connection, Result, Row};
use super::backend::errors::from_driver;
use super::sql::access::grants::{cell, optional_cell};
use crate::accounts::StoredAccount;
use crate::error::StoreResult;

const LIST: &str = "
    SELECT a.connection_no, n.connection_id, n.name, n.display_name, a.kind, a.settings_json,
           a.credential, a.every_seconds, a.paused, a.created_at, a.next_run_at, a.failures,
           a.current_at, a.fresh_at, a.lease_until
      FROM accounts a JOIN connections n ON n.connection_no = a.connection_no
     ORDER BY n.name";

/// Every account, by name.
pub(super) fn all(db: &Connection) -> StoreResult<Vec<StoredAccount>> {
    let rows: Vec<RawAccount> = db
        .prepare_cached(LIST)
        .and_then(|mut list| list.query_map([], RawAccount::read)?.collect())
        .map_err(from_driver)?;
    rows.into_iter().map(RawAccount::checked).collect()
}

/// A row before its values are checked.
struct RawAccount {
    no: i64,
    connection: String,
    name: String,
    display_name: Option<String>,
    kind: String,
    settings_json: String,
    credential: Option<Vec<u8>>,
    every_seconds: i64,
    paused: i64,
    created_at: String,
    next_run_at: String,
    failures: i64,
    current_at: Option<String>,
    fresh_at: Option<String>,
    lease_until: Option<String>,
}

impl RawAccount {
    fn read(row: &Row<'_>) -> Result<Self> {
        Ok(Self {
            no: row.get(0)?,
            connection: row.get(1)?,
            name: row.get(2)?,
            display_name: row.get(3)?,
            kind: row.get(4)?,
            settings_json: row.get(5)?,
            credential: row.get(6)?,
            every_seconds: row.get(7)?,
            paused: row.get(8)?,
            created_at: row.get(9)?,
            next_run_at: row.get(10)?,
            failures: row.get(11)?,
            current_at: row.get(12)?,
            fresh_at: row.get(13)?,
            lease_until: row.get(14)?,
        })
    }

    fn checked(self) -> StoreResult<StoredAccount> {
        let Self { no, .. } = self;
        let time =
            |text: &Option<String>, column| optional_cell(text.as_deref(), "accounts", column, no);
        Ok(StoredAccount {
            connection: cell(&self.connection, "connections", "connection_id", no)?,
            name: cell(&self.name, "connections", "name", no)?,
            display_name: optional_cell(
                self.display_name.as_deref(),
                "connections",
                "display_name",
                no,
            )?,
            every_seconds: u32::try_from(self.every_seconds).unwrap_or(u32::MAX),
            is_paused: self.paused != 0,
            created_at: cell(&self.created_at, "accounts", "created_at", no)?,
            next_run_at: cell(&self.next_run_at, "accounts", "next_run_at", no)?,
            failures: u32::try_from(self.failures).unwrap_or(u32::MAX),
            current_at: time(&self.current_at, "current_at")?,
            fresh_at: time(&self.fresh_at, "fresh_at")?,
            lease_until: time(&self.lease_until, "lease_until")?,
            kind: self.kind,
            settings_json: self.settings_json,
            credential: self.credential,
        })
    }
}
