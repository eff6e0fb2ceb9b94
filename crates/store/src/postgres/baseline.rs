//! What the benchmark compares searches and aggregates with on Postgres: the plain SQL that does the
//! same, asked as its manual says, with the server's own plans.
//!
//! Behind the feature `baseline`.

use pdpp_contract::{ConnectionId, FieldName, StreamName};

use crate::Database;
use crate::error::{StoreError, StoreResult};
use crate::numbers::CollectionNo;
use crate::postgres::connection::Server;
use crate::postgres::driver::Connection;
use crate::postgres::errors::from_driver;
use crate::postgres::sql::connections::collection::{find_collection, table};

/// What a session of ours sets and a plain one does not.
const PLAIN_SETTINGS: &str = "
    RESET enable_seqscan;
    RESET enable_sort;
    RESET enable_hashjoin;
    RESET enable_mergejoin;
    RESET plan_cache_mode";
const BUILD: &str = "
    DROP TABLE IF EXISTS plain_search;
    CREATE TABLE plain_search AS
    SELECT record_no,
           to_tsvector('simple',
               coalesce(json::jsonb ->> 'subject', json::jsonb ->> 'title', '')
               || CASE WHEN strpos(json, 'WORD') > 0 THEN ' WORD' ELSE '' END) AS words
      FROM records;
    CREATE INDEX plain_search_words ON plain_search USING gin (words);
    VACUUM ANALYZE plain_search";
const RANKED: &str = "
    SELECT record_no
      FROM plain_search
     WHERE words @@ to_tsquery('simple', ?1)
     ORDER BY ts_rank(words, to_tsquery('simple', ?1)) DESC
     LIMIT 10";
const TABLES: &str = "
    SELECT CAST(CAST(oid AS regclass) AS text)
      FROM pg_class
     WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace
     ORDER BY oid";
/// Bytes of a time's key that make a bucket of 18 hours.
const BUCKET_BYTES: u32 = 7;

/// What autovacuum does sooner or later: without it a fresh store reads tables where an index does.
pub fn tidy_up(database: &Database) -> StoreResult<()> {
    let db = plain(database)?;
    let names: Vec<String> = db
        .prepare(TABLES)
        .and_then(|mut list| list.query_map([], |row| row.get(0))?.collect())
        .map_err(from_driver)?;
    for name in names {
        db.execute_batch(&format!("VACUUM ANALYZE {name}")).map_err(from_driver)?;
    }
    Ok(())
}

/// Bytes of the store's tables and indexes.
pub fn size_bytes(database: &Database) -> StoreResult<u64> {
    let sql = "
        SELECT CAST(coalesce(sum(pg_total_relation_size(oid)), 0) AS bigint)
          FROM pg_class
         WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace";
    let bytes: i64 = plain(database)?.query_row(sql, [], |row| row.get(0)).map_err(from_driver)?;
    u64::try_from(bytes).map_err(StoreError::unavailable)
}

/// A plain full-text table, ranked by `ts_rank`.
pub struct PlainRank(Connection);

impl PlainRank {
    /// Builds the table beside the store's. Each record gives a row of its title and of `word` if it
    /// holds it: ranking costs by rows that match. A word of plain letters.
    pub fn build(database: &Database, word: &'static str) -> StoreResult<Self> {
        let db = plain(database)?;
        for statement in BUILD.replace("WORD", word).split(';') {
            db.execute_batch(statement).map_err(from_driver)?;
        }
        Ok(Self(db))
    }

    /// The ten best rows for a word; says how many there are.
    pub fn ranked(&self, word: &str) -> StoreResult<usize> {
        let rows: Result<Vec<i64>, _> = self
            .0
            .prepare_cached(RANKED)
            .and_then(|mut list| list.query_map([word], |row| row.get(0))?.collect());
        rows.map(|rows| rows.len()).map_err(from_driver)
    }
}

/// Counts by time with `GROUP BY`, over the index that an aggregate walks.
pub struct PlainSums {
    db: Connection,
    statements: Vec<(String, CollectionNo)>,
}

impl PlainSums {
    /// Gets ready to count the records of some connections by the time in a field.
    pub fn open(
        database: &Database,
        connections: &[ConnectionId],
        stream: &StreamName,
        field: &FieldName,
    ) -> StoreResult<Self> {
        let db = plain(database)?;
        let mut statements = Vec::new();
        for connection in connections {
            let Some(collection) = find_collection(&db, connection, stream)? else { continue };
            let Some((at, _)) = collection.shape.column(field) else { continue };
            let table = table(collection.projection_no);
            let sql = format!(
                "SELECT substr(c{at}, 1, {BUCKET_BYTES}) AS bucket, count(*)
                   FROM {table}
                  WHERE collection_no = ?1
                  GROUP BY bucket"
            );
            statements.push((sql, collection.no));
        }
        // On the index, as the bar says; the server would otherwise choose to read the table.
        db.execute_batch("SET enable_seqscan = off; SET enable_bitmapscan = off")
            .map_err(from_driver)?;
        Ok(Self { db, statements })
    }

    /// Counts; says how many buckets and records there are.
    pub fn count(&self) -> StoreResult<(u64, u64)> {
        let (mut buckets, mut records) = (0, 0);
        for (sql, collection_no) in &self.statements {
            let rows: Result<Vec<i64>, _> = self
                .db
                .prepare_cached(sql)
                .and_then(|mut list| list.query_map([collection_no], |row| row.get(1))?.collect());
            for count in rows.map_err(from_driver)? {
                buckets += 1;
                records += u64::try_from(count).map_err(StoreError::unavailable)?;
            }
        }
        Ok((buckets, records))
    }
}

fn plain(database: &Database) -> StoreResult<Connection> {
    let db = Server::parse(database)?.connect()?;
    db.execute_batch(PLAIN_SETTINGS).map_err(from_driver)?;
    Ok(db)
}
