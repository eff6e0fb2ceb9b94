//! Match search through the chunks of one text, one row at a time.

use super::backend::driver::{Connection, walk};

use super::backend::errors::{corrupt, from_driver};
use crate::error::StoreResult;
use crate::text::chunks::{ChunkedText, chunks_of};
use crate::text::search::ChunkSearch;

const EACH_CHUNK: &str = "
    SELECT chunk_no, text FROM text_chunks WHERE chunk_no >= ?1 AND chunk_no < ?2 ORDER BY chunk_no";

/// Where `q` first occurs in a chunked text: first character, first after.
pub(super) fn first_in_chunks(
    db: &Connection,
    text: &ChunkedText,
    q: &str,
) -> StoreResult<Option<(u64, u64)>> {
    let Some(mut search) = ChunkSearch::new(q) else {
        return Ok(None);
    };
    let (from, to) = chunks_of(text.text_no);
    let mut read = db.prepare_cached(EACH_CHUNK).map_err(from_driver)?;
    let mut rows = walk(&mut read, [from, to]).map_err(from_driver)?;
    while let Some(row) = rows.next().map_err(from_driver)? {
        let chunk_no: i64 = row.get(0).map_err(from_driver)?;
        let chunk = row.get_ref(1).map_err(from_driver)?;
        let chunk = chunk.as_bytes().map_err(|_| corrupt("text_chunks", "text", chunk_no))?;
        let found = search.look(u64::try_from(chunk_no - from).unwrap_or(0), chunk);
        if found.is_some() {
            return Ok(found);
        }
    }
    Ok(None)
}
