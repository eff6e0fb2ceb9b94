//! The full check of blobs: every file has its bytes, every reference its record.

use std::collections::BTreeSet;

use pdpp_contract::JsonObject;
use pdpp_contract::blob::BlobId;

use super::blob_bytes::BlobBytes;
use super::errors::from_driver;
use super::verify::Check;
use crate::error::StoreResult;
use crate::prepare::blob_refs;

const LIST_BLOBS: &str = "
    SELECT sha256, size_bytes FROM blobs ORDER BY sha256";
const LIST_REFS: &str = "
    SELECT field, sha256 FROM blob_refs WHERE record_no = ?1 ORDER BY field, sha256";

impl Check<'_> {
    /// Reads every blob.
    pub(super) fn blobs(&mut self, files: &BlobBytes) -> StoreResult<()> {
        let kept: Vec<(BlobId, i64)> = self
            .db
            .prepare_cached(LIST_BLOBS)
            .and_then(|mut list| {
                list.query_map([], |row| Ok((BlobId(row.get(0)?), row.get(1)?)))?.collect()
            })
            .map_err(from_driver)?;
        for (blob, stated) in &kept {
            self.report.blobs += 1;
            match files.digest(self.db, *blob)? {
                None => self.fault(format!("{blob}: the file is missing")),
                Some((found, size)) if found != *blob || i64::try_from(size) != Ok(*stated) => {
                    self.fault(format!("{blob}: the file holds other bytes"));
                }
                Some(_) => {}
            }
        }
        let known: BTreeSet<BlobId> = kept.iter().map(|(blob, _)| *blob).collect();
        let strays = files.list(self.db)?.into_iter().filter(|file| !known.contains(file)).count();
        self.report.strays = u64::try_from(strays).unwrap_or(u64::MAX);
        Ok(())
    }

    /// Compares the references of a record with those of its fields that live in it.
    pub(super) fn blob_refs(
        &mut self,
        record_no: i64,
        data: &JsonObject,
        place: &str,
    ) -> StoreResult<()> {
        let mut kept: Vec<(String, BlobId)> = self
            .db
            .prepare_cached(LIST_REFS)
            .and_then(|mut list| {
                list.query_map([record_no], |row| Ok((row.get(0)?, BlobId(row.get(1)?))))?.collect()
            })
            .map_err(from_driver)?;
        kept.retain(|(field, _)| data.contains_key(field));
        kept.sort();
        if kept != blob_refs(data) {
            self.fault(format!("{place}: the blob references of record {record_no} differ"));
        }
        Ok(())
    }
}
