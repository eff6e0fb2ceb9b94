//! Families and refresh tokens read back from their rows.

use super::backend::driver::{Connection, OptionalExtension};

use super::backend::errors::{corrupt, from_driver};
use super::clients;
use super::sql::access::grants::{cell, load_package, optional_cell};
use crate::access::oauth::{StoredFamily, StoredRefresh};
use crate::access::tokens::TokenHash;
use crate::error::StoreResult;
use pdpp_contract::access::Resource;

const TABLE: &str = "oauth_families";
const TOKENS: &str = "oauth_refresh_tokens";

const FAMILY: &str = "
    SELECT package_no, client_no, resource, scope, security_hash, by_key, expires_at, revoked_at
      FROM oauth_families
     WHERE family_no = ?1";

const FIND_REFRESH: &str = "
    SELECT family_no, generation, expires_at, superseded_at, successor_sealed,
           EXISTS (SELECT 1
                     FROM oauth_refresh_tokens next
                    WHERE next.family_no = old.family_no
                      AND next.generation = old.generation + 1
                      AND next.superseded_at IS NULL)
      FROM oauth_refresh_tokens old
     WHERE token_hash = ?1";

/// The package of a family and what its tokens are good for.
pub(crate) fn ground(connection: &Connection, family_no: i64) -> StoreResult<(i64, Resource)> {
    let (package_no, resource): (i64, String) = connection
        .prepare_cached(FAMILY)
        .and_then(|mut find| find.query_row([family_no], |row| Ok((row.get(0)?, row.get(2)?))))
        .map_err(from_driver)?;
    let resource = resource.parse().map_err(|()| corrupt(TABLE, "resource", family_no))?;
    Ok((package_no, resource))
}

pub(super) fn find_refresh(
    connection: &Connection,
    hash: &TokenHash,
) -> StoreResult<Option<StoredRefresh>> {
    type Columns = (i64, i64, String, Option<String>, Option<Vec<u8>>, bool);
    let found: Option<Columns> = connection
        .prepare_cached(FIND_REFRESH)
        .and_then(|mut find| {
            find.query_row([hash.as_bytes()], |row| {
                let times = (row.get(2)?, row.get(3)?);
                Ok((row.get(0)?, row.get(1)?, times.0, times.1, row.get(4)?, row.get(5)?))
            })
            .optional()
        })
        .map_err(from_driver)?;
    let Some((number, generation, ends, superseded, sealed, unused)) = found else {
        return Ok(None);
    };
    let Some(family) = family(connection, number)? else { return Ok(None) };
    Ok(Some(StoredRefresh {
        family,
        generation,
        expires_at: cell(&ends, TOKENS, "expires_at", number)?,
        superseded_at: optional_cell(superseded.as_deref(), TOKENS, "superseded_at", number)?,
        successor_sealed: sealed,
        successor_unused: unused,
    }))
}

/// A family whole; none when its client was collected.
pub(crate) fn family(connection: &Connection, number: i64) -> StoreResult<Option<StoredFamily>> {
    type Columns = (i64, i64, String, String, Vec<u8>, bool, String, Option<String>);
    let found: Option<Columns> = connection
        .prepare_cached(FAMILY)
        .and_then(|mut find| {
            find.query_row([number], |row| {
                let names = (row.get(2)?, row.get(3)?, row.get(4)?, row.get(5)?);
                let times = (row.get(6)?, row.get(7)?);
                let (a, b, c, d) = names;
                Ok((row.get(0)?, row.get(1)?, a, b, c, d, times.0, times.1))
            })
            .optional()
        })
        .map_err(from_driver)?;
    let Some((package_no, client_no, resource, scope, security, by_key, ends, revoked)) = found
    else {
        return Ok(None);
    };
    let Some(client) = clients::by_number(connection, client_no)? else { return Ok(None) };
    let bad = |column| corrupt(TABLE, column, number);
    Ok(Some(StoredFamily {
        family_no: number,
        resource: resource.parse().map_err(|()| bad("resource"))?,
        scope,
        security_hash: security.try_into().map_err(|_| bad("security_hash"))?,
        by_key,
        expires_at: cell(&ends, TABLE, "expires_at", number)?,
        revoked_at: optional_cell(revoked.as_deref(), TABLE, "revoked_at", number)?,
        client,
        package: load_package(connection, package_no)?,
    }))
}
