//! One connection as it stands in its row.

use super::backend::driver::{Connection as Db, OptionalExtension, Row};
use pdpp_contract::ids::DisplayName;
use pdpp_contract::{ConnectionId, ConnectionName, ConnectorKey, StreamName};

use super::backend::errors::{corrupt, from_driver};
use crate::error::StoreResult;
use crate::numbers::ConnectionNo;
use crate::records::connections::{Connection, ConnectionRef, DeclarationDigest, StoredStream};

/// What a connection is read from.
pub(crate) const COLUMNS: &str = "
    SELECT n.connection_no, n.connection_id, n.name, n.display_name, n.connector_key, d.digest,
           n.created_at
      FROM connections n JOIN declarations d ON d.declaration_no = n.declaration_no";
const LIST_STREAMS: &str = "
    SELECT stream, record_count FROM collections WHERE connection_no = ?1 ORDER BY stream";

/// A connection's number by its id.
pub(crate) fn number_of(db: &Db, id: &ConnectionId) -> StoreResult<ConnectionNo> {
    db.query_row(
        "SELECT connection_no FROM connections WHERE connection_id = ?1",
        [id.as_str()],
        |row| row.get(0),
    )
    .map_err(from_driver)
}

/// A connection's id by its number.
pub(super) fn id_of(db: &Db, connection_no: ConnectionNo) -> StoreResult<ConnectionId> {
    let id: String = db
        .query_row(
            "SELECT connection_id FROM connections WHERE connection_no = ?1",
            [connection_no],
            |row| row.get(0),
        )
        .map_err(from_driver)?;
    ConnectionId::new(id).map_err(|_| corrupt("connections", "connection_id", connection_no))
}

/// The connection, if it exists.
pub(crate) fn find(db: &Db, which: &ConnectionRef) -> StoreResult<Option<Connection>> {
    let (column, value) = match which {
        ConnectionRef::Id(id) => ("connection_id", id.as_str()),
        ConnectionRef::Name(name) => ("name", name.as_str()),
    };
    let raw = db
        .prepare_cached(&format!("{COLUMNS} WHERE n.{column} = ?1"))
        .and_then(|mut find| find.query_row([value], read_row).optional())
        .map_err(from_driver)?;
    raw.map(|raw| complete(db, raw)).transpose()
}

/// A row before its values are checked.
pub(crate) struct RawConnection {
    no: ConnectionNo,
    id: String,
    name: String,
    display_name: Option<String>,
    connector_key: String,
    digest: [u8; 32],
    created_at: String,
}

/// Reads a row of [`COLUMNS`].
pub(super) fn read_row(row: &Row<'_>) -> super::backend::driver::Result<RawConnection> {
    Ok(RawConnection {
        no: row.get(0)?,
        id: row.get(1)?,
        name: row.get(2)?,
        display_name: row.get(3)?,
        connector_key: row.get(4)?,
        digest: row.get(5)?,
        created_at: row.get(6)?,
    })
}

/// Checks a row and adds its streams.
pub(crate) fn complete(db: &Db, raw: RawConnection) -> StoreResult<Connection> {
    let bad = |column| move |_| corrupt("connections", column, raw.no);
    let rows: Vec<(String, i64)> = db
        .prepare_cached(LIST_STREAMS)
        .and_then(|mut list| {
            list.query_map([raw.no], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
        })
        .map_err(from_driver)?;
    let stream = |(name, count): (String, i64)| {
        let name = StreamName::new(name).map_err(|_| corrupt("collections", "stream", raw.no))?;
        Ok(StoredStream { name, record_count: u64::try_from(count).unwrap_or(0) })
    };
    Ok(Connection {
        id: ConnectionId::new(raw.id).map_err(bad("connection_id"))?,
        name: ConnectionName::new(raw.name).map_err(bad("name"))?,
        display_name: raw
            .display_name
            .map(DisplayName::new)
            .transpose()
            .map_err(bad("display_name"))?,
        connector_key: ConnectorKey::new(raw.connector_key).map_err(bad("connector_key"))?,
        declaration: DeclarationDigest(raw.digest),
        created_at: raw
            .created_at
            .parse()
            .map_err(|_| corrupt("connections", "created_at", raw.no))?,
        streams: rows.into_iter().map(stream).collect::<StoreResult<_>>()?,
    })
}
