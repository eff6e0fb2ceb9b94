//! What the benchmark compares searches and aggregates with: the plain SQL that does the same.
//!
//! Behind the feature `baseline`.

use std::path::Path;

use pdpp_contract::{ConnectionId, FieldName, StreamName};
use rusqlite::{Connection, OpenFlags};

use crate::error::{StoreError, StoreResult};
use crate::numbers::CollectionNo;
use crate::records::CollectionQuery;
use crate::records::scope::CollectionScope;
use crate::sqlite::errors::from_driver;
use crate::sqlite::sql::aggregate::plan::source;
use crate::sqlite::sql::connections::collection::find_collection;
use crate::sqlite::sql::records::plan::Conditions;

/// Bytes of a time's key that make a bucket of 18 hours: its tag and all but the last two of the
/// seconds.
const BUCKET_BYTES: u32 = 7;

/// A plain full-text index, asked as its manual says.
pub struct PlainSearch(Connection);

impl PlainSearch {
    /// Builds the index in a file of its own. Each record of the store gives a row of its title and
    /// of `word` if it holds it: ranking costs by rows that match, not by words that do not.
    pub fn build(store: &Path, index: &Path, word: &str) -> StoreResult<Self> {
        let db = Connection::open(index).map_err(from_driver)?;
        db.execute_batch(
            "PRAGMA journal_mode = OFF;
             PRAGMA synchronous = OFF;
             CREATE VIRTUAL TABLE plain USING fts5 (words, content = '');",
        )
        .map_err(from_driver)?;
        db.execute("ATTACH ?1 AS sample", [store.to_string_lossy()]).map_err(from_driver)?;
        db.execute(
            "INSERT INTO plain (rowid, words)
             SELECT record_no,
                    coalesce(json_extract(json, '$.subject'), json_extract(json, '$.title'), '')
                    || CASE WHEN instr(json, ?1) THEN ' ' || ?1 ELSE '' END
               FROM sample.records",
            [word],
        )
        .map_err(from_driver)?;
        Ok(Self(db))
    }

    /// The ten best rows for a word; says how many there are.
    pub fn ranked(&self, word: &str) -> StoreResult<usize> {
        let mut list = self
            .0
            .prepare_cached("SELECT rowid FROM plain WHERE plain MATCH ?1 ORDER BY rank LIMIT 10")
            .map_err(from_driver)?;
        let rows: Result<Vec<i64>, _> =
            list.query_map([word], |row| row.get(0)).and_then(Iterator::collect);
        rows.map(|rows| rows.len()).map_err(from_driver)
    }
}

/// Counts by time with `GROUP BY`, over the index that an aggregate walks.
pub struct PlainGroups {
    db: Connection,
    statements: Vec<(String, CollectionNo)>,
}

impl PlainGroups {
    /// Gets ready to count the records of some connections by the time in a field.
    pub fn open(
        store: &Path,
        connections: &[ConnectionId],
        stream: &StreamName,
        field: &FieldName,
    ) -> StoreResult<Self> {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let db = Connection::open_with_flags(store, flags).map_err(from_driver)?;
        db.execute_batch("PRAGMA cache_size = -8000; PRAGMA temp_store = MEMORY;")
            .map_err(from_driver)?;
        let mut statements = Vec::new();
        for connection in connections {
            let Some(collection) = find_collection(&db, connection, stream)? else { continue };
            let scope = CollectionScope {
                connection: connection.clone(),
                stream: stream.clone(),
                fields: [field.clone()].into(),
                time: None,
                records: None,
                leave_out_codes: false,
                leave_out_secrets: false,
            };
            let query = CollectionQuery::default();
            let conditions = Conditions::new(&collection, &scope, &query);
            let column = collection.shape.column(field).map(|(at, _)| at);
            let Some(at) = column else { continue };
            let from = source(&collection, &conditions, column.as_slice());
            let sql = format!(
                "SELECT substr(p.c{at}, 1, {BUCKET_BYTES}) AS bucket, count(*) {from} GROUP BY bucket"
            );
            statements.push((sql, collection.no));
        }
        Ok(Self { db, statements })
    }

    /// Counts; says how many buckets and records there are.
    pub fn count(&self) -> StoreResult<(u64, u64)> {
        let (mut buckets, mut records) = (0, 0);
        for (sql, collection_no) in &self.statements {
            let mut list = self.db.prepare_cached(sql).map_err(from_driver)?;
            let mut rows = list.query([collection_no]).map_err(from_driver)?;
            while let Some(row) = rows.next().map_err(from_driver)? {
                let count: i64 = row.get(1).map_err(from_driver)?;
                buckets += 1;
                records += u64::try_from(count).map_err(StoreError::unavailable)?;
            }
        }
        Ok((buckets, records))
    }
}
