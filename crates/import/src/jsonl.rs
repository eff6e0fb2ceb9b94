//! JSON Lines: the physical lines of a reader, one at a time, in bounded memory.

use std::io::{self, BufRead};

use pdpp_contract::ErrorCode;
use pdpp_contract::import::{ImportItem, Rejected};

/// Longest line that is read whole, in bytes.
///
/// The largest field a store keeps may double when JSON escapes it, and still fits.
pub const MAX_LINE_BYTES: usize = 1024 * 1024 * 1024;
/// How much of a longer line is handed on, so that a person can recognise it.
const HEAD_BYTES: usize = 256;
/// Some programs put this in front of a text file. It is no part of the first line.
const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// One line that is not blank.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PhysicalLine {
    /// Its place in the file, from 1; blank lines count.
    pub number: u64,
    /// What stands in it.
    pub content: LineContent,
}

/// What was read of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LineContent {
    /// All of it, without its line break.
    Whole(Vec<u8>),
    /// The line is longer than [`MAX_LINE_BYTES`]; this is how it begins.
    TooLong(Vec<u8>),
}

/// The lines of a reader. After a read error there are no more.
pub struct PhysicalLines<R> {
    reader: R,
    number: u64,
    max_bytes: usize,
    ended: bool,
}

impl<R: BufRead> PhysicalLines<R> {
    /// Reads lines from where `reader` stands.
    pub fn new(reader: R) -> Self {
        Self::with_limit(reader, MAX_LINE_BYTES)
    }

    fn with_limit(reader: R, max_bytes: usize) -> Self {
        Self { reader, number: 0, max_bytes, ended: false }
    }

    /// The next physical line, blank or not; `None` at the end of the reader.
    fn next_physical(&mut self) -> io::Result<Option<LineContent>> {
        let mut line = Vec::new();
        let mut too_long = false;
        let mut any = false;
        loop {
            let available = match self.reader.fill_buf() {
                Ok(available) => available,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            if available.is_empty() {
                break;
            }
            any = true;
            let end = available.iter().position(|&byte| byte == b'\n');
            let part = available.get(..end.unwrap_or(available.len()));
            let part = part.unwrap_or_default();
            // What a line has too much is read and let go, so that the next line is found.
            too_long = too_long || line.len() + part.len() > self.max_bytes;
            if too_long {
                line.extend(part.iter().take(HEAD_BYTES.saturating_sub(line.len())));
                line.truncate(HEAD_BYTES);
                line.shrink_to_fit();
            } else {
                line.extend_from_slice(part);
            }
            let used = part.len() + usize::from(end.is_some());
            self.reader.consume(used);
            if end.is_some() {
                break;
            }
        }
        Ok(match (any, too_long) {
            (false, _) => None,
            (true, true) => Some(LineContent::TooLong(line)),
            (true, false) => Some(LineContent::Whole(line)),
        })
    }
}

impl<R: BufRead> Iterator for PhysicalLines<R> {
    type Item = io::Result<PhysicalLine>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.ended {
            let content = match self.next_physical() {
                Ok(Some(content)) => content,
                Ok(None) => {
                    self.ended = true;
                    return None;
                }
                Err(error) => {
                    self.ended = true;
                    return Some(Err(error));
                }
            };
            self.number += 1;
            let number = self.number;
            match content {
                LineContent::TooLong(_) => return Some(Ok(PhysicalLine { number, content })),
                LineContent::Whole(bytes) => {
                    let bytes = without_marks(bytes, number);
                    if !bytes.iter().all(u8::is_ascii_whitespace) {
                        let content = LineContent::Whole(bytes);
                        return Some(Ok(PhysicalLine { number, content }));
                    }
                }
            }
        }
        None
    }
}

/// The record lines of a reader as items of `source`.
pub fn items<R: BufRead>(
    source: String,
    reader: R,
) -> impl Iterator<Item = io::Result<ImportItem>> {
    PhysicalLines::new(reader).map(move |line| {
        let PhysicalLine { number, content } = line?;
        Ok(match content {
            LineContent::Whole(bytes) => ImportItem::from_line(&source, number, bytes),
            LineContent::TooLong(head) => {
                let content = Err(too_long(&head));
                ImportItem { source: source.clone(), position: number, content }
            }
        })
    })
}

fn too_long(head: &[u8]) -> Rejected {
    let why = format!("the line is longer than {} GiB; split the record", MAX_LINE_BYTES >> 30);
    Rejected::new(ErrorCode::PayloadTooLarge, why, head)
}

/// The line without a carriage return at its end and, if it is the first, a byte order mark.
fn without_marks(mut bytes: Vec<u8>, number: u64) -> Vec<u8> {
    if bytes.last() == Some(&b'\r') {
        bytes.pop();
    }
    if number == 1 && bytes.starts_with(BYTE_ORDER_MARK) {
        bytes.drain(..BYTE_ORDER_MARK.len());
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{BufReader, Cursor, Read};

    /// The lines of `text`, read through a buffer of `buffer` bytes.
    fn lines(text: &[u8], buffer: usize) -> Vec<(u64, String)> {
        let reader = BufReader::with_capacity(buffer, Cursor::new(text));
        let shown = |line: PhysicalLine| match line.content {
            LineContent::Whole(bytes) => (line.number, String::from_utf8(bytes).unwrap()),
            LineContent::TooLong(head) => (line.number, format!("too long, {}", head.len())),
        };
        PhysicalLines::with_limit(reader, 1_000).map(|line| shown(line.unwrap())).collect()
    }

    fn owned(expected: &[(u64, &str)]) -> Vec<(u64, String)> {
        expected.iter().map(|(number, text)| (*number, (*text).to_owned())).collect()
    }

    #[test]
    fn lines_are_the_same_whatever_the_buffer() {
        let text = b"one\n\ntwo\r\n \t\r\nthree";
        for buffer in [1, 2, 3, 7, 64] {
            assert_eq!(lines(text, buffer), owned(&[(1, "one"), (3, "two"), (5, "three")]));
        }
    }

    #[test]
    fn an_empty_reader_has_no_lines() {
        assert_eq!(lines(b"", 8), []);
        assert_eq!(lines(b"\n\n", 8), []);
    }

    #[test]
    fn a_byte_order_mark_is_no_part_of_the_first_line() {
        assert_eq!(lines(b"\xEF\xBB\xBF{}\n", 8), owned(&[(1, "{}")]));
        assert_eq!(lines(b"\xEF\xBB\xBF\n{}\n", 8), owned(&[(2, "{}")]));
    }

    #[test]
    fn a_line_over_the_limit_is_named_and_the_next_one_is_read() {
        let text = format!("{}\n{}\nafter\n", "x".repeat(1_000), "y".repeat(1_001));
        for buffer in [1, 16, 4_096] {
            let found = lines(text.as_bytes(), buffer);
            assert_eq!(found.len(), 3);
            assert_eq!(found[0], (1, "x".repeat(1_000)));
            assert_eq!(found[1], (2, "too long, 256".to_owned()));
            assert_eq!(found[2], (3, "after".to_owned()));
        }
    }

    #[test]
    fn a_read_error_is_the_last_item() {
        struct Broken;
        impl Read for Broken {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                Err(io::Error::other("the disk went away"))
            }
        }
        let reader = BufReader::new(Cursor::new("one\ntwo").chain(Broken));
        let items: Vec<bool> = PhysicalLines::new(reader).map(|line| line.is_ok()).collect();
        assert_eq!(items, [true, false]);
    }
}
