//! Tokens.

use super::backend::driver::{Connection, OptionalExtension, Row, Transaction, params};
use async_trait::async_trait;
use jiff::Timestamp;

use super::backend::Backend;
use super::backend::errors::{corrupt, from_driver};
use super::grants::{cell, load_package, optional_cell, taken, written};
use super::sql::audit;
use crate::access::tokens::{NewToken, StoredAccess, StoredToken, TokenHash, TokenStore};
use crate::error::StoreResult;
use crate::opening::reserve::Reserve;
use pdpp_contract::access::{AuditEvent, OwnerTokenKind, Resource, TokenFingerprint, TokenKind};

const TABLE: &str = "tokens";

const INSERT_TOKEN: &str = "
    INSERT INTO tokens (
           token_hash, fingerprint, kind, package_no, family_no, resource, label, created_at,
           expires_at)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)";

const FIND_TOKEN: &str = "
    SELECT package_no, fingerprint, kind, label, created_at, expires_at, revoked_at, last_used_at,
           resource
      FROM tokens
     WHERE token_hash = ?1";

const OWNER_TOKENS: &str = "
    SELECT package_no, fingerprint, kind, label, created_at, expires_at, revoked_at, last_used_at,
           resource
      FROM tokens
     WHERE kind IN ('owner', 'metrics')
     ORDER BY created_at, fingerprint";

const TOUCH_TOKEN: &str = "
    UPDATE tokens
       SET last_used_at = ?2
     WHERE token_hash = ?1
       AND (last_used_at IS NULL OR last_used_at < ?2)";

const COUNT_OWNER_TOKENS: &str = "
    SELECT count(*)
      FROM tokens
     WHERE kind IN ('owner', 'metrics')
       AND (fingerprint = ?1 OR label = ?1)";

const REVOKE_OWNER_TOKENS: &str = "
    UPDATE tokens
       SET revoked_at = ?2
     WHERE kind IN ('owner', 'metrics')
       AND revoked_at IS NULL
       AND (fingerprint = ?1 OR label = ?1)";

#[async_trait]
impl TokenStore for Backend {
    async fn find_access(&self, hash: &TokenHash) -> StoreResult<Option<StoredAccess>> {
        self.check_serving()?;
        let hash = *hash;
        self.glance(move |connection| find_access(connection, &hash)).await
    }

    async fn touch_token(&self, hash: &TokenHash, now: Timestamp) -> StoreResult<()> {
        let hash = *hash;
        self.write(move |tx| {
            tx.prepare_cached(TOUCH_TOKEN)
                .and_then(|mut touch| touch.execute(params![hash.as_bytes(), written(now)]))
                .map_err(from_driver)?;
            Ok(())
        })
        .await
    }

    async fn add_owner_token(
        &self,
        kind: OwnerTokenKind,
        token: NewToken,
        event: AuditEvent,
    ) -> StoreResult<()> {
        self.write(move |tx| {
            insert_token(tx, &token, kind.into(), Owned::default())?;
            audit::append(tx, &[event])
        })
        .await
    }

    async fn owner_tokens(&self) -> StoreResult<Vec<StoredToken>> {
        self.read(|connection| {
            let mut statement = connection.prepare_cached(OWNER_TOKENS).map_err(from_driver)?;
            let mut rows = statement.query([]).map_err(from_driver)?;
            let mut tokens = Vec::new();
            while let Some(row) = rows.next().map_err(from_driver)? {
                let raw = RawToken::read(row).map_err(from_driver)?;
                tokens.push(raw.checked(connection)?.token);
            }
            Ok(tokens)
        })
        .await
    }

    async fn revoke_owner_tokens(&self, what: &str, event: AuditEvent) -> StoreResult<Option<u64>> {
        let what = what.to_owned();
        self.write_reserved(Reserve::Ending, move |tx| {
            revoke_owner_tokens(tx, &what, event.clone())
        })
        .await
    }
}

/// What a token belongs to.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Owned {
    package_no: Option<i64>,
    family_no: Option<i64>,
    resource: Option<Resource>,
}

impl Owned {
    /// A package alone: made at the command line, good for every resource.
    pub(super) fn by_package(package_no: i64) -> Self {
        Self { package_no: Some(package_no), ..Self::default() }
    }

    /// A family, good for its resource.
    pub(super) fn by_family(package_no: i64, family_no: i64, resource: Resource) -> Self {
        let (package_no, family_no) = (Some(package_no), Some(family_no));
        Self { package_no, family_no, resource: Some(resource) }
    }
}

/// Keeps a token; called by whoever issues what it opens, in the same transaction.
pub(super) fn insert_token(
    tx: &Transaction<'_>,
    token: &NewToken,
    kind: TokenKind,
    owned: Owned,
) -> StoreResult<()> {
    let fingerprint = token.hash.fingerprint();
    let values = params![
        token.hash.as_bytes(),
        fingerprint.as_str(),
        kind.as_str(),
        owned.package_no,
        owned.family_no,
        owned.resource.map(Resource::as_str),
        token.label.as_ref().map(AsRef::<str>::as_ref),
        written(token.created_at),
        token.expires_at.map(written),
    ];
    tx.prepare_cached(INSERT_TOKEN)
        .and_then(|mut statement| statement.execute(values))
        .map_err(taken)?;
    Ok(())
}

fn find_access(connection: &Connection, hash: &TokenHash) -> StoreResult<Option<StoredAccess>> {
    let found = connection
        .prepare_cached(FIND_TOKEN)
        .and_then(|mut find| find.query_row(params![hash.as_bytes()], RawToken::read).optional())
        .map_err(from_driver)?;
    found.map(|raw| raw.checked(connection)).transpose()
}

fn revoke_owner_tokens(
    tx: &Transaction<'_>,
    what: &str,
    event: AuditEvent,
) -> StoreResult<Option<u64>> {
    let named: i64 = tx
        .prepare_cached(COUNT_OWNER_TOKENS)
        .and_then(|mut count| count.query_row([what], |row| row.get(0)))
        .map_err(from_driver)?;
    if named == 0 {
        return Ok(None);
    }
    let ended = tx
        .prepare_cached(REVOKE_OWNER_TOKENS)
        .and_then(|mut revoke| revoke.execute(params![what, written(event.at)]))
        .map_err(from_driver)?;
    if ended > 0 {
        audit::append(tx, &[event])?;
    }
    Ok(Some(ended as u64))
}

/// The columns of a token before they are checked.
struct RawToken {
    package_no: Option<i64>,
    fingerprint: String,
    kind: String,
    label: Option<String>,
    created_at: String,
    expires_at: Option<String>,
    revoked_at: Option<String>,
    last_used_at: Option<String>,
    resource: Option<String>,
}

impl RawToken {
    fn read(row: &Row<'_>) -> super::backend::driver::Result<Self> {
        Ok(Self {
            package_no: row.get(0)?,
            fingerprint: row.get(1)?,
            kind: row.get(2)?,
            label: row.get(3)?,
            created_at: row.get(4)?,
            expires_at: row.get(5)?,
            revoked_at: row.get(6)?,
            last_used_at: row.get(7)?,
            resource: row.get(8)?,
        })
    }

    /// Tokens have no row number of their own; a damaged one is named by its package's.
    fn checked(self, connection: &Connection) -> StoreResult<StoredAccess> {
        let row = self.package_no.unwrap_or(0);
        let time =
            |text: Option<String>, column| optional_cell(text.as_deref(), TABLE, column, row);
        let package = self.package_no.map(|number| load_package(connection, number)).transpose()?;
        let fingerprint = TokenFingerprint::parse(&self.fingerprint);
        let token = StoredToken {
            fingerprint: fingerprint.ok_or_else(|| corrupt(TABLE, "fingerprint", row))?,
            kind: kind(&self.kind).ok_or_else(|| corrupt(TABLE, "kind", row))?,
            package_id: package.as_ref().map(|package| package.package_id.clone()),
            label: optional_cell(self.label.as_deref(), TABLE, "label", row)?,
            created_at: cell(&self.created_at, TABLE, "created_at", row)?,
            expires_at: time(self.expires_at, "expires_at")?,
            revoked_at: time(self.revoked_at, "revoked_at")?,
            last_used_at: time(self.last_used_at, "last_used_at")?,
            resource: optional_cell(self.resource.as_deref(), TABLE, "resource", row)?,
        };
        Ok(StoredAccess { token, package })
    }
}

fn kind(text: &str) -> Option<TokenKind> {
    match text {
        "client" => Some(TokenKind::Client),
        "owner" => Some(TokenKind::Owner),
        "metrics" => Some(TokenKind::Metrics),
        _ => None,
    }
}
