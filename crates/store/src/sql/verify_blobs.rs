//! The full check of blobs: every file has its bytes.

use std::collections::BTreeSet;

use pdpp_contract::blob::BlobId;

use super::blob_bytes::BlobBytes;
use super::errors::from_driver;
use super::verify::Check;
use crate::error::StoreResult;

const LIST_BLOBS: &str = "
    SELECT sha256, size_bytes FROM blobs ORDER BY sha256";

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
}
