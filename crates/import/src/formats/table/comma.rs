//! `csv`: one row is one record; the first row holds the headings.

use std::collections::BTreeMap;
use std::io::{self, BufRead};

use csv::{ErrorKind, ReaderBuilder, StringRecord};
use pdpp_contract::{ErrorCode, JsonObject, SourceDeclaration, StreamDeclaration};

use super::caps::{Caps, too_many_columns};
use super::column::ColumnProfile;
use super::declare::{FoundField, FoundStream, declaration};
use super::row::{KeyCheck, Repeats, cell, key_candidate, put};
use super::{Inferred, names, scan};
use crate::detect::FileHead;
use crate::export::Export;
use crate::format::{Format, Importer, Recognise};
use crate::sink::{Flow, Sink, Stop};
use pdpp_contract::import::Rejected;

/// Tables.
pub static CSV: Format = Format {
    name: "csv",
    help: "Read tables; column types are detected",
    reads: "tables",
    recognise: Recognise { rank: 5, by_names: None, by_head: Some(begins_as_table) },
    importer: Importer::Inferred {
        infer,
        import,
        streams: "one per kind of file",
        takes_stream: true,
    },
};

/// A row beyond this is not a row.
const MAX_ROW_BYTES: usize = 64 * 1024 * 1024;

/// Whether the file's name says that it is a table.
fn is_table(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    [".csv", ".tsv", ".txt"].iter().any(|ending| name.ends_with(ending))
}

fn begins_as_table(head: &FileHead<'_>) -> bool {
    is_table(head.name) && head.first_line().contains([',', ';', '\t'])
}

#[derive(Default)]
struct TableProfile {
    /// Fields in the order in which they were met.
    order: Vec<(String, String)>,
    columns: BTreeMap<String, ColumnProfile>,
    key: Option<(String, KeyCheck)>,
}

/// Looks at every cell and says what the tables look like.
fn infer(export: &Export, stream: Option<&str>) -> io::Result<Inferred> {
    let mut found: BTreeMap<String, TableProfile> = BTreeMap::new();
    let mut caps = Caps::default();
    let fault = scan(|sink| {
        export.each(sink, &is_table, &mut |name, reader, sink| {
            let stream = stream.map_or_else(|| names::stream_of(name), str::to_owned);
            let mut fields = Vec::new();
            rows(reader, sink, &mut |row, _| {
                let table = found.entry(stream.clone()).or_default();
                if fields.is_empty() {
                    fields = begin(table, &stream, row);
                    let allowed = caps.allow_fields(&stream, table.order.len())
                        && caps.allow_tables(found.len());
                    return if allowed { Ok(()) } else { Err(Stop::Cancelled) };
                }
                inspect(table, &fields, row, &mut caps);
                Ok(())
            })
        })
    })?;
    let streams = found.into_iter().map(|(name, table)| found_stream(name, table)).collect();
    let declaration = declaration("csv", "CSV", streams);
    Ok(Inferred { declaration, state: None, fault, too_much: caps.reached })
}

fn begin(table: &mut TableProfile, stream: &str, headings: &StringRecord) -> Vec<String> {
    let fields = names::distinct(headings.iter().map(str::to_owned));
    for (field, heading) in fields.iter().zip(headings) {
        if !table.columns.contains_key(field) {
            table.order.push((field.clone(), heading.to_owned()));
            table.columns.insert(field.clone(), ColumnProfile::default());
        }
    }
    let all: Vec<&str> = fields.iter().map(String::as_str).collect();
    if table.key.is_none() {
        let key = key_candidate(stream, &all);
        table.key = key.map(|name| (name.to_owned(), KeyCheck::default()));
    }
    fields
}

fn inspect(table: &mut TableProfile, fields: &[String], row: &StringRecord, caps: &mut Caps) {
    for (field, cell) in fields.iter().zip(row) {
        if let Some(column) = table.columns.get_mut(field) {
            column.see_cell(cell.trim());
        }
    }
    if let Some((name, check)) = &mut table.key {
        let at = fields.iter().position(|field| field == name);
        check.see(at.and_then(|at| row.get(at)).map(str::trim), caps);
    }
}

fn found_stream(name: String, table: TableProfile) -> FoundStream {
    let key = table.key.filter(|(_, check)| check.holds()).map(|(name, _)| name);
    let field = |(name, heading): (String, String)| {
        let column = table.columns.get(&name).cloned().unwrap_or_default();
        let (schema, groups) = (column.schema(true), column.is_short());
        FoundField { name, heading: Some(heading), schema, groups }
    };
    let fields = table.order.into_iter().map(field).collect();
    FoundStream { name, fields, key: key.into_iter().collect() }
}

/// Reads every row by the declaration. Columns that it does not name are left out.
fn import(export: &Export, source: &SourceDeclaration, sink: &mut Sink<'_>) -> Flow {
    let mut repeats = Repeats::default();
    export.each(sink, &is_table, &mut |name, reader, sink| {
        let own = source.stream(&names::stream_of(name));
        let Some(stream) = own.or(source.streams.first()) else { return Ok(()) };
        let mut fields = Vec::new();
        rows(reader, sink, &mut |row, sink| {
            if fields.is_empty() {
                fields = names::distinct(row.iter().map(str::to_owned));
                return Ok(());
            }
            if row.len() > fields.len() {
                let why = "the row has more cells than there are headings";
                let item = row.iter().collect::<Vec<_>>().join(",");
                return sink.reject(Rejected::new(ErrorCode::InvalidRecord, why, item.as_bytes()));
            }
            let data = record(stream, &fields, row, sink);
            put(stream, data, &mut repeats, sink)
        })
    })
}

fn record(
    stream: &StreamDeclaration,
    fields: &[String],
    row: &StringRecord,
    sink: &Sink<'_>,
) -> JsonObject {
    let mut data = JsonObject::new();
    for (field, text) in fields.iter().zip(row) {
        let text = text.trim();
        if let (Some(kind), false) = (stream.field_kind(field), text.is_empty()) {
            data.insert(field.clone(), cell(text.to_owned(), kind, sink.zone()));
        }
    }
    data
}

/// Visits every row, the headings first; what is no row is rejected.
fn rows(
    reader: &mut dyn BufRead,
    sink: &mut Sink<'_>,
    visit: &mut dyn FnMut(&StringRecord, &mut Sink<'_>) -> Flow,
) -> Flow {
    let mut marked =
        WithoutMark { reader, at_start: true, row_bytes: 0, odd_quotes: false, at_end: false };
    let separator = match marked.separator() {
        Ok(separator) => separator,
        Err(error) => return sink.unreadable(error),
    };
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
                visit(&row, sink)?;
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

    /// The separator that the first line uses most.
    fn separator(&mut self) -> io::Result<u8> {
        let head = self.reader.fill_buf()?;
        let line = head.split(|&byte| byte == b'\n').next().unwrap_or_default();
        let count = |wanted: u8| line.split(|&byte| byte == wanted).count();
        // Of equally frequent ones the first named wins.
        let best = [b',', b';', b'\t', b'|'].into_iter().rev().max_by_key(|one| count(*one));
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
