//! When agents read: calls and records by hour.

use super::backend::driver::{Connection, params};
use jiff::Timestamp;
use pdpp_contract::PackageId;

use super::backend::errors::from_driver;
use super::number;
use super::sql::access::grants::{cell, written};
use crate::error::StoreResult;
use pdpp_contract::access::ActiveHour;

const TABLE: &str = "audit_events";

/// Signing in is no read. Times are written in one form, so the first 13 characters are the hour.
const HOURS: &str = "
    SELECT package_id, substr(at, 1, 13) AS hour, count(*), CAST(sum(records_returned) AS BIGINT), max(at)
      FROM audit_events
     WHERE at >= ?1
       AND client IS NOT NULL
       AND package_id IS NOT NULL
       AND outcome = 'ok'
       AND operation NOT IN (
           'authorization_requested', 'sign_in_ended', 'token_issued', 'token_refreshed',
           'token_revoked')
       AND (package_id = ?2 OR ?2 IS NULL)
     GROUP BY package_id, hour
     ORDER BY hour, package_id";

pub(crate) fn hours(
    connection: &Connection,
    since: Timestamp,
    package: Option<&PackageId>,
) -> StoreResult<Vec<ActiveHour>> {
    let values = params![written(since), package.map(AsRef::<str>::as_ref)];
    let mut statement = connection.prepare_cached(HOURS).map_err(from_driver)?;
    let mut rows = statement.query(values).map_err(from_driver)?;
    let mut hours = Vec::new();
    while let Some(row) = rows.next().map_err(from_driver)? {
        let text = |index| row.get::<_, String>(index).map_err(from_driver);
        let count = |index| row.get::<_, i64>(index).map(number).map_err(from_driver);
        hours.push(ActiveHour {
            package_id: cell(&text(0)?, TABLE, "package_id", 0)?,
            hour: cell(&format!("{}:00:00Z", text(1)?), TABLE, "at", 0)?,
            calls: count(2)?,
            records: count(3)?,
            last_at: cell(&text(4)?, TABLE, "at", 0)?,
        });
    }
    Ok(hours)
}
