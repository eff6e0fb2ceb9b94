//! Physical lines of any length, in pieces of bounded size.

use std::io::{self, BufRead};

/// What was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LinePiece {
    /// Nothing: the reader is at its end.
    End,
    /// A line, or the last piece of one.
    Line,
    /// As much of a line as was asked for; it goes on.
    Part,
}

/// Appends the next line to `into`, its line break included, or the first `max_bytes` of it.
pub fn read_piece(
    reader: &mut dyn BufRead,
    into: &mut Vec<u8>,
    max_bytes: usize,
) -> io::Result<LinePiece> {
    let mut left = max_bytes;
    let mut any = false;
    while left > 0 {
        let available = match reader.fill_buf() {
            Ok(available) => available,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        if available.is_empty() {
            return Ok(if any { LinePiece::Line } else { LinePiece::End });
        }
        any = true;
        let near = available.get(..available.len().min(left)).unwrap_or_default();
        let end = near.iter().position(|&byte| byte == b'\n');
        let used = end.map_or(near.len(), |end| end + 1);
        into.extend_from_slice(near.get(..used).unwrap_or_default());
        left -= used;
        reader.consume(used);
        if end.is_some() {
            return Ok(LinePiece::Line);
        }
    }
    Ok(LinePiece::Part)
}

/// A line that is read whole, or is too long and passed over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TextLine {
    /// The line without its line break.
    Whole(String),
    /// Not valid UTF-8; these are its bytes.
    NotText(Vec<u8>),
    /// Longer than asked; this is how it begins.
    TooLong(Vec<u8>),
}

/// The next line as text, blank or not; `None` at the end.
pub fn read_text_line(reader: &mut dyn BufRead, max_bytes: usize) -> io::Result<Option<TextLine>> {
    let mut line = Vec::new();
    match read_piece(reader, &mut line, max_bytes)? {
        LinePiece::End => return Ok(None),
        LinePiece::Line => {}
        LinePiece::Part => {
            let mut rest = Vec::new();
            while read_piece(reader, &mut rest, max_bytes)? == LinePiece::Part {
                rest.clear();
            }
            line.truncate(256);
            return Ok(Some(TextLine::TooLong(line)));
        }
    }
    while line.last().is_some_and(|byte| matches!(byte, b'\n' | b'\r')) {
        line.pop();
    }
    Ok(Some(match String::from_utf8(line) {
        Ok(text) => TextLine::Whole(text),
        Err(error) => TextLine::NotText(error.into_bytes()),
    }))
}
