//! Families and refresh tokens.

use super::backend::driver::{OptionalExtension, Transaction, insert, params};
use async_trait::async_trait;
use jiff::Timestamp;

use super::backend::Backend;
use super::backend::errors::from_driver;
use super::execute;
use super::family_row::{family, find_refresh, ground};
use super::sql::access::grants::{taken, written};
use super::sql::access::tokens::{Owned, insert_token};
use super::sql::audit;
use crate::access::oauth::{NewRefresh, OauthFamilyStore, Rotation, TokenIssue};
use crate::access::oauth::{StoredFamily, StoredRefresh};
use crate::access::tokens::{NewToken, TokenHash};
use crate::error::StoreResult;
use crate::opening::reserve::Reserve;
use pdpp_contract::access::{AuditEvent, AuditWord, Resource, TokenKind};

const INSERT_FAMILY: &str = "
    INSERT INTO oauth_families (
           package_no, client_no, resource, scope, security_hash, by_key, created_at, expires_at)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";

const INSERT_REFRESH: &str = "
    INSERT INTO oauth_refresh_tokens (token_hash, family_no, generation, created_at, expires_at)
    VALUES (?1, ?2, ?3, ?4, ?5)";

const FAMILY_OF_ACCESS: &str = "
    SELECT family_no
      FROM tokens
     WHERE token_hash = ?1
       AND family_no IS NOT NULL";

/// The race is decided here: of two rotations of one token, one changes a row.
const SUPERSEDE: &str = "
    UPDATE oauth_refresh_tokens
       SET superseded_at = ?2, successor_sealed = ?3
     WHERE token_hash = ?1
       AND superseded_at IS NULL
       AND EXISTS (SELECT 1
                     FROM oauth_families
                    WHERE oauth_families.family_no = oauth_refresh_tokens.family_no
                      AND oauth_families.revoked_at IS NULL)
    RETURNING family_no, generation";

const USE_CLIENT: &str = "
    UPDATE oauth_clients
       SET last_used_at = ?2
     WHERE client_no = (SELECT client_no FROM oauth_families WHERE family_no = ?1)";

const END_FAMILY: &str = "
    UPDATE oauth_families
       SET revoked_at = ?2, revoked_why = ?3
     WHERE family_no = ?1
       AND revoked_at IS NULL";

const END_FAMILY_TOKENS: &str = "
    UPDATE tokens
       SET revoked_at = ?2
     WHERE family_no = ?1
       AND revoked_at IS NULL";

const END_SUCCESSORS: &str = "
    UPDATE oauth_refresh_tokens
       SET successor_sealed = NULL
     WHERE family_no = ?1";

const END_ACCESS: &str = "
    UPDATE tokens
       SET revoked_at = ?2
     WHERE token_hash = ?1
       AND kind = 'client'
       AND revoked_at IS NULL";

#[async_trait]
impl OauthFamilyStore for Backend {
    async fn find_refresh(&self, hash: &TokenHash) -> StoreResult<Option<StoredRefresh>> {
        let hash = *hash;
        self.read(move |connection| find_refresh(connection, &hash)).await
    }

    async fn find_family(&self, family_no: i64) -> StoreResult<Option<StoredFamily>> {
        self.read(move |connection| family(connection, family_no)).await
    }

    async fn family_of_access(&self, hash: &TokenHash) -> StoreResult<Option<StoredFamily>> {
        let hash = *hash;
        self.read(move |connection| {
            let number = connection
                .prepare_cached(FAMILY_OF_ACCESS)
                .and_then(|mut find| {
                    find.query_row([hash.as_bytes()], |row| row.get::<_, i64>(0)).optional()
                })
                .map_err(from_driver)?;
            number.map_or(Ok(None), |number| family(connection, number))
        })
        .await
    }

    async fn rotate_refresh(
        &self,
        hash: &TokenHash,
        rotation: Rotation,
        event: AuditEvent,
    ) -> StoreResult<bool> {
        let hash = *hash;
        self.write(move |tx| rotate(tx, &hash, &rotation, event)).await
    }

    async fn reissue_access(
        &self,
        superseded: &TokenHash,
        access: NewToken,
        event: AuditEvent,
    ) -> StoreResult<bool> {
        let hash = *superseded;
        self.write(move |tx| reissue(tx, &hash, &access, event)).await
    }

    async fn revoke_family(
        &self,
        family_no: i64,
        why: AuditWord,
        event: AuditEvent,
    ) -> StoreResult<bool> {
        self.write_reserved(Reserve::Ending, move |tx| {
            let at = written(event.at);
            let ended = execute(tx, END_FAMILY, params![family_no, at, why.as_str()])?;
            if ended == 0 {
                return Ok(false);
            }
            execute(tx, END_FAMILY_TOKENS, params![family_no, at])?;
            execute(tx, END_SUCCESSORS, [family_no])?;
            audit::append(tx, std::slice::from_ref(&event))?;
            Ok(true)
        })
        .await
    }

    async fn revoke_access(&self, hash: &TokenHash, event: AuditEvent) -> StoreResult<bool> {
        let hash = *hash;
        self.write_reserved(Reserve::Ending, move |tx| {
            let ended = execute(tx, END_ACCESS, params![hash.as_bytes(), written(event.at)])?;
            if ended > 0 {
                audit::append(tx, std::slice::from_ref(&event))?;
            }
            Ok(ended > 0)
        })
        .await
    }
}

/// Whose sign-in a family is, and for what.
pub(crate) struct Begun<'a> {
    pub package_no: i64,
    pub client_no: i64,
    pub resource: Resource,
    pub scope: &'a str,
    pub at: Timestamp,
}

/// Keeps a family with its first tokens; answers its number.
pub(crate) fn begin(
    tx: &Transaction<'_>,
    begun: &Begun<'_>,
    issue: &TokenIssue,
) -> StoreResult<i64> {
    let values = params![
        begun.package_no,
        begun.client_no,
        begun.resource.as_str(),
        begun.scope,
        issue.family.security_hash,
        issue.family.by_key,
        written(begun.at),
        written(issue.family.expires_at),
    ];
    let family_no = insert(tx, INSERT_FAMILY, "family_no", values).map_err(from_driver)?;
    if let Some(refresh) = &issue.refresh {
        insert_refresh(tx, family_no, 1, refresh)?;
    }
    let owned = Owned::by_family(begun.package_no, family_no, begun.resource);
    insert_token(tx, &issue.access, TokenKind::Client, owned)?;
    execute(tx, USE_CLIENT, params![family_no, written(begun.at)])?;
    Ok(family_no)
}

fn insert_refresh(
    tx: &Transaction<'_>,
    family_no: i64,
    generation: i64,
    refresh: &NewRefresh,
) -> StoreResult<()> {
    let values = params![
        refresh.hash.as_bytes(),
        family_no,
        generation,
        written(refresh.created_at),
        written(refresh.expires_at),
    ];
    tx.prepare_cached(INSERT_REFRESH).and_then(|mut add| add.execute(values)).map_err(taken)?;
    Ok(())
}

fn rotate(
    tx: &Transaction<'_>,
    hash: &TokenHash,
    rotation: &Rotation,
    event: AuditEvent,
) -> StoreResult<bool> {
    let values = params![hash.as_bytes(), written(event.at), rotation.sealed];
    let superseded: Option<(i64, i64)> = tx
        .prepare_cached(SUPERSEDE)
        .and_then(|mut supersede| {
            supersede.query_row(values, |row| Ok((row.get(0)?, row.get(1)?))).optional()
        })
        .map_err(from_driver)?;
    let Some((family_no, generation)) = superseded else { return Ok(false) };
    insert_refresh(tx, family_no, generation + 1, &rotation.refresh)?;
    insert_access(tx, family_no, &rotation.access)?;
    execute(tx, USE_CLIENT, params![family_no, written(event.at)])?;
    audit::append(tx, &[event])?;
    Ok(true)
}

fn reissue(
    tx: &Transaction<'_>,
    hash: &TokenHash,
    access: &NewToken,
    event: AuditEvent,
) -> StoreResult<bool> {
    let Some(found) = find_refresh(tx, hash)? else { return Ok(false) };
    if !found.successor_unused || found.family.revoked_at.is_some() {
        return Ok(false);
    }
    insert_access(tx, found.family.family_no, access)?;
    audit::append(tx, &[event])?;
    Ok(true)
}

fn insert_access(tx: &Transaction<'_>, family_no: i64, access: &NewToken) -> StoreResult<()> {
    let (package_no, resource) = ground(tx, family_no)?;
    insert_token(tx, access, TokenKind::Client, Owned::by_family(package_no, family_no, resource))
}
