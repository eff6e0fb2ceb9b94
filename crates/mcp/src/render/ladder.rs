//! The content ladder: for every field that is not shown whole, what it is and how to read on.

use pdpp_contract::handles::{ContentMark, FieldWindowRef, Handle, Handles, RecordRef};
use pdpp_contract::json_pointer;
use pdpp_contract::limits::DEFAULT_WINDOW_CHARS;
use rmcp::model::Resource;
use serde_json::{Map, Value, json};

use crate::ids::RECORD_URI;
use crate::ids::unnamed::is_named;
use crate::render::one_line::one_line;
use crate::render::preview::{Cut, Holds};
use crate::tools::Tool;

/// What precedes the handle of a field window.
pub(crate) const FIELD_WINDOW_URI: &str = "pdpp://field-window/";
/// The tool that reads on.
pub(crate) const READ_TOOL: &str = Tool::ReadRecordField.name();
/// The longest address in a text.
const LONGEST_SHOWN_URI: usize = 240;
/// Most links in one result.
const MOST_LINKS: usize = 5;

/// How the rest of a text that was cut can be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ReadOn {
    /// Window by window.
    Windows,
    /// The provider has no windows; the document of the field alone shows more of it.
    Alone,
    /// The provider has no windows, and the document holds what there is room for.
    Nowhere,
}

/// A record with fields that are not shown whole.
pub(crate) struct Rung {
    pub record: RecordRef,
    pub id: String,
    pub fields: Vec<Value>,
    /// Links to the same fields, for clients that follow them.
    pub links: Vec<Resource>,
    /// The link to the record.
    pub own: Option<Resource>,
}

impl Rung {
    /// The rung of a record whose fields were cut.
    pub(crate) fn new(
        record: RecordRef,
        id: String,
        cuts: &[Cut],
        read_on: ReadOn,
        handles: &dyn Handles,
    ) -> Self {
        let mut rung = Self { record, id, fields: Vec::new(), links: Vec::new(), own: None };
        for cut in cuts {
            rung.add(cut, read_on, handles);
        }
        rung
    }

    fn add(&mut self, cut: &Cut, read_on: ReadOn, handles: &dyn Handles) {
        let window = FieldWindowRef {
            record: self.record.clone(),
            field_path: path_argument(&cut.path),
            start_chars: cut.shown_chars,
            limit_chars: DEFAULT_WINDOW_CHARS,
            content: cut.digest.as_deref().map(ContentMark::of),
            of_bytes: cut.holds == Holds::Blob,
        };
        // Bytes come from another route.
        let served = window.of_bytes || read_on == ReadOn::Windows;
        let uri = if served { window_uri(&window, handles) } else { None };
        let digest = cut.digest.as_deref().filter(|_| !window.of_bytes && served);
        let cursor = digest.and_then(|digest| handles.window_cursor(&window, digest));
        if let Some(uri) = &uri {
            self.links.push(link(uri, cut));
        }
        let mut field = Map::new();
        field.insert("path".to_owned(), json!(window.field_path));
        field.insert("type".to_owned(), json!(type_word(cut.holds)));
        put(&mut field, "mime_type", cut.mime_type.as_ref());
        field.insert("size_grade".to_owned(), json!(grade(cut.size_chars.or(cut.size_bytes))));
        field.insert("text_like".to_owned(), json!(cut.holds != Holds::Blob));
        put(&mut field, "size_chars", cut.size_chars.as_ref());
        put(&mut field, "size_bytes", cut.size_bytes.as_ref());
        let status = match cut.holds {
            Holds::Blob | Holds::Encoded => "binary-only",
            Holds::Text | Holds::Json if read_on == ReadOn::Nowhere => "unavailable",
            Holds::Text | Holds::Json => "truncated",
        };
        field.insert("preview_status".to_owned(), json!(status));
        if cut.shown_chars > 0 {
            let range = json!({"start_chars": 0, "end_chars": cut.shown_chars});
            field.insert("preview".to_owned(), range);
        }
        put(&mut field, "cursor", cursor.as_ref());
        put(&mut field, "resource_uri", uri.as_ref());
        put(&mut field, "digest", cut.digest.as_ref());
        let read = match (cut.holds, read_on) {
            (Holds::Blob, _) => Some(uri.as_ref().map_or(
                Value::Null,
                |uri| json!({"method": "resources/read", "arguments": {"uri": uri}}),
            )),
            (_, ReadOn::Windows) => Some(read_from(&self.id, &window.field_path, cut.shown_chars)),
            (Holds::Text | Holds::Json, ReadOn::Alone) => Some(
                json!({"tool": Tool::Fetch.name(), "arguments": {"id": self.id, "fields": [cut.path]}}),
            ),
            (Holds::Encoded, ReadOn::Alone) | (_, ReadOn::Nowhere) => None,
        };
        put(&mut field, "read", read.as_ref());
        self.fields.push(Value::Object(field));
    }

    /// The record's part of the ladder.
    pub(crate) fn to_json(&self) -> Value {
        let mut out = Map::new();
        out.insert("id".to_owned(), json!(self.id));
        if is_named(&self.record.connection_id) {
            out.insert("connection_id".to_owned(), json!(self.record.connection_id));
        }
        out.insert("stream".to_owned(), json!(self.record.stream));
        out.insert("record_id".to_owned(), json!(self.record.record_id));
        out.insert("fields".to_owned(), json!(self.fields));
        Value::Object(out)
    }
}

/// The whole ladder; nothing when every field is shown whole.
pub(crate) fn ladder<'a>(rungs: impl IntoIterator<Item = &'a Rung>) -> Option<Value> {
    let records: Vec<Value> =
        rungs.into_iter().filter(|rung| !rung.fields.is_empty()).map(Rung::to_json).collect();
    (!records.is_empty()).then(|| json!({"read_tool": READ_TOOL, "records": records}))
}

/// The links of some rungs, as many as a result may carry: to the first field that is not shown whole,
/// to the records, then to the other fields.
pub(crate) fn links<'a>(rungs: impl IntoIterator<Item = &'a Rung> + Clone) -> Vec<Resource> {
    let records = rungs.clone().into_iter().filter_map(|rung| rung.own.clone());
    let mut fields = rungs.into_iter().flat_map(|rung| rung.links.iter().cloned());
    let first = fields.next();
    first.into_iter().chain(records).chain(fields).take(MOST_LINKS).collect()
}

/// The link to a record, whose title and account are told.
pub(crate) fn record_link(
    record: &RecordRef,
    title: &str,
    label: Option<&str>,
    handles: &dyn Handles,
) -> Option<Resource> {
    let handle = handles.seal(&Handle::Record(record.clone()))?;
    let name = one_line(&format!("{}:{}", record.stream, record.record_id), 80);
    let of = label.map_or(String::new(), |label| format!(" of {}", one_line(label, 40)));
    let about = format!("{}{of}", one_line(record.stream.as_str(), 80));
    let link = Resource::new(format!("{RECORD_URI}{handle}"), name);
    Some(link.with_title(title).with_description(about).with_mime_type("application/json"))
}

/// Where the first record with a field that is not shown whole can be read by its address, if a text
/// has room for that.
pub(crate) fn address(rungs: &[Rung]) -> Option<&str> {
    let cut = rungs.iter().find(|rung| !rung.fields.is_empty())?;
    let uri = cut.own.as_ref()?.uri.as_str();
    (uri.len() <= LONGEST_SHOWN_URI).then_some(uri)
}

/// A call that reads a field from a character on.
pub(crate) fn read_from(id: &str, path: &str, offset_chars: u64) -> Value {
    json!({"tool": READ_TOOL, "arguments": {"id": id, "field_path": path, "offset_chars": offset_chars}})
}

/// The address of a range of a field.
pub(crate) fn window_uri(window: &FieldWindowRef, handles: &dyn Handles) -> Option<String> {
    let handle = handles.seal(&Handle::FieldWindow(window.clone()))?;
    Some(format!("{FIELD_WINDOW_URI}{handle}"))
}

/// A top-level field as a path argument: its name, unless that would read as a nested path.
pub(crate) fn path_argument(field: &str) -> String {
    if field.starts_with('/') {
        return format!("/{}", json_pointer::escaped(field));
    }
    field.to_owned()
}

fn link(uri: &str, cut: &Cut) -> Resource {
    let mime = match (&cut.mime_type, cut.holds) {
        (Some(mime), _) => mime.clone(),
        (None, Holds::Blob) => "application/octet-stream".to_owned(),
        (None, _) => "text/plain".to_owned(),
    };
    let name = one_line(&cut.path, 80);
    let mut link = Resource::new(uri, name).with_mime_type(mime);
    if let Some(size) = cut.size_bytes {
        link = link.with_size(size);
    }
    link
}

fn type_word(holds: Holds) -> &'static str {
    match holds {
        Holds::Text | Holds::Encoded => "string",
        Holds::Json => "json",
        Holds::Blob => "blob",
    }
}

/// A word for a size, so that a reader need not compare numbers.
pub(crate) fn grade(size: Option<u64>) -> &'static str {
    match size {
        None => "unknown",
        Some(0..=4_096) => "small",
        Some(4_097..=65_536) => "medium",
        Some(65_537..=1_048_576) => "large",
        Some(_) => "huge",
    }
}

fn put<T: serde::Serialize>(members: &mut Map<String, Value>, name: &str, value: Option<&T>) {
    if let Some(value) = value {
        members.insert(name.to_owned(), json!(value));
    }
}
