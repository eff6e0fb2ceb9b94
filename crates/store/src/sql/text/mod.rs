//! Spans of text from chunks: only the chunks that hold the asked span are read.

mod matching;
mod nested;

use super::{backend, sql};

use async_trait::async_trait;
use backend::driver::{Connection, OptionalExtension, params};
use pdpp_contract::RecordId;

use crate::error::StoreResult;
use crate::numbers::RecordNo;
use crate::records::scope::ReadScope;
use crate::text::chunks::{ChunkedText, chunks_holding, cut_joined, kind_of};
use crate::text::field_path::FieldPath;
use crate::text::outcome::{Choice, Found, Outcome, choose, read_in_record};
use crate::text::window::{Span, match_span};
use crate::text::{TextAnswer, TextRead, TextReader};
use crate::writes::hashing::TextDigest;
use backend::Backend;
use backend::errors::{corrupt, from_driver};
use sql::records::RecordRow;
use sql::records::by_id::find_visible;

const FIND_TEXT: &str = "
    SELECT text_no, kind, chars, digest FROM texts WHERE record_no = ?1 AND path = ?2";
/// The limit says what the range says: with it, SQLite does not step to the page after the last.
const READ_CHUNKS: &str = "
    SELECT text
      FROM text_chunks
     WHERE chunk_no >= ?1 AND chunk_no <= ?2
     ORDER BY chunk_no
     LIMIT ?3";

#[async_trait]
impl TextReader for Backend {
    async fn read_text(
        &self,
        scope: &ReadScope,
        id: &RecordId,
        path: &FieldPath,
        read: TextRead,
    ) -> StoreResult<TextAnswer> {
        let (scope, id, path) = (scope.clone(), id.clone(), path.clone());
        self.read(move |db| {
            let mut found = Vec::new();
            for part in scope.collections() {
                if let Some(row) = find_visible(db, part, &id)? {
                    found.push((part, row));
                }
            }
            match choose(found, &path) {
                Choice::Answer(answer) => Ok(answer),
                Choice::Read(part, row) => {
                    let outcome = read_field(db, &row, &path, &read)?;
                    Ok(outcome.of(&part.connection, row.record_no))
                }
            }
        })
        .await
    }
}

fn read_field(
    db: &Connection,
    row: &RecordRow,
    path: &FieldPath,
    read: &TextRead,
) -> StoreResult<Outcome> {
    if let Some(outcome) = read_in_record(row, path, read) {
        return Ok(outcome);
    }
    match find_text(db, row.record_no, &path.pointer())? {
        Some(text) => read_chunked(db, &text, read),
        None => nested::read(db, row.record_no, path, read),
    }
}

fn read_chunked(db: &Connection, text: &ChunkedText, read: &TextRead) -> StoreResult<Outcome> {
    let (span, matched) = match read {
        TextRead::Range { start, limit } => (Span::range(*start, *limit, text.chars), None),
        TextRead::Match { q, before, after, limit } => {
            let Some(matched) = matching::first_in_chunks(db, text, q)? else {
                return Ok(Outcome::NoMatch);
            };
            (match_span(matched, *before, *after, *limit, text.chars), Some(matched))
        }
    };
    let excerpt = read_span(db, text.text_no, span)?;
    Ok(Outcome::Found(Found::in_chunks(text, span, excerpt, matched)))
}

/// The text that lives under a path, if one does.
pub(super) fn find_text(
    db: &Connection,
    record_no: RecordNo,
    pointer: &str,
) -> StoreResult<Option<ChunkedText>> {
    db.prepare_cached(FIND_TEXT)
        .and_then(|mut find| {
            find.query_row(params![record_no, pointer], |row| {
                Ok(ChunkedText {
                    text_no: row.get(0)?,
                    kind: kind_of(row.get(1)?),
                    chars: u64::try_from(row.get::<_, i64>(2)?).unwrap_or(0),
                    digest: TextDigest(row.get(3)?),
                })
            })
            .optional()
        })
        .map_err(from_driver)
}

/// Reads a span: the chunks that hold it and no others.
pub(super) fn read_span(db: &Connection, text_no: i64, span: Span) -> StoreResult<String> {
    if span.length == 0 {
        return Ok(String::new());
    }
    let (first, last) = chunks_holding(text_no, span);
    let mut read = db.prepare_cached(READ_CHUNKS).map_err(from_driver)?;
    let mut rows = read.query([first, last, last - first + 1]).map_err(from_driver)?;
    let mut joined = String::new();
    while let Some(row) = rows.next().map_err(from_driver)? {
        let chunk = row.get_ref(0).map_err(from_driver)?;
        joined.push_str(chunk.as_str().map_err(|_| corrupt("text_chunks", "text", first))?);
    }
    Ok(cut_joined(&joined, span))
}

/// The first characters of a text.
pub(crate) fn beginning(db: &Connection, text_no: i64, chars: u32) -> StoreResult<String> {
    read_span(db, text_no, Span { start: 0, length: chars.into() })
}
