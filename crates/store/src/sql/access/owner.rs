//! The owner's password, first link, wrong guesses and settings.

use super::backend::driver::{Connection, OptionalExtension, Transaction, params};
use async_trait::async_trait;
use jiff::{SignedDuration, Timestamp};

use super::backend::Backend;
use super::backend::errors::from_driver;
use super::grants::{cell, written};
use super::sql::audit;
use crate::access::owner::{LoginFailures, NewPassword, OwnerStore};
use crate::access::tokens::TokenHash;
use crate::error::StoreResult;
use crate::opening::reserve::Reserve;
use pdpp_contract::access::AuditEvent;

/// A name that has not guessed for so long starts anew.
const FAILURES_KEPT: SignedDuration = SignedDuration::from_hours(24);

const PASSWORD: &str = "
    SELECT password_hash
      FROM owner_credential
     WHERE only_row = 1";

const SET_PASSWORD: &str = "
    INSERT INTO owner_credential (only_row, password_hash, set_at)
    VALUES (1, ?1, ?2)
        ON CONFLICT (only_row) DO UPDATE SET password_hash = ?1, set_at = ?2";

const OFFER_SETUP: &str = "
    INSERT INTO owner_setup (only_row, code_hash, expires_at)
    VALUES (1, ?1, ?2)
        ON CONFLICT (only_row) DO UPDATE SET code_hash = ?1, expires_at = ?2";

const SETUP: &str = "
    SELECT expires_at
      FROM owner_setup
     WHERE code_hash = ?1";

const FORGET_SETUP: &str = "DELETE FROM owner_setup";

const END_SESSIONS: &str = "
    DELETE FROM owner_sessions
     WHERE session_hash <> ?1 OR ?1 IS NULL";

const FAILURES: &str = "
    SELECT count, last_at
      FROM login_failures
     WHERE who = ?1";

const COUNT_FAILURE: &str = "
    INSERT INTO login_failures (who, count, last_at)
    VALUES (?1, 1, ?2)
        ON CONFLICT (who) DO UPDATE SET count = login_failures.count + 1, last_at = ?2";

const FORGET_OLD_FAILURES: &str = "
    DELETE FROM login_failures
     WHERE last_at < ?1";

const FORGET_FAILURES: &str = "DELETE FROM login_failures";

const SETTINGS: &str = "
    SELECT name, value
      FROM settings
     ORDER BY name";

const SET_SETTING: &str = "
    INSERT INTO settings (name, value)
    VALUES (?1, ?2)
        ON CONFLICT (name) DO UPDATE SET value = ?2";

#[async_trait]
impl OwnerStore for Backend {
    async fn password_hash(&self) -> StoreResult<Option<String>> {
        self.read(password).await
    }

    async fn set_password(&self, new: NewPassword, event: AuditEvent) -> StoreResult<bool> {
        self.write(move |tx| set_password(tx, &new, event)).await
    }

    async fn offer_setup(&self, code: &TokenHash, expires_at: Timestamp) -> StoreResult<bool> {
        let code = *code;
        // A server starts on a full disk, too.
        self.write_reserved(Reserve::Ending, move |tx| {
            if password(tx)?.is_some() {
                return Ok(false);
            }
            let values = params![code.as_bytes(), written(expires_at)];
            tx.execute(OFFER_SETUP, values).map_err(from_driver)?;
            Ok(true)
        })
        .await
    }

    async fn setup_expires_at(&self, code: &TokenHash) -> StoreResult<Option<Timestamp>> {
        let code = *code;
        self.read(move |connection| setup_end(connection, &code)).await
    }

    async fn login_failures(&self, who: &str) -> StoreResult<Option<LoginFailures>> {
        let who = who.to_owned();
        self.read(move |connection| failures(connection, &who)).await
    }

    async fn note_login_failure(&self, who: &[&str], event: AuditEvent) -> StoreResult<()> {
        let who: Vec<String> = who.iter().map(ToString::to_string).collect();
        self.write(move |tx| {
            if let Ok(before) = event.at.checked_sub(FAILURES_KEPT) {
                tx.execute(FORGET_OLD_FAILURES, [written(before)]).map_err(from_driver)?;
            }
            for name in &who {
                let values = params![name, written(event.at)];
                tx.execute(COUNT_FAILURE, values).map_err(from_driver)?;
            }
            audit::append(tx, &[event])
        })
        .await
    }

    async fn settings(&self) -> StoreResult<Vec<(String, String)>> {
        self.read(|connection| {
            connection
                .prepare_cached(SETTINGS)
                .and_then(|mut list| {
                    list.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
                })
                .map_err(from_driver)
        })
        .await
    }

    async fn set_setting(&self, name: &str, value: &str, event: AuditEvent) -> StoreResult<()> {
        let (name, value) = (name.to_owned(), value.to_owned());
        self.write(move |tx| {
            tx.execute(SET_SETTING, [name, value]).map_err(from_driver)?;
            audit::append(tx, &[event])
        })
        .await
    }
}

fn password(connection: &Connection) -> StoreResult<Option<String>> {
    connection
        .prepare_cached(PASSWORD)
        .and_then(|mut find| find.query_row([], |row| row.get(0)).optional())
        .map_err(from_driver)
}

fn setup_end(connection: &Connection, code: &TokenHash) -> StoreResult<Option<Timestamp>> {
    if password(connection)?.is_some() {
        return Ok(None);
    }
    let end: Option<String> = connection
        .query_row(SETUP, [code.as_bytes()], |row| row.get(0))
        .optional()
        .map_err(from_driver)?;
    end.map(|end| cell(&end, "owner_setup", "expires_at", 1)).transpose()
}

fn set_password(tx: &Transaction<'_>, new: &NewPassword, event: AuditEvent) -> StoreResult<bool> {
    if let Some(code) = &new.setup
        && setup_end(tx, code)?.is_none_or(|end| end <= event.at)
    {
        return Ok(false);
    }
    let kept = new.keep_session.as_ref().map(TokenHash::as_bytes);
    tx.execute(SET_PASSWORD, params![new.password_hash, written(event.at)])
        .and_then(|_| tx.execute(FORGET_SETUP, []))
        .and_then(|_| tx.execute(END_SESSIONS, params![kept]))
        .and_then(|_| tx.execute(FORGET_FAILURES, []))
        .map_err(from_driver)?;
    audit::append(tx, &[event])?;
    Ok(true)
}

fn failures(connection: &Connection, who: &str) -> StoreResult<Option<LoginFailures>> {
    let row: Option<(u32, String)> = connection
        .prepare_cached(FAILURES)
        .and_then(|mut find| find.query_row([who], |row| Ok((row.get(0)?, row.get(1)?))).optional())
        .map_err(from_driver)?;
    row.map(|(count, last_at)| {
        Ok(LoginFailures { count, last_at: cell(&last_at, "login_failures", "last_at", 0)? })
    })
    .transpose()
}
