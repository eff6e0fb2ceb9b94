//! Sends a planned body: long fields are read piece by piece, each when the last one is gone.

use std::collections::VecDeque;

use axum::body::Body;
use bytes::Bytes;
use futures_util::{StreamExt, stream};
use pdpp_contract::json::escape_into;
use pdpp_contract::record::TextKind;
use pdpp_engine::GrantedReader;

use super::plan::{LongField, Part};

/// The body could not be completed. The connection ends with it, so that the half that was sent
/// never looks like the whole.
#[derive(Debug, thiserror::Error)]
#[error("a field changed or could not be read while it was being sent")]
struct BrokenOff;

/// A body of planned parts.
pub fn body(parts: Vec<Part>, reader: GrantedReader) -> Body {
    let mut rest = VecDeque::from(parts);
    match rest.pop_front() {
        None => Body::empty(),
        Some(Part::Text(text)) if rest.is_empty() => Body::from(text),
        Some(first) => {
            rest.push_front(first);
            let pieces = stream::unfold(Sending::new(rest, reader), Sending::next);
            // Compression asks once more after the end.
            Body::from_stream(pieces.fuse())
        }
    }
}

/// Where a body stands.
struct Sending {
    reader: GrantedReader,
    rest: VecDeque<Part>,
    /// The long field under way and the character it goes on from.
    open: Option<(LongField, u64)>,
}

impl Sending {
    fn new(rest: VecDeque<Part>, reader: GrantedReader) -> Self {
        Self { reader, rest, open: None }
    }

    async fn next(mut self) -> Option<(Result<Bytes, BrokenOff>, Self)> {
        loop {
            if let Some((field, start_chars)) = self.open.take() {
                if start_chars >= field.preview.size_chars {
                    continue;
                }
                let sent = self.piece(field, start_chars).await;
                if sent.is_err() {
                    self.rest.clear();
                }
                return Some((sent, self));
            }
            match self.rest.pop_front()? {
                Part::Text(text) => return Some((Ok(Bytes::from(text)), self)),
                Part::Long(field) => self.open = Some((field, 0)),
            }
        }
    }

    async fn piece(&mut self, field: LongField, start_chars: u64) -> Result<Bytes, BrokenOff> {
        let piece = self.reader.text_piece(&field.record, &field.preview, start_chars).await;
        let piece = piece.map_err(|error| {
            tracing::warn!(code = %error.code, "a body broke off");
            BrokenOff
        })?;
        if piece.is_empty() {
            tracing::error!("a stored text is shorter than it says");
            return Err(BrokenOff);
        }
        let end_chars = start_chars + piece.chars().count() as u64;
        let text = match field.preview.kind {
            TextKind::Json => piece,
            TextKind::String => {
                let mut escaped = String::with_capacity(piece.len());
                escape_into(&piece, &mut escaped);
                escaped
            }
        };
        self.open = Some((field, end_chars));
        Ok(Bytes::from(text))
    }
}
