//! The statements a window read consists of. Public for the gate, which has the server explain
//! exactly these.

use tokio_postgres::{Client, Statement};

use super::errors::from_postgres;
use crate::error::StoreResult;

/// The records with one key, in each of the given collections: all collections in one question.
pub const FIND_RECORDS: &str = "
    SELECT s.place, r.record_no, r.flags, r.emitted_at, k.key_order, r.json
      FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS s (connection_id, stream, place)
      JOIN connections n ON n.connection_id = s.connection_id COLLATE \"C\"
      JOIN collections c ON c.connection_no = n.connection_no
                        AND c.stream = s.stream COLLATE \"C\"
      JOIN record_keys k ON k.collection_no = c.collection_no
                        AND k.key_order = ANY ($3::bytea[])
      JOIN records r ON r.record_no = k.record_no
     ORDER BY s.place, array_position($3::bytea[], k.key_order)";

/// The text under a path of a record.
pub const FIND_TEXT: &str = "
    SELECT text_no, kind, chars, digest
      FROM texts
     WHERE record_no = $1 AND path = $2";

/// A bounded run of chunks, by their numbers.
pub const READ_CHUNKS: &str = "
    SELECT chunk_no, text
      FROM text_chunks
     WHERE chunk_no >= $1 AND chunk_no <= $2
     ORDER BY chunk_no";

/// The statements, prepared on one connection.
pub(super) struct Prepared {
    pub find_records: Statement,
    pub find_text: Statement,
    pub read_chunks: Statement,
}

impl Prepared {
    pub(super) async fn on(client: &Client) -> StoreResult<Self> {
        Ok(Self {
            find_records: client.prepare(FIND_RECORDS).await.map_err(from_postgres)?,
            find_text: client.prepare(FIND_TEXT).await.map_err(from_postgres)?,
            read_chunks: client.prepare(READ_CHUNKS).await.map_err(from_postgres)?,
        })
    }
}
