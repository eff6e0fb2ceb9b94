//! The full check: every stored fact is derived again and compared.

use pdpp_contract::declaration::SourceDeclaration;
use pdpp_contract::{Json, JsonObject};
use rusqlite::{Connection, OptionalExtension, params};
use sha2::{Digest, Sha256};

use super::declared::table;
use super::errors::from_sqlite;
use super::reproject::{StoredRow, derive, next_rows};
use super::write_text::CHUNK_BITS;
use crate::error::StoreResult;
use crate::hashing::HashKey;
use crate::maintenance::VerifyReport;
use crate::prepare::{FLAG_TEXTS, StreamShape};

const MAX_FAULTS: usize = 100;
const LIST_COLLECTIONS: &str = "
    SELECT c.collection_no, c.projection_no, c.record_count, c.stream, n.name, d.json
      FROM collections c
      JOIN connections n ON n.connection_no = c.connection_no
      JOIN declarations d ON d.declaration_no = n.declaration_no
     ORDER BY c.collection_no";
const ORPHANS: &[(&str, &str)] = &[
    (
        "records without a key",
        "SELECT count(*) FROM records r LEFT JOIN record_keys k USING (record_no)
          WHERE k.record_no IS NULL",
    ),
    (
        "texts without a record",
        "SELECT count(*) FROM texts t LEFT JOIN records r USING (record_no)
          WHERE r.record_no IS NULL",
    ),
    (
        "chunks without a text",
        "SELECT count(*) FROM text_chunks c LEFT JOIN texts t ON t.text_no = c.chunk_no >> 24
          WHERE t.text_no IS NULL",
    ),
    (
        "versions without a key",
        "SELECT count(*) FROM versions v LEFT JOIN record_keys k USING (record_no)
          WHERE k.record_no IS NULL",
    ),
    (
        "keys whose newest version is not their last change",
        "SELECT count(*) FROM record_keys k WHERE k.change_no IS NOT
            (SELECT max(v.change_no) FROM versions v WHERE v.record_no = k.record_no)",
    ),
    (
        "changes without a version",
        "SELECT count(*) FROM changes c LEFT JOIN versions v
             ON v.record_no = c.record_no AND v.change_no = c.change_no
          WHERE v.record_no IS NULL",
    ),
    (
        "versions that the change log lacks",
        "SELECT count(*) FROM versions v JOIN record_keys k USING (record_no)
           LEFT JOIN changes c
             ON c.collection_no = k.collection_no AND c.change_no = v.change_no
          WHERE c.record_no IS NOT v.record_no",
    ),
    (
        "change numbers beyond the counter",
        "SELECT count(*) FROM record_keys WHERE change_no > (SELECT change_no FROM change_counter)",
    ),
    (
        "change numbers given twice",
        "SELECT count(*) FROM (SELECT change_no FROM versions GROUP BY change_no HAVING count(*) > 1)",
    ),
];

struct CollectionRow {
    no: i64,
    projection_no: i64,
    record_count: i64,
    stream: String,
    connection: String,
    declaration: String,
}

struct Check<'a> {
    db: &'a Connection,
    hashing: &'a HashKey,
    report: VerifyReport,
}

/// Checks the whole store.
pub(super) fn verify(db: &Connection, hashing: &HashKey) -> StoreResult<VerifyReport> {
    let mut check = Check { db, hashing, report: VerifyReport::default() };
    check.structure()?;
    check.report.connections = check.number("SELECT count(*) FROM connections")?;
    check.report.versions = check.number("SELECT count(*) FROM versions")?;
    for (what, sql) in ORPHANS {
        let count = check.number(sql)?;
        if count > 0 {
            check.fault(format!("{count} {what}"));
        }
    }
    for collection in check.collections()? {
        check.collection(&collection)?;
    }
    for fault in super::search_index::faults(db)? {
        check.fault(fault);
    }
    Ok(check.report)
}

impl Check<'_> {
    fn fault(&mut self, fault: String) {
        if self.report.faults.len() < MAX_FAULTS {
            self.report.faults.push(fault);
        }
    }

    fn number(&self, sql: &str) -> StoreResult<u64> {
        let number: i64 = self.db.query_row(sql, [], |row| row.get(0)).map_err(from_sqlite)?;
        Ok(u64::try_from(number).unwrap_or(0))
    }

    fn structure(&mut self) -> StoreResult<()> {
        let rows: Vec<String> = self
            .db
            .prepare("PRAGMA integrity_check(20)")
            .and_then(|mut check| check.query_map([], |row| row.get(0))?.collect())
            .map_err(from_sqlite)?;
        for row in rows.into_iter().filter(|row| row != "ok") {
            self.fault(format!("database structure: {row}"));
        }
        Ok(())
    }

    fn collections(&self) -> StoreResult<Vec<CollectionRow>> {
        self.db
            .prepare(LIST_COLLECTIONS)
            .and_then(|mut list| {
                list.query_map([], |row| {
                    Ok(CollectionRow {
                        no: row.get(0)?,
                        projection_no: row.get(1)?,
                        record_count: row.get(2)?,
                        stream: row.get(3)?,
                        connection: row.get(4)?,
                        declaration: row.get(5)?,
                    })
                })?
                .collect()
            })
            .map_err(from_sqlite)
    }

    fn collection(&mut self, collection: &CollectionRow) -> StoreResult<()> {
        let place = format!("{}/{}", collection.connection, collection.stream);
        let declaration = SourceDeclaration::parse(&collection.declaration);
        let Ok(declaration) = declaration else {
            self.fault(format!("{place}: the declaration cannot be read"));
            return Ok(());
        };
        let Some(stream) = declaration.stream(&collection.stream) else {
            // A stream that a later declaration dropped keeps its records; nothing to derive.
            return Ok(());
        };
        let shape = StreamShape::new(&declaration, stream);
        let (mut last, mut live) = (0, 0);
        loop {
            let rows = next_rows(self.db, collection.no, last)?;
            for row in &rows {
                last = row.record_no;
                live += 1;
                self.record(collection, &shape, row, &place)?;
            }
            if rows.is_empty() {
                break;
            }
        }
        self.report.records += u64::try_from(live).unwrap_or(0);
        let copies: i64 = self
            .db
            .query_row(
                &format!(
                    "SELECT count(*) FROM {} WHERE collection_no = ?1",
                    table(collection.projection_no)
                ),
                [collection.no],
                |row| row.get(0),
            )
            .map_err(from_sqlite)?;
        if live != collection.record_count || live != copies {
            let stated = collection.record_count;
            self.fault(format!("{place}: {live} records, {copies} typed copies, {stated} stated"));
        }
        Ok(())
    }

    fn record(
        &mut self,
        collection: &CollectionRow,
        shape: &StreamShape,
        row: &StoredRow,
        place: &str,
    ) -> StoreResult<()> {
        let no = row.record_no;
        let data = match Json::parse(&row.json) {
            Ok(Json::Object(data)) if Json::Object(data.clone()).to_canonical() == row.json => data,
            _ => {
                self.fault(format!("{place}: record {no} is not canonical JSON"));
                return Ok(());
            }
        };
        let expected: Vec<Option<Vec<u8>>> = derive(self.db, shape, self.hashing, row)?
            .into_iter()
            .map(|key| key.map(|key| key.as_bytes().to_vec()))
            .collect();
        if self.typed_copy(collection, no, expected.len())? != Some(expected) {
            self.fault(format!("{place}: the typed copy of record {no} differs"));
        }
        let long = if row.flags & FLAG_TEXTS == 0 { Vec::new() } else { self.texts(no, place)? };
        self.hashes(collection, row, &data, &long, place)
    }

    fn typed_copy(
        &self,
        collection: &CollectionRow,
        record_no: i64,
        columns: usize,
    ) -> StoreResult<Option<Vec<Option<Vec<u8>>>>> {
        let names: String = (0..columns).map(|at| format!(", c{at}")).collect();
        let table = table(collection.projection_no);
        let sql = format!(
            "SELECT key_order{names} FROM {table} WHERE record_no = ?1 AND collection_no = ?2"
        );
        self.db
            .prepare_cached(&sql)
            .and_then(|mut get| {
                get.query_row(params![record_no, collection.no], |row| {
                    (1..=columns).map(|at| row.get(at)).collect()
                })
                .optional()
            })
            .map_err(from_sqlite)
    }

    /// Reads every chunk of a record's texts; returns the hash of each top-level one.
    fn texts(&mut self, record_no: i64, place: &str) -> StoreResult<Vec<(String, u64)>> {
        let rows: Vec<(i64, String, i64, i64, Vec<u8>)> = self
            .db
            .prepare_cached(
                "SELECT text_no, path, kind, chars, digest FROM texts WHERE record_no = ?1",
            )
            .and_then(|mut list| {
                list.query_map([record_no], |row| {
                    Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?))
                })?
                .collect()
            })
            .map_err(from_sqlite)?;
        let mut long = Vec::new();
        for (text_no, path, kind, chars, digest) in rows {
            self.report.texts += 1;
            let text = self.whole_text(text_no)?;
            let counted = i64::try_from(text.chars().count()).unwrap_or(i64::MAX);
            if counted != chars || Sha256::digest(text.as_bytes()).as_slice() != digest {
                self.fault(format!("{place}: a long text of record {record_no} differs"));
            }
            if let Some(name) = crate::field_path::top_member(&path) {
                let string = kind == 0;
                let hash =
                    if string { self.hashing.string(&text) } else { self.hashing.canonical(&text) };
                long.push((name, hash));
            }
        }
        Ok(long)
    }

    fn whole_text(&self, text_no: i64) -> StoreResult<String> {
        let mut read = self
            .db
            .prepare_cached(
                "SELECT text FROM text_chunks WHERE chunk_no >= ?1 AND chunk_no < ?2 ORDER BY chunk_no",
            )
            .map_err(from_sqlite)?;
        let mut rows = read
            .query([text_no << CHUNK_BITS, (text_no + 1) << CHUNK_BITS])
            .map_err(from_sqlite)?;
        let mut text = String::new();
        while let Some(row) = rows.next().map_err(from_sqlite)? {
            let chunk: String = row.get(0).map_err(from_sqlite)?;
            text.push_str(&chunk);
        }
        Ok(text)
    }

    /// The newest version must describe the record as it is.
    fn hashes(
        &mut self,
        collection: &CollectionRow,
        row: &StoredRow,
        data: &JsonObject,
        long: &[(String, u64)],
        place: &str,
    ) -> StoreResult<()> {
        let newest: Option<Vec<u8>> = self
            .db
            .prepare_cached(
                "SELECT field_hashes FROM versions WHERE record_no = ?1 AND deleted = 0
                  ORDER BY change_no DESC LIMIT 1",
            )
            .and_then(|mut get| get.query_row([row.record_no], |row| row.get(0)).optional())
            .map_err(from_sqlite)?;
        let inline = data.iter().map(|(name, value)| {
            let hash = match value {
                Json::String(text) => self.hashing.string(text),
                other => self.hashing.canonical(&other.to_canonical()),
            };
            (name.clone(), hash)
        });
        let mut expected = Vec::new();
        for (name, hash) in inline.chain(long.iter().cloned()) {
            let number: Option<u16> = self
                .db
                .prepare_cached(
                    "SELECT field_no FROM collection_fields WHERE collection_no = ?1 AND name = ?2",
                )
                .and_then(|mut get| {
                    get.query_row(params![collection.no, name], |row| row.get(0)).optional()
                })
                .map_err(from_sqlite)?;
            expected.push((number, hash));
        }
        expected.sort_unstable();
        let bytes: Vec<u8> = expected
            .into_iter()
            .flat_map(|(number, hash)| {
                let number = number.unwrap_or(u16::MAX).to_be_bytes();
                number.into_iter().chain(hash.to_be_bytes())
            })
            .collect();
        if newest != Some(bytes) {
            self.fault(format!("{place}: the newest version of record {} differs", row.record_no));
        }
        Ok(())
    }
}
