//! The files that records refer to, written beside them under the digest of their content.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use pdpp_contract::blob::{BlobId, BlobRequest};
use pdpp_contract::limits::BLOB_PIECE_BYTES;
use pdpp_contract::record::Record;
use pdpp_contract::{ErrorCode, ReadApi};
use pdpp_engine::GrantedReader;

use super::account::written;
use crate::failure::Failure;

/// How many files were written.
#[derive(Debug, Clone, Copy, Default)]
pub struct FileCounts {
    /// Files that are there now.
    pub written: u64,
    /// References to files that the store does not hold.
    pub missing: u64,
}

/// Writes the files of a record that are not there yet.
pub async fn write_of(
    record: &Record,
    directory: &Path,
    reader: &GrantedReader,
    counts: &mut FileCounts,
) -> Result<(), Failure> {
    let named = record.data.iter().flatten().flat_map(|(_, value)| BlobId::named_by(value));
    for blob_id in named {
        let path = directory.join(blob_id.to_string());
        if path.exists() {
            continue;
        }
        if write(blob_id, record, &path, reader).await? {
            counts.written += 1;
        } else {
            counts.missing += 1;
        }
    }
    Ok(())
}

async fn write(
    blob_id: BlobId,
    record: &Record,
    path: &Path,
    reader: &GrantedReader,
) -> Result<bool, Failure> {
    let request = |offset_bytes: u64| BlobRequest {
        blob_id,
        connection_id: Some(record.connection_id.clone()),
        offset_bytes,
        max_bytes: BLOB_PIECE_BYTES,
    };
    let mut piece = match reader.blob(request(0)).await {
        Ok(piece) => piece,
        Err(error) if error.code == ErrorCode::BlobNotFound => return Ok(false),
        Err(error) => return Err(error.into()),
    };
    let parent = path.parent().unwrap_or(path);
    std::fs::create_dir_all(parent).map_err(|error| Failure::file("create", parent, &error))?;
    let file = File::create(path).map_err(|error| Failure::file("create", path, &error))?;
    let mut file = BufWriter::new(file);
    let mut offset = 0_u64;
    while !piece.bytes.is_empty() {
        file.write_all(&piece.bytes).map_err(written)?;
        offset += u64::try_from(piece.bytes.len()).unwrap_or(0);
        if offset >= piece.size_bytes {
            break;
        }
        piece = reader.blob(request(offset)).await?;
    }
    file.flush().map_err(written)?;
    Ok(true)
}
