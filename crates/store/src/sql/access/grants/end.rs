//! Ending grants: by the owner's word, or because their connection is gone.

use super::backend::driver::{Transaction, params};
use jiff::Timestamp;
use pdpp_contract::{ConnectionId, GrantId, PackageId};
use serde_json::Value;

use super::backend::errors::from_driver;
use super::columns::{cell, written};
use super::load;
use super::sql::audit;
use crate::error::StoreResult;
use pdpp_contract::access::{AuditEvent, GrantSelector, Revocation};

const LIVE_GRANTS: &str = "
    SELECT grant_no, grant_id, connection_id
      FROM grants
     WHERE package_no = ?1
       AND revoked_at IS NULL
       AND (CAST(?2 AS TEXT) IS NULL OR grant_id = ?2)
     ORDER BY grant_no";

const END_GRANT: &str = "
    UPDATE grants
       SET revoked_at = ?2
     WHERE grant_no = ?1
       AND revoked_at IS NULL";

const END_EMPTY_PACKAGE: &str = "
    UPDATE packages
       SET revoked_at = ?2
     WHERE package_no = ?1
       AND revoked_at IS NULL
       AND NOT EXISTS (SELECT 1
                         FROM grants
                        WHERE grants.package_no = packages.package_no
                          AND grants.revoked_at IS NULL)
    RETURNING package_id";

const GRANTS_OF_CONNECTION: &str = "
    SELECT grant_no, package_no, grant_json
      FROM grants
     WHERE connection_id = ?1
     ORDER BY grant_no";

const ERASE_GRANT: &str = "
    UPDATE grants
       SET grant_json = ?2
     WHERE grant_no = ?1";

/// Ends what the selector names; `None` when nothing goes by that name.
pub(crate) fn revoke(
    tx: &Transaction<'_>,
    what: &GrantSelector,
    event: &AuditEvent,
) -> StoreResult<Option<Revocation>> {
    let packages = load::named(tx, what)?;
    if packages.is_empty() {
        return Ok(None);
    }
    let mut revoked = Revocation::default();
    for package_no in packages {
        revoke_in_package(tx, package_no, what, event, &mut revoked)?;
    }
    Ok(Some(revoked))
}

fn revoke_in_package(
    tx: &Transaction<'_>,
    package_no: i64,
    what: &GrantSelector,
    event: &AuditEvent,
    revoked: &mut Revocation,
) -> StoreResult<()> {
    let only = match what {
        GrantSelector::Grant(id) => Some(id),
        GrantSelector::Package(_) | GrantSelector::Client(_) => None,
    };
    let now = written(event.at);
    let mut event = event.clone();
    for grant in live_grants(tx, package_no, only)? {
        end_grant(tx, grant.grant_no, &now)?;
        revoked.grants.push(grant.grant_id);
        event.connection_ids.push(grant.connection_id);
    }
    let ended = end_if_empty(tx, package_no, &now)?;
    if ended.is_none() && event.connection_ids.is_empty() {
        return Ok(());
    }
    event.package_id = Some(load::load_package(tx, package_no)?.package_id);
    revoked.packages.extend(ended);
    audit::append(tx, &[event])
}

/// Ends every grant of a connection that is being removed, and every package left without a live
/// grant, and takes the record ids out of those grants. Says how many grants ended.
pub(crate) fn end_for_connection(
    tx: &Transaction<'_>,
    connection: &ConnectionId,
    now: Timestamp,
) -> StoreResult<u64> {
    let at = written(now);
    let mut ended = 0;
    for (grant_no, package_no, grant_json) in grants_of(tx, connection)? {
        ended += end_grant(tx, grant_no, &at)?;
        if let Some(erased) = without_records(&grant_json) {
            tx.prepare_cached(ERASE_GRANT)
                .and_then(|mut statement| statement.execute(params![grant_no, erased]))
                .map_err(from_driver)?;
        }
        end_if_empty(tx, package_no, &at)?;
    }
    if ended > 0 {
        let mut event = AuditEvent::by_owner(now, "connection_remove");
        event.connection_ids.push(connection.clone());
        audit::append(tx, &[event])?;
    }
    Ok(ended)
}

struct LiveGrant {
    grant_no: i64,
    grant_id: GrantId,
    connection_id: ConnectionId,
}

fn live_grants(
    tx: &Transaction<'_>,
    package_no: i64,
    only: Option<&GrantId>,
) -> StoreResult<Vec<LiveGrant>> {
    let mut statement = tx.prepare_cached(LIVE_GRANTS).map_err(from_driver)?;
    let values = params![package_no, only.map(GrantId::as_str)];
    let mut rows = statement.query(values).map_err(from_driver)?;
    let mut grants = Vec::new();
    while let Some(row) = rows.next().map_err(from_driver)? {
        let grant_no = row.get(0).map_err(from_driver)?;
        let text = |column: usize| row.get::<_, String>(column).map_err(from_driver);
        grants.push(LiveGrant {
            grant_no,
            grant_id: cell(&text(1)?, "grants", "grant_id", grant_no)?,
            connection_id: cell(&text(2)?, "grants", "connection_id", grant_no)?,
        });
    }
    Ok(grants)
}

/// How many ended: one, or none when it was ended before.
fn end_grant(tx: &Transaction<'_>, grant_no: i64, now: &str) -> StoreResult<u64> {
    let changed = tx
        .prepare_cached(END_GRANT)
        .and_then(|mut statement| statement.execute(params![grant_no, now]))
        .map_err(from_driver)?;
    Ok(changed as u64)
}

fn end_if_empty(
    tx: &Transaction<'_>,
    package_no: i64,
    now: &str,
) -> StoreResult<Option<PackageId>> {
    let mut statement = tx.prepare_cached(END_EMPTY_PACKAGE).map_err(from_driver)?;
    let mut rows = statement.query(params![package_no, now]).map_err(from_driver)?;
    let Some(row) = rows.next().map_err(from_driver)? else {
        return Ok(None);
    };
    let package_id: String = row.get(0).map_err(from_driver)?;
    cell(&package_id, "packages", "package_id", package_no).map(Some)
}

fn grants_of(
    tx: &Transaction<'_>,
    connection: &ConnectionId,
) -> StoreResult<Vec<(i64, i64, String)>> {
    let found = tx.prepare_cached(GRANTS_OF_CONNECTION).and_then(|mut statement| {
        let read =
            |row: &super::backend::driver::Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?));
        statement.query_map([connection.as_str()], read)?.collect()
    });
    found.map_err(from_driver)
}

/// The grant without record ids; `None` when it holds none.
///
/// A list of records becomes an empty one instead of going away: without it the grant would read as
/// if it had opened everything, and a grant with an empty list can never be used again.
fn without_records(grant_json: &str) -> Option<String> {
    let Ok(mut grant) = serde_json::from_str::<Value>(grant_json) else {
        // Nobody can tell what such a text holds, so nothing of it stays.
        return Some("{}".to_owned());
    };
    let streams = grant.get_mut("streams").and_then(Value::as_array_mut)?;
    let lists = streams.iter_mut().filter_map(|stream| stream.get_mut("resources"));
    let mut found = false;
    for list in lists {
        *list = Value::Array(Vec::new());
        found = true;
    }
    found.then(|| grant.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn record_ids_leave_a_grant_and_the_rest_stays_as_it_was() {
        let grant =
            r#"{"version":"0.1.0","streams":[{"name":"a","resources":["secret-1"]},{"name":"b"}]}"#;
        let erased = without_records(grant).unwrap();
        let expected =
            r#"{"version":"0.1.0","streams":[{"name":"a","resources":[]},{"name":"b"}]}"#;
        assert_eq!(erased, expected);
        assert_eq!(without_records(r#"{"streams":[{"name":"b"}]}"#), None);
        assert_eq!(without_records("secret-1").unwrap(), "{}");
    }
}
