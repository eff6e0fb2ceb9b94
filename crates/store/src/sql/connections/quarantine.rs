//! Items an import could not take, kept with their reason.

use super::backend::driver::{Connection, Row, params};
use jiff::Timestamp;
use pdpp_contract::import::{Rejected, RejectedItem};
use pdpp_contract::{ConnectionId, ErrorCode};

use super::backend::errors::from_driver;
use super::sql::write::connection_no;
use super::sql::write::record::run;
use crate::error::StoreResult;
use crate::writes::HeldItem;

const DROP_SAME_PLACE: &str = "
    DELETE FROM quarantine WHERE connection_no = ?1 AND source = ?2 AND position = ?3";
const PUT_QUARANTINE: &str = "
    INSERT INTO quarantine
           (connection_no, source, position, code, message, item, created_at)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
const LIST_QUARANTINE: &str = "
    SELECT item_no, source, position, code, message, item
      FROM quarantine
     WHERE connection_no = ?1 AND item_no > ?2
     ORDER BY item_no
     LIMIT ?3";
const RELEASE_QUARANTINE: &str = "
    DELETE FROM quarantine WHERE connection_no = ?1 AND item_no = ?2";
const COUNT_QUARANTINE: &str = "
    SELECT count(*)
      FROM quarantine q JOIN connections n ON n.connection_no = q.connection_no
     WHERE n.connection_id = ?1";

/// Keeps items; the same place of the same source is kept once.
pub(crate) fn keep(
    db: &Connection,
    connection: &ConnectionId,
    items: &[RejectedItem],
    now: Timestamp,
) -> StoreResult<()> {
    let Some(connection_no) = connection_no(db, connection)? else {
        return Ok(());
    };
    let now = now.to_string();
    for RejectedItem { source, position, rejected } in items {
        let position = i64::try_from(*position).unwrap_or(i64::MAX);
        let Rejected { code, message, item } = rejected;
        let code = code.as_str();
        run(db, DROP_SAME_PLACE, params![connection_no, source, position])?;
        let values = params![connection_no, source, position, code, message, item, now];
        run(db, PUT_QUARANTINE, values)?;
    }
    Ok(())
}

/// How many items of a connection are kept.
pub(crate) fn count(db: &Connection, connection: &ConnectionId) -> StoreResult<u64> {
    let count: i64 = db
        .query_row(COUNT_QUARANTINE, [connection.as_str()], |row| row.get(0))
        .map_err(from_driver)?;
    Ok(u64::try_from(count).unwrap_or(0))
}

/// Items after a number, in order.
pub(crate) fn list(
    db: &Connection,
    connection: &ConnectionId,
    after: u64,
    limit: u32,
) -> StoreResult<Vec<HeldItem>> {
    let Some(connection_no) = connection_no(db, connection)? else {
        return Ok(Vec::new());
    };
    let after = i64::try_from(after).unwrap_or(i64::MAX);
    let mut list = db.prepare_cached(LIST_QUARANTINE).map_err(from_driver)?;
    let rows = list.query_map(params![connection_no, after, limit], held).map_err(from_driver)?;
    rows.collect::<Result<_, _>>().map_err(from_driver)
}

/// Lets items go.
pub(crate) fn release(
    db: &Connection,
    connection: &ConnectionId,
    numbers: &[u64],
) -> StoreResult<u64> {
    let Some(connection_no) = connection_no(db, connection)? else {
        return Ok(0);
    };
    let mut release = db.prepare_cached(RELEASE_QUARANTINE).map_err(from_driver)?;
    let mut released = 0;
    for number in numbers {
        let number = i64::try_from(*number).unwrap_or(i64::MAX);
        let gone = release.execute(params![connection_no, number]).map_err(from_driver)?;
        released += u64::try_from(gone).unwrap_or(0);
    }
    Ok(released)
}

fn held(row: &Row<'_>) -> super::backend::driver::Result<HeldItem> {
    let code: String = row.get(3)?;
    // A code of an earlier version that is gone since then is still a refused record.
    let known = ErrorCode::ALL.iter().copied().find(|known| known.as_str() == code);
    let item = RejectedItem {
        source: row.get(1)?,
        position: u64::try_from(row.get::<_, i64>(2)?).unwrap_or(0),
        rejected: Rejected {
            code: known.unwrap_or(ErrorCode::InvalidRecord),
            message: row.get(4)?,
            item: row.get(5)?,
        },
    };
    Ok(HeldItem { number: u64::try_from(row.get::<_, i64>(0)?).unwrap_or(0), item })
}
