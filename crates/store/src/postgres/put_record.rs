//! One record into its rows, in one transaction.

use pdpp_contract::{ConnectionId, StreamName};
use tokio_postgres::Transaction;

use super::connect::PostgresTexts;
use super::errors::from_postgres;
use super::put_text::{add_text, drop_texts};
use crate::error::StoreResult;
use crate::prepare::{PreparedContent, PreparedRecord};

/// A writer takes as long as its text; the reads' deadline is not for it.
const NO_DEADLINE: &str = "
    SET LOCAL statement_timeout = 0";
// The empty update makes the row's number come back whether it is new or not.
const ENSURE_CONNECTION: &str = "
    INSERT INTO connections (connection_id) VALUES ($1)
    ON CONFLICT (connection_id) DO UPDATE SET connection_id = excluded.connection_id
    RETURNING connection_no";
const ENSURE_COLLECTION: &str = "
    INSERT INTO collections (connection_no, stream) VALUES ($1, $2)
    ON CONFLICT (connection_no, stream) DO UPDATE SET stream = excluded.stream
    RETURNING collection_no";
const ENSURE_KEY: &str = "
    INSERT INTO record_keys (collection_no, key_order) VALUES ($1, $2)
    ON CONFLICT (collection_no, key_order) DO UPDATE SET key_order = excluded.key_order
    RETURNING record_no";
const PUT_RECORD: &str = "
    INSERT INTO records (record_no, collection_no, flags, emitted_at, json)
    VALUES ($1, $2, $3, $4, $5)
    ON CONFLICT (record_no) DO UPDATE
       SET flags = excluded.flags, emitted_at = excluded.emitted_at, json = excluded.json";
const DROP_RECORD: &str = "
    DELETE FROM records WHERE record_no = $1";

impl PostgresTexts {
    /// Stores a record, replacing the one with the same key, and says its number. A record without
    /// content leaves its stream. The connection and the stream are created when they are new.
    pub async fn put_record(
        &self,
        connection: &ConnectionId,
        record: &PreparedRecord,
    ) -> StoreResult<i64> {
        let mut client = self.client.lock().await;
        let transaction = client.transaction().await.map_err(from_postgres)?;
        transaction.batch_execute(NO_DEADLINE).await.map_err(from_postgres)?;
        let collection_no = ensure_collection(&transaction, connection, &record.stream).await?;
        let record_no: i64 = transaction
            .query_one(ENSURE_KEY, &[&collection_no, &record.key_order])
            .await
            .and_then(|row| row.try_get(0))
            .map_err(from_postgres)?;
        drop_texts(&transaction, record_no).await?;
        match &record.content {
            Some(content) => {
                let target = Target { record_no, collection_no, emitted_at: &record.emitted_at };
                put_content(&transaction, &target, content).await?;
            }
            None => {
                transaction.execute(DROP_RECORD, &[&record_no]).await.map_err(from_postgres)?;
            }
        }
        transaction.commit().await.map_err(from_postgres)?;
        Ok(record_no)
    }
}

async fn ensure_collection(
    transaction: &Transaction<'_>,
    connection: &ConnectionId,
    stream: &StreamName,
) -> StoreResult<i64> {
    let connection_no: i64 = transaction
        .query_one(ENSURE_CONNECTION, &[&connection.as_str()])
        .await
        .and_then(|row| row.try_get(0))
        .map_err(from_postgres)?;
    transaction
        .query_one(ENSURE_COLLECTION, &[&connection_no, &stream.as_str()])
        .await
        .and_then(|row| row.try_get(0))
        .map_err(from_postgres)
}

/// What a record is written under.
struct Target<'a> {
    record_no: i64,
    collection_no: i64,
    emitted_at: &'a str,
}

async fn put_content(
    transaction: &Transaction<'_>,
    target: &Target<'_>,
    content: &PreparedContent,
) -> StoreResult<()> {
    let Target { record_no, collection_no, emitted_at } = target;
    transaction
        .execute(PUT_RECORD, &[record_no, collection_no, &content.flags, emitted_at, &content.json])
        .await
        .map_err(from_postgres)?;
    for text in &content.texts {
        add_text(transaction, *record_no, text).await?;
    }
    Ok(())
}
