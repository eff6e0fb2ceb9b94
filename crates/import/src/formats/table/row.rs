//! A row on its way to a record: its key, and its cells by the declared types.

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use pdpp_contract::declaration::FieldKind;
use pdpp_contract::json::write_object;
use pdpp_contract::key::key_part;
use pdpp_contract::{Instant, Json, JsonObject, StreamDeclaration};

use super::ROW_ID;
use super::caps::Caps;
use super::column::is_number;
use super::written::{CellStyle, StyledValue};
use crate::blobs::content_key;
use crate::record::fields::RecordFields;
use crate::sink::{Flow, Sink};

/// Equal rows are told apart up to this many different ones; more would need unbounded memory.
const MAX_COUNTED: usize = 1_000_000;
/// Names of fields that name a record, likeliest first.
const KEY_NAMES: [&str; 5] = ["id", "uuid", "guid", "key", "_id"];

/// How often each row was seen, so that equal rows stay several.
#[derive(Default)]
pub struct Repeats(HashMap<u64, u32>);

impl Repeats {
    fn next(&mut self, row: &str) -> u32 {
        let mut hasher = DefaultHasher::new();
        row.hash(&mut hasher);
        let hash = hasher.finish();
        if self.0.len() >= MAX_COUNTED && !self.0.contains_key(&hash) {
            return 0;
        }
        let seen = self.0.entry(hash).or_default();
        *seen += 1;
        *seen - 1
    }
}

/// Puts a row of a stream. A declared `row_id` that the row lacks becomes a digest of the row.
pub fn put(
    stream: &StreamDeclaration,
    data: JsonObject,
    repeats: &mut Repeats,
    sink: &mut Sink<'_>,
) -> Flow {
    let names = RowNames { written: data.clone(), former: None };
    put_named(stream, data, &names, repeats, sink)
}

/// What names a row that has no key of its own.
pub struct RowNames {
    /// What was written.
    pub written: JsonObject,
    /// What an earlier version took instead, if it was something else.
    pub former: Option<JsonObject>,
}

/// Puts a row of a stream; a `row_id` that it lacks becomes a digest of what names it.
pub fn put_named(
    stream: &StreamDeclaration,
    mut data: JsonObject,
    names: &RowNames,
    repeats: &mut Repeats,
    sink: &mut Sink<'_>,
) -> Flow {
    let names_row = stream.primary_key.iter().any(|field| field.as_str() == ROW_ID);
    if names_row && !data.contains_key(ROW_ID) {
        let text = text_of(&names.written);
        let number = repeats.next(&text).to_string();
        let key = |text: &str| content_key(&[text.as_bytes(), number.as_bytes()]);
        let id = key(&text);
        data.insert(ROW_ID.to_owned(), Json::String(id.clone()));
        if let Some(former) = &names.former {
            let (former, data) = (key(&text_of(former)), RecordFields::of(data));
            return sink.record_formerly(stream.name.as_str(), &id, &former, data);
        }
    }
    let parts: Vec<String> = stream
        .primary_key
        .iter()
        .map(|field| data.get(field.as_str()).and_then(key_part).unwrap_or_default())
        .collect();
    let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
    sink.record_of(stream.name.as_str(), &parts, data)
}

fn text_of(row: &JsonObject) -> String {
    let mut text = String::new();
    write_object(row, &mut text);
    text
}

/// A cell by the type its field declares. What does not fit stays text and is rejected with its reason.
pub fn cell(
    text: String,
    (kind, written): (FieldKind, Option<CellStyle>),
    zone: &TimeZone,
) -> Json {
    if let Some(value) = written.and_then(|way| way.read(&text)) {
        return written_cell(value, kind, zone).unwrap_or(Json::String(text));
    }
    match kind {
        FieldKind::Integer | FieldKind::Number if is_number(&text) => Json::Number(text),
        FieldKind::Boolean if text.eq_ignore_ascii_case("true") => Json::Bool(true),
        FieldKind::Boolean if text.eq_ignore_ascii_case("false") => Json::Bool(false),
        FieldKind::DateTime if Instant::parse(&text).is_none() => {
            let there = local_time(&text).and_then(|time| instant(time, zone));
            Json::String(there.unwrap_or(text))
        }
        _ => Json::String(text),
    }
}

fn written_cell(value: StyledValue, kind: FieldKind, zone: &TimeZone) -> Option<Json> {
    match (value, kind) {
        (StyledValue::Number(digits), _) => Some(Json::Number(digits)),
        (StyledValue::Day(day), FieldKind::DateTime) => {
            instant(day.at(0, 0, 0, 0), zone).map(Json::String)
        }
        (StyledValue::Day(day), _) => Some(Json::String(day.to_string())),
        (StyledValue::Moment(time), _) => instant(time, zone).map(Json::String),
    }
}

fn instant(time: DateTime, zone: &TimeZone) -> Option<String> {
    Some(time.to_zoned(zone.clone()).ok()?.timestamp().to_string())
}

/// A date and time without an offset, with a space or a `T` between them.
pub fn local_time(text: &str) -> Option<DateTime> {
    let bytes = text.as_bytes();
    let shaped = (16..=26).contains(&bytes.len())
        && bytes.get(4) == Some(&b'-')
        && matches!(bytes.get(10), Some(b' ' | b'T'))
        && bytes.get(13) == Some(&b':');
    if shaped { text.parse().ok() } else { None }
}

/// A field that names every record: present everywhere and, as far as it was counted, unique.
#[derive(Default)]
pub struct KeyCheck {
    seen: HashSet<u64>,
    failed: bool,
}

impl KeyCheck {
    /// Looks at the value of one more record.
    pub fn see(&mut self, value: Option<&str>, caps: &mut Caps) {
        match value.filter(|value| !value.is_empty()) {
            _ if self.failed => {}
            Some(value) if caps.take_key() => {
                let mut hasher = DefaultHasher::new();
                value.hash(&mut hasher);
                self.failed = !self.seen.insert(hasher.finish());
            }
            _ => self.failed = true,
        }
        if self.failed {
            self.seen = HashSet::new();
        }
    }

    /// Whether the field can be the key.
    pub fn holds(&self) -> bool {
        !self.failed && !self.seen.is_empty()
    }
}

/// The field that looks like a key, by its name.
pub fn key_candidate<'n>(stream: &str, names: &[&'n str]) -> Option<&'n str> {
    let singular = stream.trim_end_matches('s');
    let own = [format!("{stream}_id"), format!("{singular}_id")];
    let wanted = KEY_NAMES.iter().copied().chain(own.iter().map(String::as_str));
    wanted.into_iter().find_map(|wanted| names.iter().copied().find(|name| *name == wanted))
}
