//! Packages and grants.

mod columns;
mod end;
mod load;

#[cfg(test)]
mod tests;

use super::{backend, sql};

pub(crate) use columns::{cell, optional_cell, written};
pub(crate) use end::end_for_connection;
pub(crate) use end::revoke as revoke_named;
pub(crate) use load::{every as every_package, load_package};

use async_trait::async_trait;
use backend::driver::{OptionalExtension, Transaction, insert, params};
use pdpp_contract::AccessMode;

use crate::access::grants::{GrantStore, NewGrant, NewPackage, StoredPackage};
use crate::error::{StoreError, StoreResult};
use backend::Backend;
use backend::errors::{from_driver, is_taken};
use pdpp_contract::access::{AuditEvent, GrantSelector, Revocation, TokenKind};
use sql::access::tokens::{Owned, insert_token};
use sql::audit;

const INSERT_PACKAGE: &str = "
    INSERT INTO packages (package_id, client, access_mode, created_at, expires_at)
    VALUES (?1, ?2, ?3, ?4, ?5)";

const INSERT_GRANT: &str = "
    INSERT INTO grants (grant_id, package_no, connection_id, grant_json)
    VALUES (?1, ?2, ?3, ?4)";

const CONNECTION_EXISTS: &str = "
    SELECT 1
      FROM connections
     WHERE connection_id = ?1";

#[async_trait]
impl GrantStore for Backend {
    async fn issue_package(&self, package: NewPackage, event: AuditEvent) -> StoreResult<()> {
        self.write(move |tx| {
            insert_package(tx, &package)?;
            audit::append(tx, &[event])
        })
        .await
    }

    async fn list_packages(&self) -> StoreResult<Vec<StoredPackage>> {
        self.read(|connection| load::packages(connection, &load::every(connection)?)).await
    }

    async fn find_packages(&self, what: &GrantSelector) -> StoreResult<Vec<StoredPackage>> {
        let what = what.clone();
        self.read(move |connection| {
            let numbers = load::named(connection, &what)?;
            load::packages(connection, &numbers)
        })
        .await
    }

    async fn revoke_grants(
        &self,
        what: &GrantSelector,
        event: AuditEvent,
    ) -> StoreResult<Option<Revocation>> {
        let what = what.clone();
        let name = what.to_string();
        self.write_revocation(name, move |tx| end::revoke(tx, &what, &event)).await
    }
}

/// Keeps a package with its grants and token; answers its number.
pub(super) fn insert_package(tx: &Transaction<'_>, package: &NewPackage) -> StoreResult<i64> {
    let values = params![
        package.package_id.as_str(),
        package.client.as_str(),
        mode_text(package.access_mode),
        written(package.created_at),
        package.expires_at.map(written),
    ];
    let package_no = insert(tx, INSERT_PACKAGE, "package_no", values).map_err(taken)?;
    for grant in &package.grants {
        insert_grant(tx, package_no, grant)?;
    }
    if let Some(token) = &package.token {
        insert_token(tx, token, TokenKind::Client, Owned::by_package(package_no))?;
    }
    Ok(package_no)
}

/// The connection is looked at in the same transaction: a grant for one that was just removed would
/// wait for a connection that never comes back.
fn insert_grant(tx: &Transaction<'_>, package_no: i64, grant: &NewGrant) -> StoreResult<()> {
    let connection = grant.connection_id.as_str();
    let exists = tx
        .prepare_cached(CONNECTION_EXISTS)
        .and_then(|mut statement| statement.query_row([connection], |_| Ok(())).optional())
        .map_err(from_driver)?;
    if exists.is_none() {
        return Err(StoreError::Conflict("the connection was removed meanwhile"));
    }
    let values = params![grant.grant_id.as_str(), package_no, connection, grant.grant_json];
    tx.prepare_cached(INSERT_GRANT)
        .and_then(|mut statement| statement.execute(values))
        .map_err(taken)?;
    Ok(())
}

/// A broken uniqueness rule is a conflict of the caller's, not a fault of the database.
pub(crate) fn taken(error: backend::driver::Error) -> StoreError {
    if is_taken(&error) {
        return StoreError::Conflict("the id or token is already taken");
    }
    from_driver(error)
}

fn mode_text(mode: AccessMode) -> &'static str {
    match mode {
        AccessMode::Continuous => "continuous",
        AccessMode::SingleUse => "single_use",
    }
}
