//! Stretches of text from chunks: only the chunks that hold the asked stretch are read.

use async_trait::async_trait;
use pdpp_contract::limits::CHUNK_CHARS;
use pdpp_contract::record::TextKind;
use pdpp_contract::{Json, RecordId};
use rusqlite::{Connection, OptionalExtension, params};

use super::Sqlite;
use super::errors::{corrupt, from_sqlite};
use super::records::{RecordRow, find_visible};
use super::write_text::CHUNK_BITS;
use super::{text_match, text_nested};
use crate::error::StoreResult;
use crate::field_path::FieldPath;
use crate::hashing::TextDigest;
use crate::scope::{CollectionScope, ReadScope};
use crate::text::{TextAnswer, TextRead, TextReader, TextWindow};
use crate::window::{Span, cut, match_span};

const FIND_TEXT: &str = "
    SELECT text_no, kind, chars, digest FROM texts WHERE record_no = ?1 AND path = ?2";
const READ_CHUNKS: &str = "
    SELECT text FROM text_chunks WHERE chunk_no >= ?1 AND chunk_no <= ?2 ORDER BY chunk_no";

#[async_trait]
impl TextReader for Sqlite {
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
            match found.as_slice() {
                [] => Ok(TextAnswer::NoRecord),
                [(part, row)] if part.fields.contains(path.field()) => {
                    read_field(db, part, row, &path, &read)
                }
                [_] => Ok(TextAnswer::NoField),
                several => {
                    let mut connections: Vec<_> =
                        several.iter().map(|(part, _)| part.connection.clone()).collect();
                    connections.sort();
                    Ok(TextAnswer::Ambiguous(connections))
                }
            }
        })
        .await
    }
}

/// A text that lives in chunks.
pub(super) struct ChunkedText {
    pub text_no: i64,
    pub kind: TextKind,
    pub chars: u64,
    pub digest: TextDigest,
}

fn read_field(
    db: &Connection,
    scope: &CollectionScope,
    row: &RecordRow,
    path: &FieldPath,
    read: &TextRead,
) -> StoreResult<TextAnswer> {
    let window = |found: Found| {
        TextAnswer::Text(TextWindow {
            connection: scope.connection.clone(),
            record_no: row.record_no,
            kind: found.kind,
            total_chars: found.total_chars,
            digest: found.digest,
            start: found.span.start,
            text: found.text,
            matched: found.matched,
        })
    };
    let answer = match row.data.get(path.field().as_str()) {
        Some(top) => match path.walk(top) {
            Some(value) => read_inline(value, read),
            None => Outcome::NoField,
        },
        None => match find_text(db, row.record_no, &path.pointer())? {
            Some(text) => read_chunked(db, &text, read)?,
            None => text_nested::read(db, row.record_no, path, read)?,
        },
    };
    Ok(match answer {
        Outcome::NoField => TextAnswer::NoField,
        Outcome::NotText(word) => TextAnswer::NotText(word),
        Outcome::NoMatch => TextAnswer::NoMatch,
        Outcome::Found(found) => window(found),
    })
}

/// What was found, before it is tied to its record.
pub(super) enum Outcome {
    NoField,
    NotText(&'static str),
    NoMatch,
    Found(Found),
}

/// A stretch and the text it was cut from.
pub(super) struct Found {
    pub kind: TextKind,
    pub total_chars: u64,
    pub digest: TextDigest,
    pub span: Span,
    pub text: String,
    pub matched: Option<(u64, u64)>,
}

/// A stretch of a value that is already in memory.
pub(super) fn read_inline(value: &Json, read: &TextRead) -> Outcome {
    let (kind, text) = match value {
        Json::String(text) => (TextKind::String, text.clone()),
        Json::Array(_) | Json::Object(_) => (TextKind::Json, value.to_canonical()),
        other => return Outcome::NotText(other.type_name()),
    };
    let total_chars = u64::try_from(text.chars().count()).unwrap_or(u64::MAX);
    let (span, matched) = match read {
        TextRead::Range { start, limit } => (Span::range(*start, *limit, total_chars), None),
        TextRead::Match { q, before, after, limit } => {
            let Some(matched) = text_match::first_in(&text, q) else {
                return Outcome::NoMatch;
            };
            (match_span(matched, *before, *after, *limit, total_chars), Some(matched))
        }
    };
    let digest = TextDigest::of(&text);
    let text = cut(&text, span.start, span.length).to_owned();
    Outcome::Found(Found { kind, total_chars, digest, span, text, matched })
}

fn read_chunked(db: &Connection, text: &ChunkedText, read: &TextRead) -> StoreResult<Outcome> {
    let (span, matched) = match read {
        TextRead::Range { start, limit } => (Span::range(*start, *limit, text.chars), None),
        TextRead::Match { q, before, after, limit } => {
            let Some(matched) = text_match::first_in_chunks(db, text, q)? else {
                return Ok(Outcome::NoMatch);
            };
            (match_span(matched, *before, *after, *limit, text.chars), Some(matched))
        }
    };
    Ok(Outcome::Found(Found {
        kind: text.kind,
        total_chars: text.chars,
        digest: text.digest,
        span,
        text: read_span(db, text.text_no, span)?,
        matched,
    }))
}

/// The text that lives under a path, if one does.
pub(super) fn find_text(
    db: &Connection,
    record_no: i64,
    pointer: &str,
) -> StoreResult<Option<ChunkedText>> {
    db.prepare_cached(FIND_TEXT)
        .and_then(|mut find| {
            find.query_row(params![record_no, pointer], |row| {
                let kind: i64 = row.get(1)?;
                Ok(ChunkedText {
                    text_no: row.get(0)?,
                    kind: if kind == 0 { TextKind::String } else { TextKind::Json },
                    chars: u64::try_from(row.get::<_, i64>(2)?).unwrap_or(0),
                    digest: TextDigest(row.get(3)?),
                })
            })
            .optional()
        })
        .map_err(from_sqlite)
}

/// Reads a stretch: the chunks that hold it and no others.
pub(super) fn read_span(db: &Connection, text_no: i64, span: Span) -> StoreResult<String> {
    if span.length == 0 {
        return Ok(String::new());
    }
    let place = |char: u64| i64::try_from(char / CHUNK_CHARS).unwrap_or(i64::MAX);
    let base = text_no << CHUNK_BITS;
    let (first, last) = (base + place(span.start), base + place(span.start + span.length - 1));
    let mut read = db.prepare_cached(READ_CHUNKS).map_err(from_sqlite)?;
    let mut rows = read.query([first, last]).map_err(from_sqlite)?;
    let mut joined = String::new();
    while let Some(row) = rows.next().map_err(from_sqlite)? {
        let chunk = row.get_ref(0).map_err(from_sqlite)?;
        joined.push_str(chunk.as_str().map_err(|_| corrupt("text_chunks", "text", first))?);
    }
    Ok(cut(&joined, span.start % CHUNK_CHARS, span.length).to_owned())
}

/// The first characters of a text.
pub(super) fn beginning(db: &Connection, text_no: i64, chars: u32) -> StoreResult<String> {
    read_span(db, text_no, Span { start: 0, length: chars.into() })
}
