//! Reading packages back, whole.

use super::backend::driver::{Connection, Row, params};
use pdpp_contract::AccessMode;

use super::backend::errors::{corrupt, from_driver};
use super::columns::{cell, optional_cell};
use crate::access::grants::{StoredGrant, StoredPackage};
use crate::error::StoreResult;
use pdpp_contract::access::GrantSelector;

const PACKAGE: &str = "
    SELECT package_id, client, access_mode, created_at, expires_at, revoked_at,
           (SELECT max(last_used_at)
              FROM tokens
             WHERE tokens.package_no = packages.package_no)
      FROM packages
     WHERE package_no = ?1";

const GRANTS: &str = "
    SELECT grant_no, grant_id, connection_id, revoked_at, grant_json
      FROM grants
     WHERE package_no = ?1
     ORDER BY grant_no";

const EVERY: &str = "
    SELECT package_no
      FROM packages
     ORDER BY package_no";

const BY_PACKAGE: &str = "
    SELECT package_no
      FROM packages
     WHERE package_id = ?1";

const BY_GRANT: &str = "
    SELECT package_no
      FROM grants
     WHERE grant_id = ?1";

const BY_CLIENT: &str = "
    SELECT package_no
      FROM packages
     WHERE client = ?1
     ORDER BY package_no";

/// The numbers of all packages.
pub(crate) fn every(connection: &Connection) -> StoreResult<Vec<i64>> {
    numbers(connection, EVERY, None)
}

/// The numbers of the packages that hold something the selector names.
pub(crate) fn named(connection: &Connection, what: &GrantSelector) -> StoreResult<Vec<i64>> {
    match what {
        GrantSelector::Package(id) => numbers(connection, BY_PACKAGE, Some(id.as_str())),
        GrantSelector::Grant(id) => numbers(connection, BY_GRANT, Some(id.as_str())),
        GrantSelector::Client(name) => numbers(connection, BY_CLIENT, Some(name.as_str())),
    }
}

fn numbers(connection: &Connection, sql: &str, name: Option<&str>) -> StoreResult<Vec<i64>> {
    let collected = connection.prepare_cached(sql).and_then(|mut statement| {
        statement
            .query_map(super::backend::driver::params_from_iter(name), |row| row.get(0))?
            .collect()
    });
    collected.map_err(from_driver)
}

/// The packages of these numbers, in that order.
pub(crate) fn packages(
    connection: &Connection,
    numbers: &[i64],
) -> StoreResult<Vec<StoredPackage>> {
    numbers.iter().map(|number| load_package(connection, *number)).collect()
}

/// One package with its grants; the number comes from a row of this snapshot.
pub(crate) fn load_package(connection: &Connection, package_no: i64) -> StoreResult<StoredPackage> {
    let raw = connection
        .prepare_cached(PACKAGE)
        .and_then(|mut statement| statement.query_row(params![package_no], RawPackage::read))
        .map_err(from_driver)?;
    raw.checked(package_no, grants(connection, package_no)?)
}

fn grants(connection: &Connection, package_no: i64) -> StoreResult<Vec<StoredGrant>> {
    let mut statement = connection.prepare_cached(GRANTS).map_err(from_driver)?;
    let mut rows = statement.query(params![package_no]).map_err(from_driver)?;
    let mut grants = Vec::new();
    while let Some(row) = rows.next().map_err(from_driver)? {
        grants.push(RawGrant::read(row).map_err(from_driver)?.checked()?);
    }
    Ok(grants)
}

/// The columns of a package before they are checked.
struct RawPackage {
    package_id: String,
    client: String,
    access_mode: String,
    created_at: String,
    expires_at: Option<String>,
    revoked_at: Option<String>,
    last_used_at: Option<String>,
}

impl RawPackage {
    fn read(row: &Row<'_>) -> super::backend::driver::Result<Self> {
        Ok(Self {
            package_id: row.get(0)?,
            client: row.get(1)?,
            access_mode: row.get(2)?,
            created_at: row.get(3)?,
            expires_at: row.get(4)?,
            revoked_at: row.get(5)?,
            last_used_at: row.get(6)?,
        })
    }

    fn checked(self, row: i64, grants: Vec<StoredGrant>) -> StoreResult<StoredPackage> {
        const TABLE: &str = "packages";
        let time =
            |text: Option<String>, column| optional_cell(text.as_deref(), TABLE, column, row);
        Ok(StoredPackage {
            package_id: cell(&self.package_id, TABLE, "package_id", row)?,
            client: cell(&self.client, TABLE, "client", row)?,
            access_mode: mode(&self.access_mode)
                .ok_or_else(|| corrupt(TABLE, "access_mode", row))?,
            created_at: cell(&self.created_at, TABLE, "created_at", row)?,
            expires_at: time(self.expires_at, "expires_at")?,
            revoked_at: time(self.revoked_at, "revoked_at")?,
            last_used_at: time(self.last_used_at, "last_used_at")?,
            grants,
        })
    }
}

/// The columns of a grant before they are checked.
struct RawGrant {
    grant_no: i64,
    grant_id: String,
    connection_id: String,
    revoked_at: Option<String>,
    grant_json: String,
}

impl RawGrant {
    fn read(row: &Row<'_>) -> super::backend::driver::Result<Self> {
        Ok(Self {
            grant_no: row.get(0)?,
            grant_id: row.get(1)?,
            connection_id: row.get(2)?,
            revoked_at: row.get(3)?,
            grant_json: row.get(4)?,
        })
    }

    fn checked(self) -> StoreResult<StoredGrant> {
        const TABLE: &str = "grants";
        let row = self.grant_no;
        Ok(StoredGrant {
            grant_id: cell(&self.grant_id, TABLE, "grant_id", row)?,
            connection_id: cell(&self.connection_id, TABLE, "connection_id", row)?,
            revoked_at: optional_cell(self.revoked_at.as_deref(), TABLE, "revoked_at", row)?,
            grant_json: self.grant_json,
        })
    }
}

fn mode(text: &str) -> Option<AccessMode> {
    match text {
        "continuous" => Some(AccessMode::Continuous),
        "single_use" => Some(AccessMode::SingleUse),
        _ => None,
    }
}
