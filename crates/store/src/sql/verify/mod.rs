//! The full check: every stored fact is derived again and compared.

mod access;
mod blobs;
#[cfg(test)]
mod concurrent_tests;
mod orphans;
mod prefetch;
mod record;

use super::{backend, sql};

use backend::driver::{Connection, READ_AHEAD};

use crate::error::StoreResult;
use crate::maintenance::VerifyReport;
use crate::numbers::{CollectionNo, RecordNo};
use crate::writes::hashing::HashKey;
use crate::writes::prepare::StreamShape;
use backend::blob_bytes::BlobBytes;
use backend::dialect::{apart, structure_faults};
use backend::errors::from_driver;
use orphans::ORPHANS;
use prefetch::FieldNumbers;
use sql::connections::collection::{Shape, table};
use sql::connections::declarations::Declarations;
use sql::connections::reproject::next_rows;
use sql::search::check;

const MAX_FAULTS: usize = 100;
const LIST_COLLECTIONS: &str = "
    SELECT c.collection_no, c.projection_no, c.record_count, c.stream, n.name, c.declaration_no
      FROM collections c
      JOIN connections n ON n.connection_no = c.connection_no
      JOIN declarations d ON d.declaration_no = c.declaration_no
     ORDER BY c.collection_no";
pub(crate) struct CollectionRow {
    pub(crate) no: CollectionNo,
    pub(crate) projection_no: i64,
    record_count: i64,
    stream: String,
    connection: String,
    declaration_no: i64,
}

/// One stream of a connection, and what its records are checked by.
pub(crate) struct Stream<'a> {
    pub(crate) collection: &'a CollectionRow,
    pub(crate) shape: StreamShape,
    /// Columns of its typed copies.
    pub(crate) columns: usize,
    pub(crate) fields: FieldNumbers,
    /// Connection and stream, for people.
    pub(crate) place: String,
}

pub(crate) struct Check<'a> {
    pub(crate) db: &'a Connection,
    pub(crate) hashing: &'a HashKey,
    pub(crate) report: VerifyReport,
    declarations: Declarations,
}

/// Checks the whole store.
pub(crate) fn verify(
    db: &Connection,
    hashing: &HashKey,
    files: &BlobBytes,
) -> StoreResult<VerifyReport> {
    let (report, declarations) = (VerifyReport::default(), Declarations::default());
    let mut check = Check { db, hashing, report, declarations };
    let mut all = Vec::new();
    check.part("database structure", Check::structure)?;
    check.part("counts", Check::counts)?;
    for (what, sql) in ORPHANS {
        check.part(what, |check| {
            let count = check.number(sql)?;
            if count > 0 {
                check.fault(format!("{count} {what}"));
            }
            Ok(())
        })?;
    }
    check.part("collections", |check| check.collections().map(|found| all = found))?;
    for collection in &all {
        check.part(&collection.place(), |check| check.collection(collection))?;
    }
    check.part("search index", |check| {
        check::faults(db)?.into_iter().for_each(|fault| check.fault(fault));
        Ok(())
    })?;
    check.part("blobs", |check| check.blobs(files))?;
    check.part("grants and tokens", Check::access)?;
    Ok(check.report)
}

impl CollectionRow {
    /// Connection and stream, for people.
    fn place(&self) -> String {
        format!("{}/{}", self.connection, self.stream)
    }
}

impl Check<'_> {
    pub(crate) fn fault(&mut self, fault: String) {
        if self.report.faults.len() < MAX_FAULTS {
            self.report.faults.push(fault);
        }
    }

    /// Takes what stops a part of the check for a fault if it is damage, so that the rest goes on.
    pub(crate) fn part(
        &mut self,
        what: &str,
        part: impl FnOnce(&mut Self) -> StoreResult<()>,
    ) -> StoreResult<()> {
        let Err(error) = apart(self.db, || part(self)) else {
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
                        declaration_no: row.get(5)?,
                    })
                })?
                .collect()
            })
            .map_err(from_driver)
    }

    fn collection(&mut self, collection: &CollectionRow) -> StoreResult<()> {
        let place = collection.place();
        let Some(known) = self.declarations.find(self.db, collection.declaration_no)? else {
            self.fault(format!("{place}: the declaration cannot be read"));
            return Ok(());
        };
        if !known.is_as_given {
            self.fault(format!("{place}: the declaration is not the one that was given"));
        }
        let declaration = &known.declaration;
        let Some(stream) = declaration.stream(&collection.stream) else {
            self.fault(format!("{place}: its declaration does not describe it"));
            return Ok(());
        };
        let shape = StreamShape::new(declaration, stream);
        let stream = Stream {
            columns: Shape::of(declaration, stream).columns.len(),
            fields: FieldNumbers::read(self.db, collection.no)?,
            collection,
            shape,
            place,
        };
        let (mut last, mut live) = (RecordNo(0), 0);
        loop {
            let rows = next_rows(self.db, collection.no, last)?;
            let Some(end) = rows.last() else { break };
            last = end.record_no;
            live += i64::try_from(rows.len()).unwrap_or(i64::MAX);
            for some in rows.chunks(READ_AHEAD) {
                self.some_records(&stream, some)?;
            }
        }
        let place = stream.place;
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
