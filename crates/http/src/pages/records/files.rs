//! The files that a record refers to.

use pdpp_contract::blob::{BlobId, BlobRequest};
use pdpp_contract::record::Record;
use pdpp_contract::{ApiError, ReadApi};
use pdpp_engine::GrantedReader;

use super::file::is_image;
use crate::pages::plain;

/// Files that are listed; the others are counted.
const MAX_FILES: usize = 30;

/// One file.
pub struct FileRow {
    /// Its place inside of the session.
    pub place: String,
    pub name: String,
    pub size: String,
    pub is_image: bool,
}

/// The files of a record, and how many more it has.
pub async fn files(
    reader: &GrantedReader,
    record: &Record,
) -> Result<(Vec<FileRow>, usize), ApiError> {
    let Some(data) = &record.data else { return Ok((Vec::new(), 0)) };
    let mut ids: Vec<BlobId> = Vec::new();
    for id in data.values().flat_map(BlobId::named_by) {
        if !ids.contains(&id) {
            ids.push(id);
        }
    }
    let mut rows = Vec::new();
    for blob_id in ids.iter().take(MAX_FILES) {
        let request = BlobRequest {
            blob_id: *blob_id,
            connection_id: Some(record.connection_id.clone()),
            offset_bytes: 0,
            max_bytes: 0,
        };
        match reader.blob(request).await {
            Ok(about) => rows.push(FileRow {
                place: format!("/file/{blob_id}?account={}", record.connection_id),
                name: plain::line(about.filename.as_deref().unwrap_or("file"), 120),
                size: plain::size(about.size_bytes),
                is_image: about.mime_type.as_deref().is_some_and(is_image),
            }),
            // The record names a file that was never imported.
            Err(error) if error.code.status() == 404 => {}
            Err(error) => return Err(error),
        }
    }
    Ok((rows, ids.len().saturating_sub(MAX_FILES)))
}
