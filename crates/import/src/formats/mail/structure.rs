//! How much structure one message may have. It is counted before the message is parsed: each header field,
//! address and part takes far more memory in the parser than in the file.

use std::mem;

use pdpp_contract::ErrorCode;
use pdpp_contract::import::Rejected;

/// Most bytes of all headers of a message and its parts together.
const MAX_HEADER_BYTES: usize = 2 << 20;
/// Most parts.
const MAX_PARTS: usize = 20_000;
/// Boundaries that are told apart; beyond them every line with two dashes counts as one.
const MAX_BOUNDARIES: usize = 100;
/// Largest message in which another one may be encoded, so that its headers cannot be counted here. The
/// parser goes down into it level by level, and a larger one could hold more levels than a stack does.
const MAX_ENCODED_BYTES: usize = 48 << 10;

const HEADERS: &str = "the headers of this message have over 2 MiB, more than one message may have";
const PARTS: &str = "this message has over 20,000 parts, more than one message may have";
const ENCODED: &str = "this message has over 48 KiB and holds another one in an encoding, which only \
                       smaller ones may";

/// Refuses a message with more headers or parts than one may have.
pub fn check_structure(raw: &[u8]) -> Result<(), Rejected> {
    let refuse = |why| Err(Rejected::new(ErrorCode::PayloadTooLarge, why, raw));
    if raw.len() <= MAX_PARTS {
        return Ok(());
    }
    let mut blocks = Blocks::default();
    for line in raw.split_inclusive(|byte| *byte == b'\n') {
        blocks.take(line);
        if blocks.header_bytes > MAX_HEADER_BYTES {
            return refuse(HEADERS);
        }
        if blocks.parts > MAX_PARTS {
            return refuse(PARTS);
        }
        if blocks.has_encoded && raw.len() > MAX_ENCODED_BYTES {
            return refuse(ENCODED);
        }
    }
    Ok(())
}

/// What was counted so far.
#[derive(Default)]
struct Blocks {
    header_bytes: usize,
    parts: usize,
    /// What parts begin with, without the dashes. An empty one is every line with two dashes.
    boundaries: Vec<Vec<u8>>,
    has_encoded: bool,
    has_digest: bool,
    /// Blocks up to an empty line that were read since the last boundary.
    ended: usize,
    /// What the present header says so far.
    header: Header,
}

#[derive(Default)]
struct Header {
    field: Field,
    /// `Content-Type`, as far as it was read.
    is_message: bool,
    has_type: bool,
    is_encoded: bool,
}

/// The header field that a line belongs to.
#[derive(Default, Clone, Copy, PartialEq, Eq)]
enum Field {
    Type,
    Encoding,
    #[default]
    Other,
}

impl Blocks {
    fn take(&mut self, line: &[u8]) {
        if line.strip_prefix(b"--").is_some_and(|rest| self.is_boundary(rest)) {
            self.parts += 1;
            (self.ended, self.header) = (0, Header::default());
        // The parts of a digest are messages without saying so.
        } else if self.ended == 0 || self.has_digest && self.ended == 1 {
            self.take_header(line);
        }
    }

    fn is_boundary(&self, rest: &[u8]) -> bool {
        self.boundaries.iter().any(|boundary| rest.starts_with(boundary))
    }

    fn take_header(&mut self, line: &[u8]) {
        if line.trim_ascii().is_empty() {
            let Header { is_message, is_encoded, .. } = mem::take(&mut self.header);
            self.has_encoded |= is_message && is_encoded;
            // A message inside begins with a header of its own.
            self.ended = if is_message { 0 } else { self.ended + 1 };
            return;
        }
        self.header_bytes += line.len();
        let header = &mut self.header;
        let is_continued = line.starts_with(b" ") || line.starts_with(b"\t");
        let value = if is_continued {
            line
        } else {
            let colon = line.iter().position(|byte| *byte == b':').unwrap_or(line.len());
            let (name, value) = line.split_at(colon);
            header.field = match name.trim_ascii() {
                name if name.eq_ignore_ascii_case(b"content-type") => Field::Type,
                name if name.eq_ignore_ascii_case(b"content-transfer-encoding") => Field::Encoding,
                _ => Field::Other,
            };
            header.has_type &= header.field != Field::Type;
            value.get(1..).unwrap_or_default()
        };
        let value = value.trim_ascii();
        match header.field {
            Field::Type => {
                // A comment may stand before the type.
                let starts = |word| starts_with(value, word) || value.starts_with(b"(");
                header.is_message |= !header.has_type && starts(b"message");
                header.has_type |= !value.is_empty();
                self.has_digest |= holds(value, b"digest");
                if let Some(boundary) = boundary(value) {
                    let is_many = self.boundaries.len() >= MAX_BOUNDARIES;
                    let boundary = if is_many { Vec::new() } else { boundary };
                    if !self.boundaries.contains(&boundary) {
                        self.boundaries.push(boundary);
                    }
                }
            }
            Field::Encoding => {
                header.is_encoded |= holds(value, b"base64") || holds(value, b"quoted-printable");
            }
            Field::Other => {}
        }
    }
}

/// The boundary that a type names; empty when it is written in a way that is not read here.
fn boundary(value: &[u8]) -> Option<Vec<u8>> {
    const NAME: &[u8] = b"boundary";
    let at = value.windows(NAME.len()).position(|window| window.eq_ignore_ascii_case(NAME))?;
    let rest = value.get(at + NAME.len()..).unwrap_or_default().trim_ascii();
    let rest = rest.strip_prefix(b"=").unwrap_or_default().trim_ascii();
    let (rest, ends): (_, &[u8]) = match rest.strip_prefix(b"\"") {
        Some(rest) => (rest, b"\""),
        None => (rest, b"; \t"),
    };
    let end = rest.iter().position(|byte| ends.contains(byte)).unwrap_or(rest.len());
    let found = rest.get(..end).unwrap_or_default();
    let is_plain = !found.iter().any(|byte| b"\\()".contains(byte));
    Some(if is_plain { found.to_vec() } else { Vec::new() })
}

fn starts_with(text: &[u8], word: &[u8]) -> bool {
    text.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word))
}

/// Whether a text holds a word, whatever its case.
fn holds(text: &[u8], word: &[u8]) -> bool {
    text.windows(word.len()).any(|window| window.eq_ignore_ascii_case(word))
}
