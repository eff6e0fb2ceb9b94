//! `json`: a list of objects, or objects one after the other; each is one record.

use std::collections::BTreeMap;
use std::io;

use pdpp_contract::key::key_part;
use pdpp_contract::one_line::is_unsafe;
use pdpp_contract::{FieldName, Json, JsonObject, SourceDeclaration};

use super::caps::Caps;
use super::column::{ColumnKind, ColumnProfile};
use super::declare::{FoundField, FoundStream, declaration};
use super::row::{KeyCheck, Repeats, key_candidate, put};
use super::{Inferred, names, scan};
use crate::export::Export;
use crate::format::{Format, Importer, Recognise};
use crate::readers::json_list::each_object;
use crate::sink::{Flow, Sink, Stop};
use crate::survey::{Candidate, Claim, is_hidden};

/// Lists of JSON objects.
pub static JSON: Format = Format {
    name: "json",
    help: "Read lists of JSON objects; field types are detected",
    reads: "lists of objects",
    recognise: Recognise { rank: 10, claims, beside: None, counts: None },
    importer: Importer::Inferred {
        infer,
        import,
        streams: "one per kind of file",
        takes_stream: true,
    },
};

/// Whether the file's name says that it is JSON.
fn is_json(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    [".json", ".jsonl", ".ndjson"].iter().any(|ending| name.ends_with(ending))
}

/// Only lists of objects: one object alone is some program's document, of which nothing could be
/// found again.
fn claims(file: &Candidate<'_>) -> Option<Claim> {
    if !is_json(file.name()) || is_hidden(file.name()) {
        return None;
    }
    let head = file.head();
    let is_own = match head.strip_prefix('[') {
        Some(list) => list.trim_start().starts_with('{'),
        None => {
            let mut lines = head.lines().filter(|line| !line.trim().is_empty());
            let is_object = |line: &str| line.starts_with('{') && line.trim_end().ends_with('}');
            lines.next().is_some_and(is_object) && !file.ends_with(&[".json"])
                || head.lines().filter(|line| is_object(line)).take(2).count() == 2
        }
    };
    is_own.then(Claim::file)
}

#[derive(Default)]
struct TableProfile {
    columns: BTreeMap<String, ColumnProfile>,
    keys: BTreeMap<String, KeyCheck>,
    records: usize,
    present: BTreeMap<String, usize>,
}

/// Looks at every object and says what they look like.
fn infer(export: &Export, stream: Option<&str>) -> io::Result<Inferred> {
    let mut found: BTreeMap<String, TableProfile> = BTreeMap::new();
    let mut caps = Caps::default();
    let fault = scan(|sink| {
        each_object(export, sink, &is_json, &mut |name, object, _| {
            let stream = stream.map_or_else(|| names::stream_of(name), str::to_owned);
            let table = found.entry(stream.clone()).or_default();
            inspect(table, &stream, &with_sound_names(object), &mut caps);
            let allowed =
                caps.allow_fields(&stream, table.columns.len()) && caps.allow_tables(found.len());
            if allowed { Ok(()) } else { Err(Stop::Cancelled) }
        })
    })?;
    let streams = found.into_iter().map(|(name, found)| found_stream(name, &found)).collect();
    let declaration = declaration("json", "Records", streams);
    Ok(Inferred { declaration, state: None, fault, too_much: caps.reached })
}

fn inspect(found: &mut TableProfile, stream: &str, object: &JsonObject, caps: &mut Caps) {
    found.records += 1;
    for (name, value) in object {
        found.columns.entry(name.clone()).or_default().see_json(value);
        *found.present.entry(name.clone()).or_default() += 1;
    }
    let all: Vec<&str> = object.keys().map(String::as_str).collect();
    if let Some(name) = key_candidate(stream, &all) {
        let value = object.get(name).and_then(key_part);
        found.keys.entry(name.to_owned()).or_default().see(value.as_deref(), caps);
    }
}

fn found_stream(name: String, found: &TableProfile) -> FoundStream {
    let everywhere = |field: &str| found.present.get(field) == Some(&found.records);
    let scalar = |field: &str| {
        let kind = found.columns.get(field).and_then(ColumnProfile::kind);
        matches!(kind, Some(ColumnKind::Integer | ColumnKind::Text))
    };
    let key = found
        .keys
        .iter()
        .find(|(field, check)| check.holds() && everywhere(field) && scalar(field));
    let key = key.map(|(field, _)| field.clone());
    let field = |(name, column): (&String, &ColumnProfile)| FoundField {
        name: name.clone(),
        heading: None,
        schema: column.schema(false),
        groups: column.is_short(),
    };
    let fields = found.columns.iter().map(field).collect();
    FoundStream { name, fields, key: key.into_iter().collect() }
}

/// Reads every object by the declaration. Fields that it does not name are left out.
fn import(export: &Export, source: &SourceDeclaration, sink: &mut Sink<'_>) -> Flow {
    let mut repeats = Repeats::default();
    each_object(export, sink, &is_json, &mut |name, object, sink| {
        let own = source.stream(&names::stream_of(name));
        let Some(stream) = own.or(source.streams.first()) else { return Ok(()) };
        let mut data = with_sound_names(object);
        data.retain(|name, _| stream.has_field(name));
        put(stream, data, &mut repeats, sink)
    })
}

/// Names that a store takes: others are made plain.
fn with_sound_names(object: JsonObject) -> JsonObject {
    let sound = |(name, value): (String, Json)| match FieldName::new(name.as_str()) {
        Ok(_) if !name.contains(is_unsafe) => (name, value),
        _ => (names::plain(&name), value),
    };
    object.into_iter().map(sound).collect()
}
