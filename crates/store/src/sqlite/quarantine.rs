//! Items an import could not take, kept with their reason.

use jiff::Timestamp;
use pdpp_contract::ConnectionId;
use rusqlite::{Connection, params};

use super::errors::from_sqlite;
use super::writes::connection_no;
use crate::error::StoreResult;
use crate::writes::QuarantinedItem;

const PUT_QUARANTINE: &str = "
    INSERT OR REPLACE INTO quarantine
           (connection_no, source, position, code, message, item, created_at)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
const COUNT_QUARANTINE: &str = "
    SELECT count(*)
      FROM quarantine q JOIN connections n ON n.connection_no = q.connection_no
     WHERE n.connection_id = ?1";

/// Keeps items; the same place of the same source is kept once.
pub(super) fn keep(
    db: &Connection,
    connection: &ConnectionId,
    items: &[QuarantinedItem],
    now: Timestamp,
) -> StoreResult<()> {
    let Some(connection_no) = connection_no(db, connection)? else {
        return Ok(());
    };
    let mut put = db.prepare_cached(PUT_QUARANTINE).map_err(from_sqlite)?;
    let now = now.to_string();
    for item in items {
        let position = i64::try_from(item.position).unwrap_or(i64::MAX);
        let (code, message) = (item.code.as_str(), &item.message);
        put.execute(params![connection_no, item.source, position, code, message, item.item, now])
            .map_err(from_sqlite)?;
    }
    Ok(())
}

/// How many items of a connection are kept.
pub(super) fn count(db: &Connection, connection: &ConnectionId) -> StoreResult<u64> {
    let count: i64 = db
        .query_row(COUNT_QUARANTINE, [connection.as_str()], |row| row.get(0))
        .map_err(from_sqlite)?;
    Ok(u64::try_from(count).unwrap_or(0))
}
