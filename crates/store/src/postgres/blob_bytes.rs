//! The bytes of blobs: pieces in the database, so that every process in front of it reads them.
//!
//! An upload grows in a local file until it is whole.

use jiff::Timestamp;
use pdpp_contract::blob::BlobId;
use sha2::{Digest, Sha256};

use crate::blobs::arrivals::{Arrivals, Listed};
use crate::blobs::files::{BlobFiles, UploadFile};
use crate::error::StoreResult;
use crate::postgres::driver::{Connection, params, walk};
use crate::postgres::errors::from_driver;
use crate::postgres::sql::write::record::run;

/// Bytes of a piece.
const PIECE: usize = 256 * 1024;

const ADD_PIECE: &str = "
    INSERT INTO blob_pieces (sha256, piece_no, bytes) VALUES (?1, ?2, ?3)
    ON CONFLICT DO NOTHING";
const DROP_PIECES: &str = "
    DELETE FROM blob_pieces WHERE sha256 = ?1";
const READ_PIECES: &str = "
    SELECT bytes FROM blob_pieces
     WHERE sha256 = ?1 AND piece_no >= ?2 AND piece_no <= ?3
     ORDER BY piece_no
     LIMIT ?4";
const ALL_PIECES: &str = "
    SELECT bytes FROM blob_pieces WHERE sha256 = ?1 ORDER BY piece_no";
const LIST: &str = "
    SELECT sha256 FROM blob_pieces WHERE piece_no = 0";
const IS_KEPT: &str = "
    SELECT EXISTS (SELECT 1 FROM blob_pieces WHERE sha256 = ?1)";

/// Where bytes are kept. Methods that change something are called under the write lock.
#[derive(Debug, Clone)]
pub(crate) struct BlobBytes(BlobFiles);

#[expect(clippy::unused_self, reason = "the other backend's are files in a directory")]
impl BlobBytes {
    pub(super) fn new(uploads: BlobFiles) -> Self {
        Self(uploads)
    }

    pub(super) fn upload(&self) -> StoreResult<UploadFile> {
        self.0.upload()
    }

    pub(super) fn begin_arrivals(&self) -> StoreResult<Arrivals> {
        self.0.begin_arrivals()
    }

    pub(super) fn announce(&self, id: BlobId) -> StoreResult<()> {
        self.0.announce(id)
    }

    pub(super) fn listed(&self) -> StoreResult<Listed> {
        self.0.listed()
    }

    pub(super) fn place(&self, db: &Connection, file: &UploadFile, id: BlobId) -> StoreResult<()> {
        if is_kept(db, id)? {
            return Ok(());
        }
        let mut piece_no: i64 = 0;
        file.pieces(PIECE, |piece| {
            run(db, ADD_PIECE, params![id.0, piece_no, piece])?;
            piece_no += 1;
            Ok(())
        })?;
        // An empty blob has one empty piece, so that it exists.
        if piece_no == 0 {
            run(db, ADD_PIECE, params![id.0, 0, Vec::<u8>::new()])?;
        }
        Ok(())
    }

    /// Whether the bytes go with the transaction; rows do.
    pub(super) fn forget(&self, db: &Connection, id: BlobId) -> StoreResult<bool> {
        run(db, DROP_PIECES, [id.0])?;
        Ok(true)
    }

    pub(super) fn remove(&self, db: &Connection, id: BlobId) -> StoreResult<bool> {
        let was_there = is_kept(db, id)?;
        run(db, DROP_PIECES, [id.0])?;
        Ok(was_there)
    }

    pub(super) fn read(
        &self,
        db: &Connection,
        id: BlobId,
        offset_bytes: u64,
        max_bytes: usize,
    ) -> StoreResult<Option<Vec<u8>>> {
        if !is_kept(db, id)? {
            return Ok(None);
        }
        let piece = u64::try_from(PIECE).unwrap_or(u64::MAX);
        let most = u64::try_from(max_bytes).unwrap_or(u64::MAX);
        let number = |at: u64| i64::try_from(at / piece).unwrap_or(i64::MAX);
        let (first, last) =
            (number(offset_bytes), number(offset_bytes.saturating_add(most).saturating_sub(1)));
        let pieces: Vec<Vec<u8>> = db
            .prepare_cached(READ_PIECES)
            .and_then(|mut list| {
                let values = params![id.0, first, last, last - first + 1];
                list.query_map(values, |row| row.get(0))?.collect()
            })
            .map_err(from_driver)?;
        let skipped = usize::try_from(offset_bytes % piece).unwrap_or(usize::MAX);
        Ok(Some(pieces.into_iter().flatten().skip(skipped).take(max_bytes).collect()))
    }

    pub(super) fn digest(&self, db: &Connection, id: BlobId) -> StoreResult<Option<(BlobId, u64)>> {
        if !is_kept(db, id)? {
            return Ok(None);
        }
        let mut list = db.prepare_cached(ALL_PIECES).map_err(from_driver)?;
        let mut rows = walk(&mut list, [id.0]).map_err(from_driver)?;
        let (mut hasher, mut size) = (Sha256::new(), 0);
        while let Some(row) = rows.next().map_err(from_driver)? {
            let bytes: Vec<u8> = row.get(0).map_err(from_driver)?;
            hasher.update(&bytes);
            size += u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        }
        Ok(Some((BlobId(hasher.finalize().into()), size)))
    }

    /// Whether a blob that a snapshot knows was taken away since: its bytes are in the same snapshot.
    #[expect(clippy::unnecessary_wraps, reason = "the other backend's may fail")]
    pub(super) fn was_removed(&self, _: &Connection, _: BlobId) -> StoreResult<bool> {
        Ok(false)
    }

    pub(super) fn list(&self, db: &Connection) -> StoreResult<Vec<BlobId>> {
        db.prepare_cached(LIST)
            .and_then(|mut list| list.query_map([], |row| row.get(0).map(BlobId))?.collect())
            .map_err(from_driver)
    }

    pub(super) fn remove_uploads(&self, before: Timestamp) -> StoreResult<u64> {
        self.0.remove_uploads(before)
    }
}

fn is_kept(db: &Connection, id: BlobId) -> StoreResult<bool> {
    db.query_row(IS_KEPT, [id.0], |row| row.get(0)).map_err(from_driver)
}
