//! `csv`: one row is one record; the first row holds the headings.

use std::collections::BTreeMap;
use std::io;

use csv::StringRecord;
use jiff::tz::TimeZone;
use pdpp_contract::declaration::FieldKind;
use pdpp_contract::{ErrorCode, Json, JsonObject, SourceDeclaration, StreamDeclaration};

use super::caps::Caps;
use super::column::ColumnProfile;
use super::declare::{FoundField, FoundStream, declaration};
use super::layout::{Layouts, TableLayout};
use super::row::{KeyCheck, Repeats, RowNames, cell, key_candidate, put_named};
use super::rows::rows;
use super::written::CellStyle;
use super::{Inferred, names, scan};
use crate::export::Export;
use crate::format::{Format, Importer, Recognise};
use crate::sink::{Flow, Sink, Stop};
use crate::survey::{Candidate, Claim, is_hidden};
use pdpp_contract::import::Rejected;

/// Tables.
pub static CSV: Format = Format {
    name: "csv",
    help: "Read tables; column types are detected",
    reads: "tables",
    recognise: Recognise { rank: 5, claims, beside: None, counts: None },
    importer: Importer::Inferred {
        infer,
        import,
        streams: "one per kind of file",
        takes_stream: true,
    },
};

/// A table begins within so many rows.
const MAX_PREAMBLE_ROWS: usize = 40;

/// Whether the file's name says that it is a table.
pub(super) fn is_table(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    [".csv", ".tsv", ".txt"].iter().any(|ending| name.ends_with(ending))
}

/// A text file is a table only when several lines have equally many cells: prose has commas, too.
fn claims(file: &Candidate<'_>) -> Option<Claim> {
    if !is_table(file.name()) || is_hidden(file.name()) {
        return None;
    }
    let cells = |line: &str| line.matches(['\t', ';']).count();
    let is_own = if file.ends_with(&[".txt"]) {
        let first: Vec<usize> = file.head().lines().take(3).map(cells).collect();
        first.len() > 1 && first.iter().all(|count| *count > 0 && Some(count) == first.first())
    } else {
        file.head().lines().take(MAX_PREAMBLE_ROWS).any(|line| line.contains([',', ';', '\t']))
    };
    is_own.then(Claim::file)
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
    let layouts = Layouts::of(export)?;
    let fault = scan(|sink| {
        export.each(sink, &is_table, &mut |name, reader, sink| {
            let layout = layouts.find(sink.root(), name);
            let own = || layout.kind.map_or_else(|| names::stream_of(name), str::to_owned);
            let stream = stream.map_or_else(own, str::to_owned);
            let mut fields = Vec::new();
            rows(reader, &layout, sink, &mut |row, _| {
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
    let mut found: Vec<FoundField> = Vec::new();
    for (name, heading) in &table.order {
        let column = table.columns.get(name).cloned().unwrap_or_default();
        let (schema, groups) = (column.cell_schema(heading), column.is_short());
        let (name, heading) = (name.clone(), Some(heading.clone()));
        found.push(FoundField { name, heading, schema, groups });
    }
    let comma = CellStyle::DecimalComma.name();
    let has_commas =
        found.iter().any(|field| field.schema.get("written_as") == Some(&comma.into()));
    for field in found.iter_mut().filter(|_| has_commas) {
        let column = table.columns.get(&field.name);
        if let Some(schema) = column.and_then(ColumnProfile::grouped_schema) {
            field.schema = schema;
        }
    }
    FoundStream { name, fields: found, key: key.into_iter().collect() }
}

/// Reads every row by the declaration. Columns that it does not name are left out.
fn import(export: &Export, source: &SourceDeclaration, sink: &mut Sink<'_>) -> Flow {
    let mut repeats = Repeats::default();
    let layouts = Layouts::of(export).map_err(Stop::Failed)?;
    export.each(sink, &is_table, &mut |name, reader, sink| {
        let layout = layouts.find(sink.root(), name);
        // A stream that an earlier version named after the file goes on.
        let own = source.stream(&names::stream_of(name));
        let own = own.or_else(|| source.stream(layout.kind?));
        let Some(stream) = own.or(source.streams.first()) else { return Ok(()) };
        state_layout(name, &layout, sink);
        state_ways(stream, sink);
        let mut fields = Vec::new();
        rows(reader, &layout, sink, &mut |row, sink| {
            if fields.is_empty() {
                let names = names::distinct(row.iter().map(str::to_owned));
                let columns = names.into_iter().map(|name| DeclaredColumn::of(stream, name));
                fields = columns.collect();
                return Ok(());
            }
            if row.iter().skip(fields.len()).any(|cell| !cell.trim().is_empty()) {
                let why = "the row has more cells than there are headings";
                let item = row.iter().collect::<Vec<_>>().join(",");
                return sink.reject(Rejected::new(ErrorCode::InvalidRecord, why, item.as_bytes()));
            }
            let (data, names) = record(&fields, row, sink);
            put_named(stream, data, &names, &mut repeats, sink)
        })
    })
}

/// Says what was assumed about a file.
fn state_layout(name: &str, layout: &TableLayout, sink: &Sink<'_>) {
    if layout.encoding != encoding_rs::UTF_8 {
        sink.note(format!("{name} was read as {}", layout.encoding.name()));
    }
    if layout.preamble > 0 {
        sink.note(format!("{name}: {} above the headings left out", row_count(layout.preamble)));
    }
    if layout.footer_rows > 0 {
        sink.note(format!("{name}: {} below the table left out", row_count(layout.footer_rows)));
    }
}

fn row_count(rows: u64) -> String {
    if rows == 1 { "1 row".to_owned() } else { format!("{rows} rows") }
}

/// Says how the columns of a stream are written.
fn state_ways(stream: &StreamDeclaration, sink: &Sink<'_>) {
    let properties = stream.schema.get("properties").and_then(|all| all.as_object());
    for (field, property) in properties.into_iter().flatten() {
        if let Some(way) = property.get("written_as").and_then(|way| way.as_str()) {
            sink.note(format!(
                "{}.{field} was read as {way}; to change it, edit written_as in the declaration",
                stream.name
            ));
        }
    }
}

/// A row as a record, and as the text that names it where it has no key: what was written, so that
/// another way of reading its cells, or another zone, does not make another record of it.
fn record(
    columns: &[DeclaredColumn],
    row: &StringRecord,
    sink: &Sink<'_>,
) -> (JsonObject, RowNames) {
    let (mut data, mut written) = (JsonObject::new(), JsonObject::new());
    let mut former = JsonObject::new();
    for (column, text) in columns.iter().zip(row) {
        let text = text.trim();
        if let (Some(kind), false) = (column.kind, text.is_empty()) {
            let read = |zone: &TimeZone| cell(text.to_owned(), (kind, column.written), zone);
            let value = read(sink.zone());
            let is_time = kind == FieldKind::DateTime && value.as_str() != Some(text);
            if is_time {
                sink.local_zone();
            }
            let before = match column.written {
                Some(CellStyle::SerialDay) => Json::Number(text.to_owned()),
                Some(_) => Json::String(text.to_owned()),
                None if is_time => read(&TimeZone::UTC),
                None => value.clone(),
            };
            let then = if column.written.is_some() { before.clone() } else { value.clone() };
            former.insert(column.name.clone(), then);
            written.insert(column.name.clone(), before);
            data.insert(column.name.clone(), value);
        }
    }
    let former = (former != written).then_some(former);
    (data, RowNames { written, former })
}

/// A column of a file, as the declaration describes it.
struct DeclaredColumn {
    name: String,
    /// None for a column that is left out.
    kind: Option<FieldKind>,
    written: Option<CellStyle>,
}

impl DeclaredColumn {
    fn of(stream: &StreamDeclaration, name: String) -> Self {
        let kind = stream.field_kind(&name);
        let property = stream.schema.get("properties").and_then(|all| all.get(&name));
        let way = property.and_then(|property| property.get("written_as"));
        let written = way.and_then(|way| CellStyle::find(way.as_str()?));
        Self { name, kind, written }
    }
}
