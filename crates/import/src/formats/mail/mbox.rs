//! `mbox`: one file, many messages, each after a `From ` line.

use std::io::BufRead;

use pdpp_contract::ErrorCode;

use super::envelope::{is_separator, unquoted};
use super::{MAX_MESSAGE_BYTES, OTHER_ENDINGS, put};
use crate::export::Export;
use crate::readers::lines::{LinePiece, read_piece};
use crate::sink::{Flow, Sink};
use pdpp_contract::import::Rejected;

/// Bytes of a line that are looked at together.
const PIECE_BYTES: usize = 64 * 1024;

/// Reads every message of every mailbox.
pub fn import(export: &Export, sink: &mut Sink<'_>) -> Flow {
    export.each(sink, &is_mailbox, &mut |_, reader, sink| read_mailbox(reader, sink))
}

/// Whether the file's name allows for a mailbox.
pub fn is_mailbox(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    !OTHER_ENDINGS.iter().any(|ending| name.ends_with(ending))
}

/// A message on its way in.
#[derive(Default)]
struct Message {
    bytes: Vec<u8>,
    too_large: bool,
}

fn read_mailbox(reader: &mut dyn BufRead, sink: &mut Sink<'_>) -> Flow {
    let mut message: Option<Message> = None;
    let (mut at_line_start, mut after_blank) = (true, true);
    let mut piece = Vec::new();
    loop {
        piece.clear();
        let read = match read_piece(reader, &mut piece, PIECE_BYTES) {
            Ok(read) => read,
            Err(error) => {
                finish(message, sink)?;
                sink.begin_item();
                return sink.unreadable(error);
            }
        };
        if read == LinePiece::End {
            return finish(message, sink);
        }
        if at_line_start && after_blank && is_separator(&piece) {
            finish(message.take(), sink)?;
            message = Some(Message::default());
        } else {
            let line = if at_line_start { unquoted(&piece) } else { &piece };
            let blank_before = message.is_none() && line.iter().all(u8::is_ascii_whitespace);
            if !blank_before {
                message.get_or_insert_default().add(line);
            }
        }
        after_blank = at_line_start && matches!(piece.as_slice(), b"\n" | b"\r\n");
        at_line_start = read == LinePiece::Line;
    }
}

impl Message {
    fn add(&mut self, line: &[u8]) {
        if self.too_large {
            return;
        }
        if self.bytes.len() + line.len() <= MAX_MESSAGE_BYTES {
            self.bytes.extend_from_slice(line);
        } else {
            self.too_large = true;
            self.bytes.truncate(PIECE_BYTES);
            self.bytes.shrink_to_fit();
        }
    }
}

fn finish(message: Option<Message>, sink: &mut Sink<'_>) -> Flow {
    let Some(message) = message else { return Ok(()) };
    sink.begin_item();
    if message.too_large {
        let why = format!("the message is larger than {} MiB", MAX_MESSAGE_BYTES >> 20);
        return sink.reject(Rejected::new(ErrorCode::PayloadTooLarge, why, &message.bytes));
    }
    // The blank line before the next separator belongs to the mailbox.
    let bytes = message.bytes.as_slice();
    let own = bytes.strip_suffix(b"\r\n").or_else(|| bytes.strip_suffix(b"\n"));
    put(sink, own.filter(|own| own.ends_with(b"\n")).unwrap_or(bytes), &[])
}
