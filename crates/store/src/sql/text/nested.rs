//! Values inside a container that lives in chunks: the container as a stream of bytes.

use std::io::Read;

use super::backend::driver::Connection;
use pdpp_contract::record::TextKind;

use super::backend::errors::corrupt;
use super::sql::text::{find_text, read_span};
use crate::error::StoreResult;
use crate::numbers::RecordNo;
use crate::text::TextRead;
use crate::text::chunks::ChunkedText;
use crate::text::field_path::FieldPath;
use crate::text::nested::{find_nested, top_pointer};
use crate::text::outcome::{Outcome, read_inline};
use crate::text::window::Span;

/// How much of the container is read at once.
const STEP_CHARS: u64 = 16_000;

/// Reads a nested value that is short itself but whose container is long. Long nested strings are
/// kept on their own and never get here.
pub(crate) fn read(
    db: &Connection,
    record_no: RecordNo,
    path: &FieldPath,
    read: &TextRead,
) -> StoreResult<Outcome> {
    let container = find_text(db, record_no, &top_pointer(path.field()))?;
    // Nothing lies below a plain string, also when it reads like JSON.
    let Some(container) = container.filter(|text| text.kind == TextKind::Json) else {
        return Ok(Outcome::NoField);
    };
    let reader = ChunkReader { db, text: &container, next: 0, buffer: Vec::new(), at: 0 };
    match find_nested(reader, path.nested()) {
        Ok(Some(value)) => Ok(read_inline(&value, read)),
        Ok(None) => Ok(Outcome::NoField),
        Err(_) => Err(corrupt("text_chunks", "text", container.text_no)),
    }
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
            let span =
                Span::range(self.next, u32::try_from(STEP_CHARS).unwrap_or(0), self.text.chars);
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
