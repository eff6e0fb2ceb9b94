//! The full check: every stored fact is derived again and compared.

use super::driver::Connection;
use pdpp_contract::declaration::SourceDeclaration;
use sha2::{Digest, Sha256};

use super::blob_bytes::BlobBytes;
use super::declared::table;
use super::dialect::structure_faults;
use super::errors::from_driver;
use super::reproject::next_rows;
use super::search_index;
use crate::error::StoreResult;
use crate::hashing::HashKey;
use crate::maintenance::VerifyReport;
use crate::prepare::StreamShape;

const MAX_FAULTS: usize = 100;
const LIST_COLLECTIONS: &str = "
    SELECT c.collection_no, c.projection_no, c.record_count, c.stream, n.name, d.json,
           d.digest
      FROM collections c
      JOIN connections n ON n.connection_no = c.connection_no
      JOIN declarations d ON d.declaration_no = c.declaration_no
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
        "blob references without a record",
        "SELECT count(*) FROM blob_refs b LEFT JOIN records r USING (record_no)
          WHERE r.record_no IS NULL",
    ),
    (
        "versions without a key",
        "SELECT count(*) FROM versions v LEFT JOIN record_keys k USING (record_no)
          WHERE k.record_no IS NULL",
    ),
    (
        "keys whose newest version is not their last change",
        "SELECT count(*) FROM record_keys k WHERE k.change_no IS DISTINCT FROM
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
          WHERE c.record_no IS DISTINCT FROM v.record_no",
    ),
    (
        "records in another stream than their key",
        "SELECT count(*) FROM records r JOIN record_keys k USING (record_no)
          WHERE r.collection_no IS DISTINCT FROM k.collection_no",
    ),
    (
        "records whose mark for long texts is wrong",
        "SELECT count(*) FROM records r
          WHERE ((r.flags & 2) <> 0) <>
                EXISTS (SELECT 1 FROM texts t WHERE t.record_no = r.record_no)",
    ),
    (
        "revised records without their mark",
        "SELECT count(*) FROM records r
          WHERE (r.flags & 4) = 0
            AND (SELECT count(*) FROM versions v WHERE v.record_no = r.record_no) > 1",
    ),
    ("records with unknown marks", "SELECT count(*) FROM records WHERE (flags & ~7) <> 0"),
    (
        "keys that lost their record",
        "SELECT count(*) FROM record_keys k LEFT JOIN records r USING (record_no)
          WHERE r.record_no IS NULL
            AND (SELECT v.deleted FROM versions v
                  WHERE v.record_no = k.record_no
                  ORDER BY v.change_no DESC LIMIT 1) IS DISTINCT FROM 1",
    ),
    (
        "deletions that hold content",
        "SELECT count(*) FROM versions
          WHERE deleted <> 0
            AND (flags <> 0 OR time_key IS NOT NULL OR length(field_hashes) > 0)",
    ),
    (
        "versions of the wrong form",
        "SELECT count(*) FROM versions
          WHERE deleted NOT IN (0, 1)
             OR length(field_hashes) % 10 <> 0
             OR length(time_key) <> 13
             OR (flags & ~7) <> 0",
    ),
    (
        "change numbers beyond the counter",
        "SELECT count(*) FROM record_keys WHERE change_no > (SELECT change_no FROM change_counter)",
    ),
    (
        "change numbers given twice",
        "SELECT count(*) FROM (SELECT change_no FROM versions GROUP BY change_no HAVING count(*) > 1)
             AS twice",
    ),
];

pub(super) struct CollectionRow {
    pub(super) no: i64,
    pub(super) projection_no: i64,
    record_count: i64,
    stream: String,
    connection: String,
    declaration: String,
    digest: Vec<u8>,
}

pub(super) struct Check<'a> {
    pub(super) db: &'a Connection,
    pub(super) hashing: &'a HashKey,
    pub(super) report: VerifyReport,
}

/// Checks the whole store.
pub(super) fn verify(
    db: &Connection,
    hashing: &HashKey,
    files: &BlobBytes,
) -> StoreResult<VerifyReport> {
    let mut check = Check { db, hashing, report: VerifyReport::default() };
    let mut all = Vec::new();
    let structure = check.structure();
    check.part("database structure", structure)?;
    let counts = check.counts();
    check.part("counts", counts)?;
    for (what, sql) in ORPHANS {
        let done = check.number(sql).map(|count| {
            if count > 0 {
                check.fault(format!("{count} {what}"));
            }
        });
        check.part(what, done)?;
    }
    let collections = check.collections().map(|found| all = found);
    check.part("collections", collections)?;
    for collection in &all {
        let done = check.collection(collection);
        check.part(&collection.place(), done)?;
    }
    let index = search_index::faults(db).map(|faults| {
        for fault in faults {
            check.fault(fault);
        }
    });
    check.part("search index", index)?;
    let blobs = check.blobs(files);
    check.part("blobs", blobs)?;
    let access = check.access();
    check.part("grants and tokens", access)?;
    Ok(check.report)
}

impl CollectionRow {
    /// Connection and stream, for people.
    fn place(&self) -> String {
        format!("{}/{}", self.connection, self.stream)
    }
}

impl Check<'_> {
    pub(super) fn fault(&mut self, fault: String) {
        if self.report.faults.len() < MAX_FAULTS {
            self.report.faults.push(fault);
        }
    }

    /// Takes what stopped a part of the check for a fault if it is damage, so that the rest goes on.
    pub(super) fn part(&mut self, what: &str, done: StoreResult<()>) -> StoreResult<()> {
        let Err(error) = done else {
            return Ok(());
        };
        match error.damage() {
            Some(damage) => {
                self.fault(format!("{what}: {damage}"));
                Ok(())
            }
            None => Err(error),
        }
    }

    fn counts(&mut self) -> StoreResult<()> {
        self.report.connections = self.number("SELECT count(*) FROM connections")?;
        self.report.versions = self.number("SELECT count(*) FROM versions")?;
        self.number("SELECT change_no FROM change_counter WHERE only_row = 1").map(|_| ())
    }

    fn number(&self, sql: &str) -> StoreResult<u64> {
        let number: i64 = self.db.query_row(sql, [], |row| row.get(0)).map_err(from_driver)?;
        Ok(u64::try_from(number).unwrap_or(0))
    }

    fn structure(&mut self) -> StoreResult<()> {
        for fault in structure_faults(self.db)? {
            self.fault(format!("database structure: {fault}"));
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
                        digest: row.get(6)?,
                    })
                })?
                .collect()
            })
            .map_err(from_driver)
    }

    fn collection(&mut self, collection: &CollectionRow) -> StoreResult<()> {
        let place = collection.place();
        let declaration = SourceDeclaration::parse(&collection.declaration);
        let Ok(declaration) = declaration else {
            self.fault(format!("{place}: the declaration cannot be read"));
            return Ok(());
        };
        let canonical = declaration.to_canonical_json();
        if Sha256::digest(canonical.as_bytes()).as_slice() != collection.digest {
            self.fault(format!("{place}: the declaration is not the one that was given"));
        }
        let Some(stream) = declaration.stream(&collection.stream) else {
            self.fault(format!("{place}: its declaration does not describe it"));
            return Ok(());
        };
        let shape = StreamShape::new(&declaration, stream);
        let (mut last, mut live) = (0, 0);
        loop {
            let rows = next_rows(self.db, collection.no, last)?;
            for row in &rows {
                last = row.record_no;
                live += 1;
                let done = self.record(collection, &shape, row, &place);
                self.part(&format!("{place}: record {last}"), done)?;
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
            .map_err(from_driver)?;
        if live != collection.record_count || live != copies {
            let stated = collection.record_count;
            self.fault(format!("{place}: {live} records, {copies} typed copies, {stated} stated"));
        }
        Ok(())
    }
}
