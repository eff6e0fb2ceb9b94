//! The elements of a JSON list, one at a time, however long the list is.
//!
//! A broken element is one rejected item; the next one is still found, by its brackets and quotes.

use std::io::{self, BufRead};

use pdpp_contract::{ErrorCode, Json, JsonObject};

use crate::export::Export;
use crate::sink::{Flow, Sink};
use pdpp_contract::import::Rejected;

/// Largest element that is read.
const MAX_ELEMENT_BYTES: usize = 128 * 1024 * 1024;
/// How much is kept of one that is not.
const HEAD_BYTES: usize = 256;

/// The raw elements of a reader: of one list, or objects one after the other.
pub struct JsonItems<'r> {
    reader: &'r mut dyn BufRead,
    max_bytes: usize,
    in_list: bool,
    ended: bool,
}

impl<'r> JsonItems<'r> {
    /// Reads from where `reader` stands.
    pub fn new(reader: &'r mut dyn BufRead) -> Self {
        Self::with_limit(reader, MAX_ELEMENT_BYTES)
    }

    fn with_limit(reader: &'r mut dyn BufRead, max_bytes: usize) -> Self {
        Self { reader, max_bytes, in_list: false, ended: false }
    }

    /// The next element; `None` after the last.
    pub fn next_item(&mut self) -> io::Result<Option<Result<Vec<u8>, Rejected>>> {
        loop {
            if self.ended {
                return Ok(None);
            }
            let Some(byte) = self.peek()? else {
                self.ended = true;
                let cut = self.in_list.then(|| Err(truncated(&[])));
                return Ok(cut);
            };
            match byte {
                b'[' if !self.in_list => {
                    self.in_list = true;
                    self.reader.consume(1);
                }
                b']' if self.in_list => {
                    self.in_list = false;
                    self.reader.consume(1);
                }
                b',' | b' ' | b'\t' | b'\r' | b'\n' | 0xEF | 0xBB | 0xBF => self.reader.consume(1),
                _ => return self.element().map(Some),
            }
        }
    }

    fn peek(&mut self) -> io::Result<Option<u8>> {
        loop {
            match self.reader.fill_buf() {
                Ok(available) => return Ok(available.first().copied()),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }

    fn element(&mut self) -> io::Result<Result<Vec<u8>, Rejected>> {
        let mut scan = Scan::default();
        let mut bytes = Vec::new();
        let mut too_large = false;
        while !scan.done {
            if self.peek()?.is_none() {
                self.ended = true;
                break;
            }
            let available = self.reader.fill_buf()?;
            let used = scan.take(available);
            let part = available.get(..used).unwrap_or_default();
            too_large = too_large || bytes.len() + part.len() > self.max_bytes;
            if too_large {
                bytes.extend(part.iter().take(HEAD_BYTES.saturating_sub(bytes.len())));
                bytes.truncate(HEAD_BYTES);
            } else {
                bytes.extend_from_slice(part);
            }
            self.reader.consume(used);
        }
        if too_large {
            let why = format!("the item is larger than {} MiB", self.max_bytes >> 20);
            return Ok(Err(Rejected::new(ErrorCode::PayloadTooLarge, why, &bytes)));
        }
        let cut = !scan.done && (scan.depth > 0 || scan.in_string || self.in_list);
        Ok(if cut { Err(truncated(&bytes)) } else { Ok(bytes) })
    }
}

/// Finds the end of a value by its brackets and quotes.
#[derive(Default)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "they are the state of a scanner, set one by one"
)]
struct Scan {
    started: bool,
    depth: usize,
    in_string: bool,
    escaped: bool,
    done: bool,
}

impl Scan {
    /// How many bytes belong to the value; sets `done` at its end.
    fn take(&mut self, bytes: &[u8]) -> usize {
        for (index, &byte) in bytes.iter().enumerate() {
            if self.in_string {
                self.string_byte(byte);
            } else {
                match byte {
                    b'"' => self.in_string = true,
                    b'{' | b'[' => self.depth += 1,
                    b'}' | b']' if self.depth > 1 => self.depth -= 1,
                    b'}' | b']' if self.depth == 1 => self.done = true,
                    b',' | b']' | b'}' | b' ' | b'\n' | b'\r' | b'\t' if self.depth == 0 => {
                        self.done = true;
                        // A stray closing brace is the value itself, or it would never be passed.
                        return index + usize::from(!self.started);
                    }
                    _ => {}
                }
            }
            if self.done {
                return index + 1;
            }
            self.started = true;
        }
        bytes.len()
    }

    fn string_byte(&mut self, byte: u8) {
        match byte {
            _ if self.escaped => self.escaped = false,
            b'\\' => self.escaped = true,
            b'"' => {
                self.in_string = false;
                self.done = self.depth == 0;
            }
            _ => {}
        }
    }
}

fn truncated(bytes: &[u8]) -> Rejected {
    let why = "the file ends in the middle; get the export again";
    Rejected::new(ErrorCode::MalformedRecord, why, bytes)
}

/// Visits every object in the lists of the wanted files; what is no object is rejected.
pub fn each_object(
    export: &Export,
    sink: &mut Sink<'_>,
    wanted: &dyn Fn(&str) -> bool,
    visit: &mut dyn FnMut(&str, JsonObject, &mut Sink<'_>) -> Flow,
) -> Flow {
    export.each(sink, wanted, &mut |name, reader, sink| {
        objects(reader, sink, &mut |object, sink| visit(name, object, sink))
    })
}

/// Visits every object in the list of one file.
pub fn objects(
    reader: &mut dyn BufRead,
    sink: &mut Sink<'_>,
    visit: &mut dyn FnMut(JsonObject, &mut Sink<'_>) -> Flow,
) -> Flow {
    let mut items = JsonItems::new(reader);
    loop {
        sink.begin_item();
        match items.next_item() {
            Ok(None) => return Ok(()),
            Ok(Some(Err(rejected))) => sink.reject(rejected)?,
            Ok(Some(Ok(bytes))) => match object(bytes) {
                Ok(object) => visit(object, sink)?,
                Err(rejected) => sink.reject(rejected)?,
            },
            Err(error) => return sink.unreadable(error),
        }
    }
}

fn object(bytes: Vec<u8>) -> Result<JsonObject, Rejected> {
    let reject = |code, why: &str, bytes: &[u8]| Err(Rejected::new(code, why, bytes));
    let text = match String::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => {
            return reject(ErrorCode::InvalidText, "not valid UTF-8", error.as_bytes());
        }
    };
    match Json::parse(&text) {
        Ok(Json::Object(object)) => Ok(object),
        Ok(_) => reject(ErrorCode::MalformedRecord, "not a JSON object", text.as_bytes()),
        Err(fault) => reject(ErrorCode::MalformedRecord, &fault.to_string(), text.as_bytes()),
    }
}

#[cfg(test)]
mod tests {
    use std::io::{BufReader, Cursor};

    use proptest::prelude::*;

    use super::*;

    fn items(text: &[u8], buffer: usize) -> Vec<Result<String, ErrorCode>> {
        let mut reader = BufReader::with_capacity(buffer, Cursor::new(text));
        let mut items = JsonItems::with_limit(&mut reader, 20);
        let mut found = Vec::new();
        while let Some(item) = items.next_item().unwrap() {
            found.push(match item {
                Ok(bytes) => Ok(String::from_utf8_lossy(&bytes).into_owned()),
                Err(rejected) => Err(rejected.code),
            });
        }
        found
    }

    fn good(texts: &[&str]) -> Vec<Result<String, ErrorCode>> {
        texts.iter().map(|text| Ok((*text).to_owned())).collect()
    }

    #[test]
    fn elements_are_found_whatever_the_buffer() {
        for buffer in [1, 2, 5, 64] {
            let list = br#" [ {"a":"]\"}"} , 12,"x" ,[1,[2]],null] "#;
            let wanted = good(&[r#"{"a":"]\"}"}"#, "12", r#""x""#, "[1,[2]]", "null"]);
            assert_eq!(items(list, buffer), wanted);
            assert_eq!(items(b"{\"a\":1}\n{\"b\":2}", buffer), good(&["{\"a\":1}", "{\"b\":2}"]));
            assert_eq!(items(b"[]", buffer), []);
        }
    }

    #[test]
    fn what_is_cut_or_too_large_is_rejected_and_the_rest_is_read() {
        let long = format!("[{{\"a\":\"{}\"}},{{}}]", "x".repeat(30));
        assert_eq!(items(long.as_bytes(), 7)[0], Err(ErrorCode::PayloadTooLarge));
        assert_eq!(items(long.as_bytes(), 7)[1], Ok("{}".to_owned()));
        assert_eq!(items(b"[{}, {\"a\"", 3)[1], Err(ErrorCode::MalformedRecord));
        assert_eq!(items(b"[{}", 3)[1], Err(ErrorCode::MalformedRecord));
    }

    proptest! {
        #[test]
        fn any_bytes_come_to_an_end(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            prop_assert!(items(&bytes, 3).len() <= bytes.len() + 1);
        }
    }
}
