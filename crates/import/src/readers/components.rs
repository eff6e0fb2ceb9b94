//! The parts of a calendar or address book file, one at a time: what stands between `BEGIN` and `END`.

use std::io::{self, BufRead};

use pdpp_contract::ErrorCode;

use crate::readers::lines::{LinePiece, read_piece};
use pdpp_contract::import::Rejected;

/// Longest line and largest component that are read; pictures are inside.
const MAX_BYTES: usize = 32 * 1024 * 1024;
/// Most fields and values of one component. The parser takes some hundred bytes for each, however short
/// it is in the file.
const MAX_FIELDS: usize = 50_000;
/// How deep components may stand inside each other.
const MAX_DEPTH: usize = 100;
/// Components that never stand inside each other: where one begins, another has lost its end.
const NEVER_INSIDE: [&str; 6] = ["VCALENDAR", "VEVENT", "VTODO", "VJOURNAL", "VTIMEZONE", "VCARD"];
/// How much is kept of a larger one.
const HEAD_BYTES: usize = 256;

/// A component or a line that stands outside the wanted ones.
#[derive(Debug, PartialEq, Eq)]
pub enum ComponentPart {
    /// A whole component: its name in capitals, and its text from `BEGIN` to `END`.
    Component(String, String),
    /// A line between components.
    Line(String),
    /// What could not be read.
    Rejected(Rejected),
}

/// The components of a file. A component named in `opened` is entered: its parts come one by one.
pub struct Components<'r> {
    reader: &'r mut dyn BufRead,
    opened: &'static [&'static str],
    /// The first line of a component that begins where another should have ended.
    pending: Option<Vec<u8>>,
}

impl<'r> Components<'r> {
    /// Reads from where `reader` stands.
    pub fn new(reader: &'r mut dyn BufRead, opened: &'static [&'static str]) -> Self {
        Self { reader, opened, pending: None }
    }

    /// The next part; `None` at the end of the file.
    pub fn next_part(&mut self) -> io::Result<Option<ComponentPart>> {
        loop {
            let pending = self.pending.take();
            let read_on = pending.is_none();
            let mut line = pending.unwrap_or_default();
            if read_on {
                match read_piece(self.reader, &mut line, MAX_BYTES)? {
                    LinePiece::End => return Ok(None),
                    LinePiece::Part => return self.too_large(&line).map(Some),
                    LinePiece::Line => {}
                }
            }
            if line.iter().all(u8::is_ascii_whitespace) {
                continue;
            }
            match named(&line, b"BEGIN:").filter(|name| !self.opened.contains(&name.as_str())) {
                Some(name) => return self.component(name, line).map(Some),
                None => {
                    return Ok(Some(
                        text(line).map_or_else(ComponentPart::Rejected, ComponentPart::Line),
                    ));
                }
            }
        }
    }

    fn component(&mut self, name: String, mut bytes: Vec<u8>) -> io::Result<ComponentPart> {
        let mut open = vec![name.clone()];
        let mut fields = 0;
        let mut excess = None;
        while !open.is_empty() {
            let from = bytes.len();
            let ended = read_piece(self.reader, &mut bytes, MAX_BYTES)? == LinePiece::End;
            let line = bytes.get(from..).unwrap_or_default();
            let begins = named(line, b"BEGIN:");
            let astray = begins.as_deref().is_some_and(|name| NEVER_INSIDE.contains(&name));
            if ended || astray {
                self.pending = astray.then(|| line.to_vec());
                let why = format!("{name} has no end");
                bytes.truncate(from);
                return Ok(rejected(ErrorCode::MalformedRecord, why, &bytes));
            }
            fields += fields_in(line);
            if excess.is_none() {
                open.extend(begins);
            }
            if let Some(ends) = named(line, b"END:") {
                // What was left open inside ends here too.
                open.truncate(open.iter().position(|name| *name == ends).unwrap_or(open.len()));
            }
            excess = excess.or_else(|| excess_of(bytes.len(), fields, open.len()));
            if excess.is_some() {
                bytes.truncate(HEAD_BYTES);
            }
        }
        if let Some(excess) = excess {
            return Ok(rejected(ErrorCode::PayloadTooLarge, format!("{name} {excess}"), &bytes));
        }
        Ok(text(bytes)
            .map_or_else(ComponentPart::Rejected, |text| ComponentPart::Component(name, text)))
    }

    fn too_large(&mut self, head: &[u8]) -> io::Result<ComponentPart> {
        let mut rest = Vec::new();
        while read_piece(self.reader, &mut rest, MAX_BYTES)? == LinePiece::Part {
            rest.clear();
        }
        let head = head.get(..HEAD_BYTES).unwrap_or(head);
        Ok(rejected(ErrorCode::PayloadTooLarge, "a line without end".to_owned(), head))
    }
}

/// What a component has more of than one may have.
fn excess_of(size_bytes: usize, fields: usize, depth: usize) -> Option<&'static str> {
    if size_bytes > MAX_BYTES {
        Some("is larger than 32 MiB")
    } else if fields > MAX_FIELDS {
        Some("has over 50,000 fields and values, more than one may have")
    } else if depth > MAX_DEPTH {
        Some("holds components at more than 100 levels")
    } else {
        None
    }
}

/// At least as many fields and values as the parser finds in a line. A folded line goes on with the
/// field before it.
fn fields_in(line: &[u8]) -> usize {
    let is_folded = line.first().is_some_and(|byte| matches!(byte, b' ' | b'\t'));
    let separators = line.iter().filter(|byte| matches!(byte, b',' | b';')).count();
    separators + usize::from(!is_folded)
}

/// The name after `BEGIN:` or `END:`, in capitals.
fn named(line: &[u8], keyword: &[u8]) -> Option<String> {
    let line = line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line);
    let (head, name) = line.split_at_checked(keyword.len())?;
    let name = std::str::from_utf8(name).ok()?.trim();
    // It is named in rejections, so it must be a name and no more.
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    let is_named = head.eq_ignore_ascii_case(keyword) && name.len() <= 64;
    (is_named && name.bytes().all(is_name)).then(|| name.to_ascii_uppercase())
}

fn text(bytes: Vec<u8>) -> Result<String, Rejected> {
    String::from_utf8(bytes).map_err(|error| {
        let why = "not valid UTF-8; convert the file first";
        Rejected::new(ErrorCode::InvalidText, why, error.as_bytes())
    })
}

fn rejected(code: ErrorCode, why: String, item: &[u8]) -> ComponentPart {
    ComponentPart::Rejected(Rejected::new(code, why, item))
}
