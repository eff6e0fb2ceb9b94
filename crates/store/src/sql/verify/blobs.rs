//! The full check of blobs: every file has its bytes.

use std::collections::BTreeSet;

use pdpp_contract::blob::BlobId;

use super::Check;
use super::backend::blob_bytes::BlobBytes;
use super::backend::errors::from_driver;
use crate::error::StoreResult;

const LIST_BLOBS: &str = "
    SELECT sha256, size_bytes FROM blobs ORDER BY sha256";

/// How often a file is looked for that should be there.
const LOOKS: u32 = 3;

/// What a look at a blob's bytes found.
enum Looked {
    Found(BlobId, u64),
    /// Gone since the snapshot was taken, and its row with it.
    Removed,
    Missing,
}

impl Check<'_> {
    /// Reads every blob.
    pub(crate) fn blobs(&mut self, files: &BlobBytes) -> StoreResult<()> {
        let kept: Vec<(BlobId, i64)> = self
            .db
            .prepare_cached(LIST_BLOBS)
            .and_then(|mut list| {
                list.query_map([], |row| Ok((BlobId(row.get(0)?), row.get(1)?)))?.collect()
            })
            .map_err(from_driver)?;
        for (blob, stated) in &kept {
            self.report.blobs += 1;
            match self.digest(files, *blob)? {
                Looked::Missing => self.fault(format!("{blob}: the file is missing")),
                Looked::Found(found, size)
                    if found != *blob || i64::try_from(size) != Ok(*stated) =>
                {
                    self.fault(format!("{blob}: the file holds other bytes"));
                }
                Looked::Found(..) | Looked::Removed => {}
            }
        }
        let known: BTreeSet<BlobId> = kept.iter().map(|(blob, _)| *blob).collect();
        let strays = files.list(self.db)?.into_iter().filter(|file| !known.contains(file)).count();
        self.report.strays = u64::try_from(strays).unwrap_or(u64::MAX);
        Ok(())
    }

    /// Looks at the bytes of a blob. Beside writers they may go, and come again, after the snapshot was
    /// taken; a blob that is still listed and has no bytes at several looks has lost them.
    fn digest(&self, files: &BlobBytes, blob: BlobId) -> StoreResult<Looked> {
        for _ in 0..LOOKS {
            if let Some((found, size)) = files.digest(self.db, blob)? {
                return Ok(Looked::Found(found, size));
            }
            if files.was_removed(self.db, blob)? {
                return Ok(Looked::Removed);
            }
        }
        Ok(Looked::Missing)
    }
}
