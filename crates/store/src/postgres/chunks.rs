//! Texts and their chunks, a bounded run at a time.

use tokio_postgres::Row;

use super::connect::Snapshot;
use super::errors::{corrupt, from_postgres};
use crate::chunks::{ChunkedText, chunks_holding, chunks_of, cut_joined, kind_of};
use crate::error::StoreResult;
use crate::hashing::TextDigest;
use crate::text_search::ChunkSearch;
use crate::window::Span;

/// Chunks fetched at once while a whole text is walked: at most 1 MB of text.
const RUN: i64 = 64;

impl Snapshot<'_> {
    /// The text that lives under a path, if one does.
    pub(super) async fn find_text(
        &self,
        record_no: i64,
        pointer: &str,
    ) -> StoreResult<Option<ChunkedText>> {
        let found = self
            .transaction
            .query_opt(&self.prepared.find_text, &[&record_no, &pointer.as_bytes()])
            .await
            .map_err(from_postgres)?;
        found.as_ref().map(chunked_text).transpose()
    }

    /// Reads a stretch: the chunks that hold it and no others.
    pub(super) async fn read_span(&self, text_no: i64, span: Span) -> StoreResult<String> {
        if span.length == 0 {
            return Ok(String::new());
        }
        let (first, last) = chunks_holding(text_no, span);
        let mut joined = String::new();
        for row in self.read_run(first, last).await? {
            joined.push_str(chunk(&row)?.1);
        }
        Ok(cut_joined(&joined, span))
    }

    /// Where `q` first occurs in a chunked text: first character, first after.
    pub(super) async fn first_match(
        &self,
        text: &ChunkedText,
        q: &str,
    ) -> StoreResult<Option<(u64, u64)>> {
        let Some(mut search) = ChunkSearch::new(q) else {
            return Ok(None);
        };
        let (base, _) = chunks_of(text.text_no);
        let mut walk = Walk::through(text);
        while let Some(run) = walk.next_run(self).await? {
            for row in run {
                let (chunk_no, chunk) = chunk(&row)?;
                let place = u64::try_from(chunk_no - base).unwrap_or(0);
                let found = search.look(place, chunk.as_bytes());
                if found.is_some() {
                    return Ok(found);
                }
            }
        }
        Ok(None)
    }

    async fn read_run(&self, first: i64, last: i64) -> StoreResult<Vec<Row>> {
        self.transaction
            .query(&self.prepared.read_chunks, &[&first, &last])
            .await
            .map_err(from_postgres)
    }
}

/// A walk through all chunks of a text. Each run is a question of its own, bounded on both sides:
/// the server never has more of the text at hand than one run.
pub(super) struct Walk {
    next: i64,
    last: i64,
}

impl Walk {
    pub(super) fn through(text: &ChunkedText) -> Self {
        let whole = Span { start: 0, length: text.chars };
        let (next, last) = chunks_holding(text.text_no, whole);
        Self { next, last }
    }

    /// The next chunks, in order; `None` after the last.
    pub(super) async fn next_run(
        &mut self,
        snapshot: &Snapshot<'_>,
    ) -> StoreResult<Option<Vec<Row>>> {
        if self.next > self.last {
            return Ok(None);
        }
        let first = self.next;
        self.next = first + RUN;
        snapshot.read_run(first, self.last.min(first + RUN - 1)).await.map(Some)
    }
}

/// The number and the text of a chunk's row.
pub(super) fn chunk(row: &Row) -> StoreResult<(i64, &str)> {
    let chunk_no: i64 = row.try_get(0).map_err(from_postgres)?;
    let bytes: &[u8] = row.try_get(1).map_err(from_postgres)?;
    let text = str::from_utf8(bytes).map_err(|_| corrupt("text_chunks", "text", chunk_no))?;
    Ok((chunk_no, text))
}

fn chunked_text(row: &Row) -> StoreResult<ChunkedText> {
    let text_no = row.try_get(0).map_err(from_postgres)?;
    let chars: i64 = row.try_get(2).map_err(from_postgres)?;
    let digest: Vec<u8> = row.try_get(3).map_err(from_postgres)?;
    let digest = digest.try_into().map_err(|_| corrupt("texts", "digest", text_no))?;
    Ok(ChunkedText {
        text_no,
        kind: kind_of(row.try_get(1).map_err(from_postgres)?),
        chars: u64::try_from(chars).map_err(|_| corrupt("texts", "chars", text_no))?,
        digest: TextDigest(digest),
    })
}
