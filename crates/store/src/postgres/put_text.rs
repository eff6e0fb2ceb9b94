//! Long text into chunks, inside the record's transaction.

use std::pin::pin;

use tokio_postgres::Transaction;
use tokio_postgres::binary_copy::BinaryCopyInWriter;
use tokio_postgres::types::Type;

use super::errors::from_postgres;
use crate::chunks::{chunks_of, kind_number};
use crate::error::StoreResult;
use crate::prepare::PreparedText;

const DROP_TEXTS: &str = "
    DELETE FROM texts WHERE record_no = $1 RETURNING text_no";
const DROP_CHUNKS: &str = "
    DELETE FROM text_chunks WHERE chunk_no >= $1 AND chunk_no < $2";
const ADD_TEXT: &str = "
    INSERT INTO texts (record_no, kind, chars, bytes, digest, path)
    VALUES ($1, $2, $3, $4, $5, $6)
    RETURNING text_no";
const ADD_CHUNKS: &str = "
    COPY text_chunks (chunk_no, text) FROM STDIN (FORMAT binary)";

/// Takes away all texts of a record.
pub(super) async fn drop_texts(transaction: &Transaction<'_>, record_no: i64) -> StoreResult<()> {
    for row in transaction.query(DROP_TEXTS, &[&record_no]).await.map_err(from_postgres)? {
        let (from, to) = chunks_of(row.try_get(0).map_err(from_postgres)?);
        transaction.execute(DROP_CHUNKS, &[&from, &to]).await.map_err(from_postgres)?;
    }
    Ok(())
}

/// Adds a text that the record does not have.
pub(super) async fn add_text(
    transaction: &Transaction<'_>,
    record_no: i64,
    text: &PreparedText,
) -> StoreResult<()> {
    let kind = kind_number(text.kind);
    let chars = i64::try_from(text.chars).unwrap_or(i64::MAX);
    let bytes = i64::try_from(text.text.len()).unwrap_or(i64::MAX);
    let digest: &[u8] = &text.digest.0;
    let path = text.path.as_bytes();
    let text_no: i64 = transaction
        .query_one(ADD_TEXT, &[&record_no, &kind, &chars, &bytes, &digest, &path])
        .await
        .and_then(|row| row.try_get(0))
        .map_err(from_postgres)?;
    let (first, _) = chunks_of(text_no);
    let sink = transaction.copy_in(ADD_CHUNKS).await.map_err(from_postgres)?;
    let mut rows = pin!(BinaryCopyInWriter::new(sink, &[Type::INT8, Type::BYTEA]));
    for (chunk_no, chunk) in (first..).zip(text.chunks()) {
        let row: [&(dyn tokio_postgres::types::ToSql + Sync); 2] = [&chunk_no, &chunk.as_bytes()];
        rows.as_mut().write(&row).await.map_err(from_postgres)?;
    }
    rows.finish().await.map_err(from_postgres)?;
    Ok(())
}
