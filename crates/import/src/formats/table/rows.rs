//! The rows of a table, as its layout says: decoded, without what stands above and below it.

use std::io::{self, BufRead, Read};

use csv::{ErrorKind, ReaderBuilder, StringRecord};
use encoding_rs_io::DecodeReaderBytesBuilder;
use pdpp_contract::ErrorCode;
use pdpp_contract::import::Rejected;

use super::caps::too_many_columns;
use super::layout::TableLayout;
use crate::sink::{Flow, Sink};

/// Decoded bytes in which the separator is looked for.
const HEAD_BYTES: u64 = 16 * 1024;
/// Lines that are looked at to find the separator.
const HEAD_LINES: usize = 60;
/// A row beyond this is not a row.
const MAX_ROW_BYTES: usize = 64 * 1024 * 1024;

/// Visits every row of the table, the headings first; what is no row is rejected.
pub fn rows(
    reader: &mut dyn BufRead,
    layout: &TableLayout,
    sink: &mut Sink<'_>,
    visit: &mut dyn FnMut(&StringRecord, &mut Sink<'_>) -> Flow,
) -> Flow {
    if layout.encoding == encoding_rs::UTF_8 {
        return decoded_rows(reader, layout, sink, visit);
    }
    let mut builder = DecodeReaderBytesBuilder::new();
    let mut decoder = builder.encoding(Some(layout.encoding)).build(reader);
    // A decoder begins with a few bytes; the separator is found in more.
    let mut head = Vec::new();
    if let Err(error) = decoder.by_ref().take(HEAD_BYTES).read_to_end(&mut head) {
        return sink.unreadable(error);
    }
    let whole = io::BufReader::with_capacity(
        head.len().max(8 * 1024),
        io::Cursor::new(head).chain(decoder),
    );
    decoded_rows(&mut { whole }, layout, sink, visit)
}

fn decoded_rows(
    reader: &mut dyn BufRead,
    layout: &TableLayout,
    sink: &mut Sink<'_>,
    visit: &mut dyn FnMut(&StringRecord, &mut Sink<'_>) -> Flow,
) -> Flow {
    let mut marked =
        WithoutMark { reader, at_start: true, row_bytes: 0, odd_quotes: false, at_end: false };
    let separator = match marked.separator() {
        Ok(separator) => separator,
        Err(error) => return sink.unreadable(error),
    };
    let mut number = 0;
    let mut builder = ReaderBuilder::new();
    builder.has_headers(false).flexible(true).delimiter(separator);
    let mut table = builder.from_reader(marked);
    let mut row = StringRecord::new();
    let mut has_headings = false;
    loop {
        table.get_mut().row_bytes = 0;
        sink.begin_item();
        match table.read_record(&mut row) {
            Ok(true) if row.iter().all(|cell| cell.trim().is_empty()) => {}
            Ok(true) if table.get_ref().is_inside_quotes() && runs_on(&row) => {
                let why = "a quote is opened in this row and never closed";
                let item = row.iter().collect::<Vec<_>>().join(",");
                sink.reject(Rejected::new(ErrorCode::MalformedRecord, why, item.as_bytes()))?;
            }
            Ok(true) => {
                if let (false, Some(why)) = (has_headings, too_many_columns(row.len())) {
                    return sink.reject(Rejected::new(ErrorCode::PayloadTooLarge, why, &[]));
                }
                has_headings = true;
                let is_row =
                    number >= layout.preamble && layout.footer.is_none_or(|end| number < end);
                number += 1;
                if is_row {
                    visit(&row, sink)?;
                }
            }
            Ok(false) => return Ok(()),
            Err(error) => {
                let text = error.to_string();
                match error.into_kind() {
                    ErrorKind::Io(error) => return sink.unreadable(error),
                    // Without its headings the next row would be taken for them.
                    ErrorKind::Utf8 { .. } if !has_headings => {
                        let why = "the headings are not valid UTF-8; convert the file first";
                        return sink.reject(Rejected::new(ErrorCode::InvalidText, why, &[]));
                    }
                    ErrorKind::Utf8 { .. } => {
                        let why = "the row is not valid UTF-8; convert the file first";
                        sink.reject(Rejected::new(ErrorCode::InvalidText, why, &[]))?;
                    }
                    _ => sink.reject(Rejected::new(ErrorCode::MalformedRecord, text, &[]))?,
                }
            }
        }
    }
}

/// Whether the last cell goes over the end of a line.
fn runs_on(row: &StringRecord) -> bool {
    row.iter().next_back().is_some_and(|cell| cell.contains('\n'))
}

/// A reader without its byte order mark, that gives up on a row without end.
struct WithoutMark<'r> {
    reader: &'r mut dyn BufRead,
    at_start: bool,
    row_bytes: usize,
    odd_quotes: bool,
    at_end: bool,
}

impl WithoutMark<'_> {
    /// Whether the table ended and one of its quotes has no partner.
    fn is_inside_quotes(&self) -> bool {
        self.at_end && self.odd_quotes
    }

    /// The separator that most of the first lines use equally often.
    fn separator(&mut self) -> io::Result<u8> {
        let head = self.reader.fill_buf()?;
        let lines: Vec<&[u8]> = head.split(|&byte| byte == b'\n').take(HEAD_LINES).collect();
        let score = |wanted: u8| {
            let count = |line: &&[u8]| line.split(|&byte| byte == wanted).count() - 1;
            let counts: Vec<usize> = lines.iter().map(count).collect();
            let lines_with = |count: usize| counts.iter().filter(|other| **other == count).count();
            let used = counts.iter().filter(|count| **count > 0);
            used.map(|count| (lines_with(*count), *count)).max().unwrap_or_default()
        };
        // Of equally good ones the first named wins.
        let best = [b',', b';', b'\t', b'|'].into_iter().rev().max_by_key(|one| score(*one));
        Ok(best.unwrap_or(b','))
    }
}

impl io::Read for WithoutMark<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if std::mem::take(&mut self.at_start)
            && self.reader.fill_buf()?.starts_with(b"\xEF\xBB\xBF")
        {
            self.reader.consume(3);
        }
        let read = io::Read::read(&mut self.reader, buffer)?;
        self.row_bytes += read;
        self.at_end |= read == 0;
        let bytes = buffer.get(..read).unwrap_or_default();
        let odd = bytes.iter().fold(false, |odd, &byte| odd != (byte == b'"'));
        self.odd_quotes = self.odd_quotes != odd;
        if self.row_bytes > MAX_ROW_BYTES {
            let why = "a row without end; is a quote missing?";
            return Err(io::Error::new(io::ErrorKind::InvalidInput, why));
        }
        Ok(read)
    }
}
