//! What the benchmark compares the store with: the same file, the same rows, and nothing around them.
//!
//! Behind the feature `baseline`. Here because SQL lives nowhere else.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use rusqlite::types::Value;
use rusqlite::{Connection, OpenFlags, params_from_iter};

use crate::error::{StoreError, StoreResult};
pub use crate::postgres::baseline::{PlainRank, PlainSums, size_bytes, tidy_up};
pub use crate::sqlite::baseline::{PlainGroups, PlainSearch};
use crate::text::chunks::chunks_of;

/// Records in one transaction, as an import writes them.
const BATCH_RECORDS: i64 = 1_000;
/// Bits of an index row's number below those of its record.
const PART_BITS: u32 = 16;
/// The settings of a store's writer.
const WRITER_SETTINGS: &str = "
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = FULL;
    PRAGMA secure_delete = ON;
    PRAGMA foreign_keys = OFF;
    PRAGMA wal_autocheckpoint = 2000;
    PRAGMA cache_size = -16000;
    PRAGMA temp_store = MEMORY;";
const FIND_TEXT: &str = "
    SELECT t.text_no
      FROM record_keys k JOIN texts t ON t.record_no = k.record_no
     WHERE k.key_order = CAST(?1 AS BLOB)";
const EACH_CHUNK: &str = "
    SELECT text FROM text_chunks WHERE chunk_no >= ?1 AND chunk_no < ?2 ORDER BY chunk_no";
/// Ordinary tables with a row per record, or per part of one, and the column that says of which.
const TABLES_BY_RECORD: &str = "
    SELECT t.name, c.name
      FROM pragma_table_list t JOIN pragma_table_info(t.name) c
     WHERE t.schema = 'main' AND t.type = 'table' AND c.name IN ('record_no', 'row_no')
     ORDER BY t.name";
const COLUMNS: &str = "
    SELECT group_concat(name, ', '), count(*) FROM pragma_table_info(?1)";
const WORD_INDEXES: &str = "
    SELECT name FROM sqlite_schema WHERE sql LIKE 'CREATE VIRTUAL TABLE%fts5%'";
const TABLES_AND_INDEXES: &str = "
    SELECT name, sql FROM sqlite_schema
     WHERE sql IS NOT NULL AND name LIKE 'projection\\_%' ESCAPE '\\'
     ORDER BY rowid";
const LAST_RECORD: &str = "
    SELECT coalesce(max(record_no), 0) FROM record_keys";

/// What a walk over a text saw.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Walked {
    /// Chunks.
    pub chunks: u64,
    /// Bytes of their text.
    pub bytes: u64,
}

/// A connection that only reads, with its statements prepared.
pub struct ChunkWalker(Connection);

impl ChunkWalker {
    /// Opens a store to walk through its long texts.
    pub fn open(store: &Path) -> StoreResult<Self> {
        open_to_read(store).map(Self)
    }

    /// Reads every chunk of the one long text of the record with this key, and does nothing with it.
    pub fn walk(&self, key: &str) -> StoreResult<Walked> {
        let mut find = self.0.prepare_cached(FIND_TEXT).map_err(failed)?;
        let text_no: i64 = find.query_row([key], |row| row.get(0)).map_err(failed)?;
        let (from, to) = chunks_of(text_no);
        let mut list = self.0.prepare_cached(EACH_CHUNK).map_err(failed)?;
        let mut rows = list.query([from, to]).map_err(failed)?;
        let mut walked = Walked::default();
        while let Some(row) = rows.next().map_err(failed)? {
            let chunk = row.get_ref(0).and_then(|text| Ok(text.as_bytes()?)).map_err(failed)?;
            walked.chunks += 1;
            walked.bytes += u64::try_from(chunk.len()).unwrap_or(0);
        }
        Ok(walked)
    }
}

/// The rows and index entries of every record of a store, in memory.
pub struct Rows {
    tables: Vec<String>,
    inserts: Vec<String>,
    batches: Vec<Vec<(usize, Vec<Value>)>>,
}

/// Reads the rows of every record of a store that holds no long text.
pub fn read_rows(store: &Path) -> StoreResult<Rows> {
    let db = open_to_read(store)?;
    let tables = pairs(&db, TABLES_AND_INDEXES)?;
    let mut rows = Rows {
        tables: tables.into_iter().map(|(_, sql)| sql).collect(),
        inserts: Vec::new(),
        batches: Vec::new(),
    };
    let sources = pairs(&db, TABLES_BY_RECORD)?;
    let mut selects = Vec::new();
    for (table, column) in &sources {
        let (columns, count): (String, u16) =
            db.query_row(COLUMNS, [table], |row| Ok((row.get(0)?, row.get(1)?))).map_err(failed)?;
        let count = usize::from(count);
        let places = vec!["?"; count].join(", ");
        rows.inserts.push(format!("INSERT INTO {table} ({columns}) VALUES ({places})"));
        let shift = if column == "row_no" { PART_BITS } else { 0 };
        let sql = format!("SELECT {columns} FROM {table} WHERE {column} >= ?1 AND {column} < ?2");
        selects.push((sql, shift, count));
    }
    let words = read_words(&db, &mut rows.inserts)?;
    let last: i64 = db.query_row(LAST_RECORD, [], |row| row.get(0)).map_err(failed)?;
    let mut from = 1;
    while from <= last {
        let to = from + BATCH_RECORDS;
        let mut batch = Vec::new();
        for (table, (sql, shift, count)) in selects.iter().enumerate() {
            let mut list = db.prepare_cached(sql).map_err(failed)?;
            let each = list
                .query_map([from << shift, to << shift], |row| {
                    (0..*count).map(|at| row.get(at)).collect::<Result<Vec<Value>, _>>()
                })
                .map_err(failed)?;
            for row in each {
                batch.push((table, row.map_err(failed)?));
            }
        }
        for (index, by_row) in &words {
            let range = by_row.range((from << PART_BITS)..(to << PART_BITS));
            let entry = |(row_no, words): (&i64, &String)| {
                (*index, vec![Value::Integer(*row_no), Value::Text(words.clone())])
            };
            batch.extend(range.map(entry));
        }
        rows.batches.push(batch);
        from = to;
    }
    Ok(rows)
}

/// The words of each row of each full-text index, put together again from the index itself.
fn read_words(
    db: &Connection,
    inserts: &mut Vec<String>,
) -> StoreResult<Vec<(usize, BTreeMap<i64, String>)>> {
    let mut indexes = Vec::new();
    let names: Vec<String> = db
        .prepare(WORD_INDEXES)
        .and_then(|mut list| list.query_map([], |row| row.get(0))?.collect())
        .map_err(failed)?;
    for name in names {
        db.execute_batch(&format!(
            "CREATE VIRTUAL TABLE temp.{name}_words USING fts5vocab(main, {name}, instance)"
        ))
        .map_err(failed)?;
        let sql = format!("SELECT term, doc FROM temp.{name}_words");
        let mut list = db.prepare(&sql).map_err(failed)?;
        let mut found = list.query([]).map_err(failed)?;
        let mut by_row: HashMap<i64, String> = HashMap::new();
        while let Some(row) = found.next().map_err(failed)? {
            let term: String = row.get(0).map_err(failed)?;
            let words = by_row.entry(row.get(1).map_err(failed)?).or_default();
            words.push_str(&term);
            words.push(' ');
        }
        indexes.push((inserts.len(), by_row.into_iter().collect()));
        inserts.push(format!("INSERT INTO {name} (rowid, words) VALUES (?, ?)"));
    }
    Ok(indexes)
}

/// A store that has its tables and lacks its rows.
pub struct BareStore(Connection);

impl BareStore {
    /// Opens an empty store as its writer would, and adds the tables that belong to the rows.
    pub fn open(store: &Path, rows: &Rows) -> StoreResult<Self> {
        let db = Connection::open(store).map_err(failed)?;
        db.execute_batch(WRITER_SETTINGS).map_err(failed)?;
        for table in &rows.tables {
            db.execute_batch(table).map_err(failed)?;
        }
        Ok(Self(db))
    }

    /// Inserts every row, a thousand records in one transaction.
    pub fn insert(&mut self, rows: &Rows) -> StoreResult<()> {
        for batch in &rows.batches {
            let transaction = self.0.transaction().map_err(failed)?;
            for (table, row) in batch {
                let insert = rows.inserts.get(*table).map_or("", String::as_str);
                transaction
                    .prepare_cached(insert)
                    .and_then(|mut insert| insert.execute(params_from_iter(row)))
                    .map_err(failed)?;
            }
            transaction.commit().map_err(failed)?;
        }
        Ok(())
    }
}

fn open_to_read(store: &Path) -> StoreResult<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let db = Connection::open_with_flags(store, flags).map_err(failed)?;
    // As the store's own readers: a small cache, and no part of the file mapped into memory.
    db.execute_batch(
        "PRAGMA cache_size = -8000; PRAGMA mmap_size = 0; PRAGMA temp_store = MEMORY;",
    )
    .map_err(failed)?;
    Ok(db)
}

fn pairs(db: &Connection, sql: &str) -> StoreResult<Vec<(String, String)>> {
    db.prepare(sql)
        .and_then(|mut list| list.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect())
        .map_err(failed)
}

fn failed(error: rusqlite::Error) -> StoreError {
    StoreError::unavailable(error)
}
