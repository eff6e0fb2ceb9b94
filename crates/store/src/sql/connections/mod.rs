//! Connections and declarations.

pub(crate) mod collection;
pub(crate) mod declarations;
pub(crate) mod projection;
pub(crate) mod quarantine;
mod remove;
pub(crate) mod reproject;
mod row;
pub(crate) mod time_fields;
pub(crate) mod width;

use super::{backend, sql};

use async_trait::async_trait;
use backend::driver::{Connection as Db, OptionalExtension, insert, params};
use jiff::Timestamp;
use pdpp_contract::ConnectionId;
use pdpp_contract::declaration::{SourceDeclaration, StreamDeclaration};
use pdpp_contract::ids::DisplayName;
use sha2::{Digest, Sha256};

use crate::error::{StoreError, StoreResult};
use crate::numbers::{CollectionNo, ConnectionNo};
use crate::records::connections::{
    Connection, ConnectionDirectory, ConnectionRef, ConnectionStore, DeclarationDigest, Erased,
    NewConnection,
};
use backend::Backend;
use backend::errors::{corrupt, from_driver};
use collection::Shape;
use projection::ensure_projection;
use row::{COLUMNS, RawConnection, complete, find, id_of, number_of, read_row};

const ADD_DECLARATION: &str = "
    INSERT INTO declarations (digest, connector_key, json) VALUES (?1, ?2, ?3)
    ON CONFLICT (digest) DO NOTHING";
const FIND_DECLARATION: &str = "
    SELECT declaration_no FROM declarations WHERE digest = ?1";
const ADD_CONNECTION: &str = "
    INSERT INTO connections
           (connection_id, name, display_name, connector_key, declaration_no, created_at)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
const UPDATE_CONNECTION: &str = "
    UPDATE connections
       SET declaration_no = ?2, display_name = coalesce(?3, display_name)
     WHERE connection_no = ?1";
const RENAME: &str = "
    UPDATE connections SET display_name = ?2 WHERE connection_id = ?1";
const FIND_STREAM: &str = "
    SELECT collection_no, projection_no FROM collections WHERE connection_no = ?1 AND stream = ?2";
const ADD_COLLECTION: &str = "
    INSERT INTO collections (connection_no, stream, projection_no) VALUES (?1, ?2, ?3)";
/// Connections that are looked up where the caller stands.
const A_GLANCE: usize = 8;
/// The declaration a stream was described by, if it ever had a record.
const LAST_DESCRIBED: &str = "
    SELECT c.stream, d.json
      FROM collections c JOIN declarations d ON d.declaration_no = c.declaration_no
     WHERE c.collection_no = ?1
       AND EXISTS (SELECT 1 FROM record_keys k WHERE k.collection_no = c.collection_no)";
const DESCRIBE_COLLECTION: &str = "
    UPDATE collections
       SET declaration_no = (SELECT n.declaration_no FROM connections n WHERE n.connection_no = ?1)
     WHERE connection_no = ?1 AND stream = ?2";

#[async_trait]
impl ConnectionDirectory for Backend {
    async fn find_connection(&self, which: &ConnectionRef) -> StoreResult<Option<Connection>> {
        let which = which.clone();
        self.read(move |db| find(db, &which)).await
    }

    async fn declaration(&self, digest: DeclarationDigest) -> StoreResult<Option<String>> {
        self.glance(move |db| {
            db.query_row("SELECT json FROM declarations WHERE digest = ?1", [digest.0], |row| {
                row.get(0)
            })
            .optional()
            .map_err(from_driver)
        })
        .await
    }
}

#[async_trait]
impl ConnectionStore for Backend {
    async fn ensure_connection(&self, new: NewConnection) -> StoreResult<Connection> {
        let hashing = self.secrets.hashing.clone();
        self.write(move |db| {
            let connection_no = ensure_row(db, &new)?;
            for stream in &new.declaration.streams {
                let key = new.declaration.connector_key();
                let shape = Shape::of(&new.declaration, stream);
                let wanted = ensure_projection(db, key.as_str(), stream.name.as_str(), &shape)?;
                let found: Option<(CollectionNo, i64)> = db
                    .query_row(FIND_STREAM, params![connection_no, stream.name.as_str()], |row| {
                        Ok((row.get(0)?, row.get(1)?))
                    })
                    .optional()
                    .map_err(from_driver)?;
                match found {
                    None => {
                        db.execute(
                            ADD_COLLECTION,
                            params![connection_no, stream.name.as_str(), wanted],
                        )
                        .map_err(from_driver)?;
                    }
                    Some((collection_no, _)) if keys_differ(db, collection_no, stream)? => {
                        return Err(StoreError::Conflict(
                            "a stream that holds records keeps its primary_key; declare the records \
                             with the new key as another stream",
                        ));
                    }
                    Some((_, projection)) if projection == wanted => {}
                    Some((collection_no, projection)) => {
                        let change = reproject::ProjectionChange {
                            collection_no,
                            from: projection,
                            to: wanted,
                        };
                        let wanted = reproject::Target {
                            source: &new.declaration,
                            stream,
                            hashing: &hashing,
                        };
                        reproject::move_collection(db, &change, &wanted)?;
                    }
                }
                db.execute(DESCRIBE_COLLECTION, params![connection_no, stream.name.as_str()])
                    .map_err(from_driver)?;
            }
            find(db, &ConnectionRef::Id(id_of(db, connection_no)?))?
                .ok_or_else(|| corrupt("connections", "connection_id", connection_no))
        })
        .await
    }

    async fn connections(&self, ids: &[ConnectionId]) -> StoreResult<Vec<Connection>> {
        let mut ids = ids.to_vec();
        ids.sort();
        ids.dedup();
        let is_short = ids.len() <= A_GLANCE;
        let find_all = move |db: &Db| {
            let found = ids.into_iter().map(|id| find(db, &ConnectionRef::Id(id)));
            Ok(found.collect::<StoreResult<Vec<_>>>()?.into_iter().flatten().collect())
        };
        if is_short { self.glance(find_all).await } else { self.read(find_all).await }
    }

    async fn list_connections(&self) -> StoreResult<Vec<Connection>> {
        self.read(|db| {
            let sql = format!("{COLUMNS} ORDER BY n.name");
            let rows: Vec<RawConnection> = db
                .prepare_cached(&sql)
                .and_then(|mut list| list.query_map([], read_row)?.collect())
                .map_err(from_driver)?;
            rows.into_iter().map(|raw| complete(db, raw)).collect()
        })
        .await
    }

    async fn rename_connection(
        &self,
        id: &ConnectionId,
        display_name: Option<DisplayName>,
    ) -> StoreResult<bool> {
        let id = id.clone();
        self.write(move |db| {
            let label = display_name.as_ref().map(DisplayName::as_str);
            let changed = db.execute(RENAME, params![id.as_str(), label]).map_err(from_driver)?;
            Ok(changed == 1)
        })
        .await
    }

    async fn remove_connection(
        &self,
        id: &ConnectionId,
        now: Timestamp,
    ) -> StoreResult<Option<Erased>> {
        remove::remove_connection(self, id, now).await
    }
}

/// Whether a stream has records whose ids were made of other fields than it declares now.
fn keys_differ(
    db: &Db,
    collection_no: CollectionNo,
    stream: &StreamDeclaration,
) -> StoreResult<bool> {
    let described: Option<(String, String)> = db
        .query_row(LAST_DESCRIBED, [collection_no], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()
        .map_err(from_driver)?;
    let Some((name, json)) = described else {
        return Ok(false);
    };
    let before = SourceDeclaration::parse(&json)
        .map_err(|_| corrupt("declarations", "json", collection_no))?;
    Ok(before.stream(&name).is_some_and(|before| before.primary_key != stream.primary_key))
}

/// Creates or updates the row of a connection and its declaration.
fn ensure_row(db: &Db, new: &NewConnection) -> StoreResult<ConnectionNo> {
    // Named by its canonical text, kept as it was written: the order of fields is the author's.
    let canonical = new.declaration.to_canonical_json();
    let digest: [u8; 32] = Sha256::digest(canonical.as_bytes()).into();
    let json = serde_json::to_string(&new.declaration)
        .map_err(|_| corrupt("declarations", "json", 0_i64))?;
    let key = new.declaration.connector_key();
    db.execute(ADD_DECLARATION, params![digest, key.as_str(), json]).map_err(from_driver)?;
    let declaration_no: i64 =
        db.query_row(FIND_DECLARATION, [digest], |row| row.get(0)).map_err(from_driver)?;
    let label = new.display_name.as_ref().map(DisplayName::as_str);
    match find(db, &ConnectionRef::Name(new.name.clone()))? {
        Some(existing) if existing.connector_key != key => Err(StoreError::Conflict(
            "the connection name belongs to another kind of source; choose another name",
        )),
        Some(existing) => {
            let no = number_of(db, &existing.id)?;
            db.execute(UPDATE_CONNECTION, params![no, declaration_no, label])
                .map_err(from_driver)?;
            Ok(no)
        }
        None if find(db, &ConnectionRef::Id(new.id.clone()))?.is_some() => {
            Err(StoreError::Conflict("the connection id is taken; mint another one"))
        }
        None => {
            let created_at = new.now.to_string();
            let values = params![
                new.id.as_str(),
                new.name.as_str(),
                label,
                key.as_str(),
                declaration_no,
                created_at
            ];
            insert(db, ADD_CONNECTION, "connection_no", values)
                .map(ConnectionNo)
                .map_err(from_driver)
        }
    }
}
