//! Values inside a container that lives in chunks: found by reading along, never held whole.

use std::io::Read;

use pdpp_contract::{FieldName, Json};
use rusqlite::Connection;
use struson::reader::{JsonReader, JsonStreamReader, ValueType};

use super::errors::corrupt;
use super::text::{ChunkedText, Outcome, find_text, read_inline, read_span};
use crate::error::StoreResult;
use crate::field_path::{FieldPath, array_index, push_segment};
use crate::text::TextRead;
use crate::window::Span;

/// How much of the container is read at once.
const STEP_CHARS: u64 = 16_000;

/// Reads a nested value that is short itself but whose container is long. Long nested strings are
/// kept on their own and never get here.
pub(super) fn read(
    db: &Connection,
    record_no: i64,
    path: &FieldPath,
    read: &TextRead,
) -> StoreResult<Outcome> {
    let Some(container) = find_text(db, record_no, &top_pointer(path.field()))? else {
        return Ok(Outcome::NoField);
    };
    let reader = ChunkReader { db, text: &container, next: 0, buffer: Vec::new(), at: 0 };
    let mut json = JsonStreamReader::new(reader);
    match descend(&mut json, path.nested()) {
        Ok(Some(value)) => Ok(read_inline(&value, read)),
        Ok(None) => Ok(Outcome::NoField),
        Err(_) => Err(corrupt("text_chunks", "text", container.text_no)),
    }
}

fn top_pointer(field: &FieldName) -> String {
    let mut pointer = String::new();
    push_segment(&mut pointer, field.as_str());
    pointer
}

type ReaderFault = Box<dyn std::error::Error>;

/// Walks down the path, skipping everything beside it.
fn descend(
    json: &mut JsonStreamReader<ChunkReader<'_>>,
    segments: &[String],
) -> Result<Option<Json>, ReaderFault> {
    for segment in segments {
        let found = match json.peek()? {
            ValueType::Object => enter_member(json, segment)?,
            ValueType::Array => enter_item(json, segment)?,
            _ => false,
        };
        if !found {
            return Ok(None);
        }
    }
    whole_value(json).map(Some)
}

fn enter_member(
    json: &mut JsonStreamReader<ChunkReader<'_>>,
    wanted: &str,
) -> Result<bool, ReaderFault> {
    json.begin_object()?;
    while json.has_next()? {
        if json.next_name()? == wanted {
            return Ok(true);
        }
        json.skip_value()?;
    }
    Ok(false)
}

fn enter_item(
    json: &mut JsonStreamReader<ChunkReader<'_>>,
    wanted: &str,
) -> Result<bool, ReaderFault> {
    let Some(wanted) = array_index(wanted) else {
        return Ok(false);
    };
    json.begin_array()?;
    let mut at = 0;
    while json.has_next()? {
        if at == wanted {
            return Ok(true);
        }
        json.skip_value()?;
        at += 1;
    }
    Ok(false)
}

/// The value under the reader as a tree.
fn whole_value(json: &mut JsonStreamReader<ChunkReader<'_>>) -> Result<Json, ReaderFault> {
    Ok(match json.peek()? {
        ValueType::Null => {
            json.next_null()?;
            Json::Null
        }
        ValueType::Boolean => Json::Bool(json.next_bool()?),
        ValueType::Number => Json::Number(json.next_number_as_string()?),
        ValueType::String => Json::String(json.next_string()?),
        ValueType::Array => {
            json.begin_array()?;
            let mut items = Vec::new();
            while json.has_next()? {
                items.push(whole_value(json)?);
            }
            json.end_array()?;
            Json::Array(items)
        }
        ValueType::Object => {
            json.begin_object()?;
            let mut members = pdpp_contract::JsonObject::new();
            while json.has_next()? {
                let name = json.next_name_owned()?;
                members.insert(name, whole_value(json)?);
            }
            json.end_object()?;
            Json::Object(members)
        }
    })
}

/// Reads a chunked text as bytes, a few chunks at a time.
struct ChunkReader<'a> {
    db: &'a Connection,
    text: &'a ChunkedText,
    next: u64,
    buffer: Vec<u8>,
    at: usize,
}

impl Read for ChunkReader<'_> {
    fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
        if self.at == self.buffer.len() {
            let span = Span::range(self.next, u32::try_from(STEP_CHARS).unwrap_or(0), self.text.chars);
            let text =
                read_span(self.db, self.text.text_no, span).map_err(std::io::Error::other)?;
            self.next += span.length;
            self.buffer = text.into_bytes();
            self.at = 0;
        }
        let rest = self.buffer.get(self.at..).unwrap_or_default();
        let length = rest.len().min(out.len());
        for (to, from) in out.iter_mut().zip(rest) {
            *to = *from;
        }
        self.at += length;
        Ok(length)
    }
}
