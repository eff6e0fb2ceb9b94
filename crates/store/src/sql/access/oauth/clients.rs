//! Clients.

use super::backend::driver::{Connection, OptionalExtension, Row, Transaction, params};
use async_trait::async_trait;
use jiff::Timestamp;
use pdpp_contract::ClientName;

use super::backend::Backend;
use super::backend::errors::{corrupt, from_driver};
use super::execute;
use super::sql::access::grants::{cell, optional_cell, taken, written};
use crate::access::oauth::{ClientKind, NewClient, OauthClientStore, StoredClient};
use crate::error::{StoreError, StoreResult};

const TABLE: &str = "oauth_clients";

const COUNT_UNAPPROVED: &str = "
    SELECT count(*)
      FROM oauth_clients
     WHERE kind = ?1
       AND approved_at IS NULL";

/// One that asked for something goes after those that never did.
const OLDEST_UNAPPROVED: &str = "
    SELECT c.client_no
      FROM oauth_clients c
     WHERE c.kind = ?1
       AND c.approved_at IS NULL
     ORDER BY CASE WHEN EXISTS (SELECT 1 FROM oauth_requests r WHERE r.client_no = c.client_no)
                   THEN 1 ELSE 0 END, c.created_at, c.client_no
     LIMIT 1";

const INSERT_CLIENT: &str = "
    INSERT INTO oauth_clients (client_id, kind, handle, metadata_json, security_hash, created_at)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6)";

const BY_ID: &str = "
    SELECT client_no, client_id, kind, handle, metadata_json, security_hash, created_at, approved_at
      FROM oauth_clients
     WHERE client_id = ?1";

const BY_HANDLE: &str = "
    SELECT client_no, client_id, kind, handle, metadata_json, security_hash, created_at, approved_at
      FROM oauth_clients
     WHERE handle = ?1";

const BY_NUMBER: &str = "
    SELECT client_no, client_id, kind, handle, metadata_json, security_hash, created_at, approved_at
      FROM oauth_clients
     WHERE client_no = ?1";

const UPDATE_CLIENT: &str = "
    UPDATE oauth_clients
       SET metadata_json = ?2, security_hash = ?3
     WHERE client_id = ?1";

const IDLE_CLIENTS: &str = "
    SELECT client_no
      FROM oauth_clients
     WHERE ((approved_at IS NULL AND created_at < ?1)
            OR (approved_at < ?2 AND coalesce(last_used_at, approved_at) < ?2))
       AND NOT EXISTS (SELECT 1
                         FROM packages
                        WHERE packages.client = oauth_clients.handle
                          AND packages.revoked_at IS NULL)
     LIMIT 500";

const DELETE_REQUESTS: &str = "DELETE FROM oauth_requests WHERE client_no = ?1";
const DELETE_PUSHED: &str = "DELETE FROM oauth_pushed WHERE client_no = ?1";
const DELETE_CLIENT: &str = "DELETE FROM oauth_clients WHERE client_no = ?1";

#[async_trait]
impl OauthClientStore for Backend {
    async fn add_client(&self, client: NewClient, most_unapproved: u64) -> StoreResult<()> {
        self.write(move |tx| add(tx, &client, most_unapproved)).await
    }

    async fn find_client(&self, client_id: &str) -> StoreResult<Option<StoredClient>> {
        let id = client_id.to_owned();
        self.read(move |connection| find(connection, BY_ID, &id)).await
    }

    async fn find_client_by_handle(
        &self,
        handle: &ClientName,
    ) -> StoreResult<Option<StoredClient>> {
        let handle = handle.as_str().to_owned();
        self.read(move |connection| find(connection, BY_HANDLE, &handle)).await
    }

    async fn update_client(
        &self,
        client_id: &str,
        metadata_json: String,
        security_hash: [u8; 32],
    ) -> StoreResult<()> {
        let id = client_id.to_owned();
        self.write(move |tx| {
            execute(tx, UPDATE_CLIENT, params![id, metadata_json, security_hash])?;
            Ok(())
        })
        .await
    }

    async fn collect_clients(
        &self,
        unapproved_since: Timestamp,
        unused_since: Timestamp,
    ) -> StoreResult<u64> {
        self.write(move |tx| collect(tx, unapproved_since, unused_since)).await
    }
}

fn add(tx: &Transaction<'_>, client: &NewClient, most_unapproved: u64) -> StoreResult<()> {
    let waiting: i64 = tx
        .prepare_cached(COUNT_UNAPPROVED)
        .and_then(|mut count| count.query_row([kind_text(client.kind)], |row| row.get(0)))
        .map_err(from_driver)?;
    if u64::try_from(waiting).unwrap_or(u64::MAX) >= most_unapproved {
        let oldest: i64 = tx
            .prepare_cached(OLDEST_UNAPPROVED)
            .and_then(|mut find| find.query_row([kind_text(client.kind)], |row| row.get(0)))
            .map_err(from_driver)?;
        forget(tx, oldest)?;
    }
    let values = params![
        client.client_id,
        kind_text(client.kind),
        client.handle.as_str(),
        client.metadata_json,
        client.security_hash,
        written(client.created_at),
    ];
    tx.prepare_cached(INSERT_CLIENT).and_then(|mut add| add.execute(values)).map_err(taken)?;
    Ok(())
}

fn forget(tx: &Transaction<'_>, client_no: i64) -> StoreResult<()> {
    for sql in [DELETE_REQUESTS, DELETE_PUSHED, DELETE_CLIENT] {
        execute(tx, sql, [client_no])?;
    }
    Ok(())
}

fn collect(tx: &Transaction<'_>, unapproved: Timestamp, unused: Timestamp) -> StoreResult<u64> {
    let idle: Vec<i64> = tx
        .prepare_cached(IDLE_CLIENTS)
        .and_then(|mut find| {
            let rows = find.query_map([written(unapproved), written(unused)], |row| row.get(0))?;
            rows.collect()
        })
        .map_err(from_driver)?;
    for client_no in &idle {
        forget(tx, *client_no)?;
    }
    Ok(idle.len() as u64)
}

fn find(connection: &Connection, sql: &str, value: &str) -> StoreResult<Option<StoredClient>> {
    Ok(numbered(connection, sql, value)?.map(|(_, client)| client))
}

/// A client with its number, for rows that refer to it.
pub(crate) fn by_id(connection: &Connection, id: &str) -> StoreResult<(i64, StoredClient)> {
    numbered(connection, BY_ID, id)?.ok_or(StoreError::Conflict("the client is gone"))
}

/// The client of a number that another row carries; none when it was collected meanwhile.
pub(crate) fn by_number(connection: &Connection, number: i64) -> StoreResult<Option<StoredClient>> {
    let raw = connection
        .prepare_cached(BY_NUMBER)
        .and_then(|mut find| find.query_row([number], RawClient::read).optional())
        .map_err(from_driver)?;
    raw.map(|raw| Ok(raw.checked()?.1)).transpose()
}

fn numbered(
    connection: &Connection,
    sql: &str,
    value: &str,
) -> StoreResult<Option<(i64, StoredClient)>> {
    let raw = connection
        .prepare_cached(sql)
        .and_then(|mut find| find.query_row([value], RawClient::read).optional())
        .map_err(from_driver)?;
    raw.map(RawClient::checked).transpose()
}

/// The columns of a client before they are checked.
struct RawClient {
    client_no: i64,
    client_id: String,
    kind: String,
    handle: String,
    metadata_json: String,
    security_hash: Vec<u8>,
    created_at: String,
    approved_at: Option<String>,
}

impl RawClient {
    fn read(row: &Row<'_>) -> super::backend::driver::Result<Self> {
        Ok(Self {
            client_no: row.get(0)?,
            client_id: row.get(1)?,
            kind: row.get(2)?,
            handle: row.get(3)?,
            metadata_json: row.get(4)?,
            security_hash: row.get(5)?,
            created_at: row.get(6)?,
            approved_at: row.get(7)?,
        })
    }

    fn checked(self) -> StoreResult<(i64, StoredClient)> {
        let row = self.client_no;
        let bad = |column| corrupt(TABLE, column, row);
        let client = StoredClient {
            kind: kind(&self.kind).ok_or_else(|| bad("kind"))?,
            handle: cell(&self.handle, TABLE, "handle", row)?,
            security_hash: self.security_hash.try_into().map_err(|_| bad("security_hash"))?,
            created_at: cell(&self.created_at, TABLE, "created_at", row)?,
            approved_at: optional_cell(self.approved_at.as_deref(), TABLE, "approved_at", row)?,
            client_id: self.client_id,
            metadata_json: self.metadata_json,
        };
        Ok((row, client))
    }
}

fn kind_text(kind: ClientKind) -> &'static str {
    match kind {
        ClientKind::Registered => "dcr",
        ClientKind::Published => "cimd",
    }
}

fn kind(text: &str) -> Option<ClientKind> {
    match text {
        "dcr" => Some(ClientKind::Registered),
        "cimd" => Some(ClientKind::Published),
        _ => None,
    }
}
