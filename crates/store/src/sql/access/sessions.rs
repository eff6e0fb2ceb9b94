//! Signed-in browsers.

use super::backend::driver::{OptionalExtension, Row, Transaction, params};
use async_trait::async_trait;
use jiff::Timestamp;

use super::backend::Backend;
use super::backend::errors::{corrupt, from_driver};
use super::grants::{cell, taken, written};
use super::sql::audit;
use crate::access::sessions::{NewSession, SessionStore};
use crate::access::tokens::TokenHash;
use crate::error::StoreResult;
use crate::opening::reserve::Reserve;
use pdpp_contract::access::{AuditEvent, StoredSession, TokenFingerprint};

const TABLE: &str = "owner_sessions";

const START: &str = "
    INSERT INTO owner_sessions (
           session_hash, fingerprint, device, created_at, authenticated_at, last_seen_at)
    VALUES (?1, ?2, ?3, ?4, ?4, ?4)";

const FIND: &str = "
    SELECT fingerprint, device, created_at, authenticated_at, last_seen_at
      FROM owner_sessions
     WHERE session_hash = ?1";

const LIST: &str = "
    SELECT fingerprint, device, created_at, authenticated_at, last_seen_at
      FROM owner_sessions
     ORDER BY created_at DESC, fingerprint";

const TOUCH: &str = "
    UPDATE owner_sessions
       SET last_seen_at = ?2
     WHERE session_hash = ?1
       AND last_seen_at < ?2";

const END: &str = "
    DELETE FROM owner_sessions
     WHERE session_hash = ?1";

const END_OTHERS: &str = "
    DELETE FROM owner_sessions
     WHERE session_hash <> ?1";

const FORGET_OLD: &str = "
    DELETE FROM owner_sessions
     WHERE created_at < ?1";

const FORGIVE: &str = "
    DELETE FROM login_failures
     WHERE who = ?1";

#[async_trait]
impl SessionStore for Backend {
    async fn start_session(&self, new: NewSession, event: AuditEvent) -> StoreResult<()> {
        // The owner signs in to end access, too.
        self.write_reserved(Reserve::Ending, move |tx| start(tx, &new, event.clone())).await
    }

    async fn find_session(&self, hash: &TokenHash) -> StoreResult<Option<StoredSession>> {
        let hash = *hash;
        self.read(move |connection| {
            let found = connection
                .prepare_cached(FIND)
                .and_then(|mut find| find.query_row([hash.as_bytes()], RawSession::read).optional())
                .map_err(from_driver)?;
            found.map(RawSession::checked).transpose()
        })
        .await
    }

    async fn touch_session(&self, hash: &TokenHash, now: Timestamp) -> StoreResult<()> {
        let hash = *hash;
        self.write(move |tx| {
            tx.execute(TOUCH, params![hash.as_bytes(), written(now)]).map_err(from_driver)?;
            Ok(())
        })
        .await
    }

    async fn end_session(&self, hash: &TokenHash, event: AuditEvent) -> StoreResult<bool> {
        let hash = *hash;
        self.write_reserved(Reserve::Ending, move |tx| Ok(end(tx, END, &hash, event.clone())? > 0))
            .await
    }

    async fn end_other_sessions(&self, keep: &TokenHash, event: AuditEvent) -> StoreResult<u64> {
        let keep = *keep;
        self.write_reserved(Reserve::Ending, move |tx| end(tx, END_OTHERS, &keep, event.clone()))
            .await
    }

    async fn sessions(&self) -> StoreResult<Vec<StoredSession>> {
        self.read(|connection| {
            let rows: Vec<RawSession> = connection
                .prepare_cached(LIST)
                .and_then(|mut list| list.query_map([], RawSession::read)?.collect())
                .map_err(from_driver)?;
            rows.into_iter().map(RawSession::checked).collect()
        })
        .await
    }
}

fn start(tx: &Transaction<'_>, new: &NewSession, event: AuditEvent) -> StoreResult<()> {
    tx.execute(FORGET_OLD, [written(new.forget_before)]).map_err(from_driver)?;
    if let Some(old) = &new.replaces {
        tx.execute(END, [old.as_bytes()]).map_err(from_driver)?;
    }
    for who in &new.forgive {
        tx.execute(FORGIVE, [who]).map_err(from_driver)?;
    }
    let fingerprint = new.hash.fingerprint();
    let values = params![new.hash.as_bytes(), fingerprint.as_str(), new.device, written(event.at)];
    tx.execute(START, values).map_err(taken)?;
    audit::append(tx, &[event])
}

fn end(
    tx: &Transaction<'_>,
    statement: &str,
    hash: &TokenHash,
    event: AuditEvent,
) -> StoreResult<u64> {
    let ended = tx.execute(statement, [hash.as_bytes()]).map_err(from_driver)?;
    if ended > 0 {
        audit::append(tx, &[event])?;
    }
    Ok(ended as u64)
}

/// The columns of a session before they are checked.
struct RawSession {
    fingerprint: String,
    device: String,
    times: [String; 3],
}

impl RawSession {
    fn read(row: &Row<'_>) -> super::backend::driver::Result<Self> {
        Ok(Self {
            fingerprint: row.get(0)?,
            device: row.get(1)?,
            times: [row.get(2)?, row.get(3)?, row.get(4)?],
        })
    }

    fn checked(self) -> StoreResult<StoredSession> {
        let [created_at, authenticated_at, last_seen_at] = &self.times;
        let fingerprint = TokenFingerprint::parse(&self.fingerprint);
        Ok(StoredSession {
            fingerprint: fingerprint.ok_or_else(|| corrupt(TABLE, "fingerprint", 0))?,
            created_at: cell(created_at, TABLE, "created_at", 0)?,
            authenticated_at: cell(authenticated_at, TABLE, "authenticated_at", 0)?,
            last_seen_at: cell(last_seen_at, TABLE, "last_seen_at", 0)?,
            device: self.device,
        })
    }
}
