//! Opening the database: is it ours, is it new, and which numbered steps are still missing.

use tokio_postgres::{Client, Transaction};

use super::errors::from_postgres;
use crate::error::{StoreError, StoreResult};

/// The numbered steps, append-only. A released step is never edited.
const STEPS: &[&str] = &[include_str!("../../migrations/postgres/0001_records.sql")];

/// Held until the end of the transaction, so that two processes cannot interleave. The number is
/// `pdpp` in ASCII.
const LOCK: &str = "
    SELECT pg_advisory_xact_lock(1885630576)";
const IS_OURS: &str = "
    SELECT to_regclass('schema_version') IS NOT NULL";
/// Tables that an extension brought along belong to nobody.
const FOREIGN_TABLES: &str = "
    SELECT count(*)
      FROM pg_class t
     WHERE t.relnamespace = current_schema()::regnamespace
       AND t.relkind IN ('r', 'p')
       AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = t.oid AND d.deptype = 'e')";
const READ_VERSION: &str = "
    SELECT version FROM schema_version WHERE only_row = 1";
const SET_VERSION: &str = "
    UPDATE schema_version SET version = $1 WHERE only_row = 1";

/// Applies the missing steps in one transaction.
pub(super) async fn migrate(client: &mut Client) -> StoreResult<()> {
    let known = i64::try_from(STEPS.len()).unwrap_or(i64::MAX);
    let transaction = client.transaction().await.map_err(from_postgres)?;
    transaction.execute(LOCK, &[]).await.map_err(from_postgres)?;
    let found = version(&transaction).await?;
    if found > known {
        return Err(StoreError::TooNew { found, known });
    }
    for step in STEPS.iter().skip(usize::try_from(found).unwrap_or(0)) {
        transaction.batch_execute(step).await.map_err(from_postgres)?;
    }
    if found < known {
        transaction.execute(SET_VERSION, &[&known]).await.map_err(from_postgres)?;
    }
    transaction.commit().await.map_err(from_postgres)
}

/// The number of the last applied step. A schema with tables but without ours belongs to somebody
/// else.
async fn version(transaction: &Transaction<'_>) -> StoreResult<i64> {
    let ours: bool = scalar(transaction, IS_OURS).await?;
    if ours {
        return scalar(transaction, READ_VERSION).await;
    }
    let foreign: i64 = scalar(transaction, FOREIGN_TABLES).await?;
    if foreign == 0 { Ok(0) } else { Err(StoreError::NotAStore) }
}

async fn scalar<T>(transaction: &Transaction<'_>, sql: &str) -> StoreResult<T>
where
    T: for<'a> tokio_postgres::types::FromSql<'a>,
{
    let row = transaction.query_one(sql, &[]).await.map_err(from_postgres)?;
    row.try_get(0).map_err(from_postgres)
}
