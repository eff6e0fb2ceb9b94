//! A field window as its readers see it: one header line and exactly the text, or the same as data.

use pdpp_contract::ErrorCode;
use pdpp_contract::handles::{ContentMark, FieldWindowRef, Handle, Handles, RecordRef};
use pdpp_contract::window::FieldWindow;
use serde_json::{Map, Value, json};

use crate::ids;
use crate::refusal::Refusal;
use crate::render::ladder::window_uri;
use crate::render::one_line::ascii_json;

/// A window with everything its views need.
pub(crate) struct WindowView {
    window: FieldWindow,
    id: String,
    q: Option<String>,
    uri: Option<String>,
    next_uri: Option<String>,
    previous_uri: Option<String>,
}

/// A mark of a field's content: of its digest, else of its length.
fn mark(window: &FieldWindow) -> ContentMark {
    match &window.field.digest {
        Some(digest) => ContentMark::of(digest),
        None => ContentMark::of(&format!("{:016}", window.field.size_chars)),
    }
}

impl WindowView {
    pub(crate) fn new(mut window: FieldWindow, q: Option<String>, handles: &dyn Handles) -> Self {
        let record = RecordRef {
            connection_id: window.connection_id.clone(),
            stream: window.stream.clone(),
            record_id: window.record_id.clone(),
            number: window.number,
        };
        let id = ids::mint(&record, handles);
        let (path, content) = (window.field.path.clone(), mark(&window));
        let span = |start_chars: u64, limit_chars: u32| FieldWindowRef {
            record: record.clone(),
            field_path: path.clone(),
            start_chars,
            limit_chars,
            content: Some(content),
            of_bytes: false,
        };
        let at = |start: u64, limit: u32| window_uri(&span(start, limit), handles);
        let inner = &mut window.window;
        let limit = inner.limit_chars.max(1);
        // A window around a match, or before the first one that was read, ends where it ends: its own
        // address shows neither less nor more.
        let length = u32::try_from(inner.end_chars - inner.start_chars).unwrap_or(limit).max(1);
        let own = if inner.has_more { length } else { limit.max(length) };
        let uri = at(inner.start_chars, own);
        let next_uri = if inner.has_more { at(inner.end_chars, limit) } else { None };
        let back = inner.start_chars.min(limit.into());
        let back = u32::try_from(back).unwrap_or(limit);
        let before = inner.start_chars - u64::from(back);
        let previous_uri = if back > 0 { at(before, back) } else { None };
        // A provider without cursors of its own gets ours, sealed over names.
        if inner.has_more && inner.next_cursor.is_none() {
            inner.next_cursor = handles.seal(&Handle::Cursor(span(inner.end_chars, limit)));
        }
        if back > 0 && inner.previous_cursor.is_none() {
            inner.previous_cursor = handles.seal(&Handle::Cursor(span(before, back)));
        }
        Self { window, id, q, uri, next_uri, previous_uri }
    }

    /// What the field holds now.
    pub(crate) fn mark(&self) -> ContentMark {
        mark(&self.window)
    }

    /// The kind of content, for a resource.
    pub(crate) fn mime_type(&self) -> &str {
        self.window.field.mime_type.as_deref().unwrap_or("text/plain")
    }

    /// One JSON line, a newline, then exactly the window to the end.
    pub(crate) fn text(&self, with_uris: bool) -> String {
        let inner = &self.window.window;
        let mut header = Map::new();
        header.insert("id".to_owned(), json!(self.id));
        header.insert("field_path".to_owned(), json!(self.window.field.path));
        header.insert("start_chars".to_owned(), json!(inner.start_chars));
        header.insert("end_chars".to_owned(), json!(inner.end_chars));
        header.insert("size_chars".to_owned(), json!(self.window.field.size_chars));
        header.insert("complete".to_owned(), json!(inner.complete));
        header.insert("next_cursor".to_owned(), json!(inner.next_cursor));
        header.insert("previous_cursor".to_owned(), json!(inner.previous_cursor));
        if let Some(found) = self.found() {
            header.insert("match".to_owned(), found);
        }
        if with_uris {
            header.insert("uri".to_owned(), json!(self.uri));
            header.insert("next_uri".to_owned(), json!(self.next_uri));
            header.insert("previous_uri".to_owned(), json!(self.previous_uri));
        }
        format!("{}\n{}", ascii_json(&Value::Object(header)), inner.text)
    }

    /// The data view, in the shape of the tool's output schema.
    pub(crate) fn structured(&self) -> Value {
        let (field, inner) = (&self.window.field, &self.window.window);
        let mut about = json!({
            "path": field.path,
            "text_like": true,
            "size_chars": field.size_chars,
        });
        for (name, value) in [("mime_type", &field.mime_type), ("digest", &field.digest)] {
            if let (Some(value), Some(members)) = (value, about.as_object_mut()) {
                members.insert(name.to_owned(), json!(value));
            }
        }
        let mut out = json!({
            "record": {
                "id": self.id,
                "connection_id": self.window.connection_id,
                "stream": self.window.stream,
                "record_id": self.window.record_id,
            },
            "field": about,
            "window": {
                "text": inner.text,
                "start_chars": inner.start_chars,
                "end_chars": inner.end_chars,
                "limit_chars": inner.limit_chars,
                "complete": inner.complete,
                "next_cursor": inner.next_cursor,
                "previous_cursor": inner.previous_cursor,
                "match": self.found(),
            },
        });
        if let (Some(uri), Some(members)) = (&self.uri, out.as_object_mut()) {
            let resource =
                json!({"uri": uri, "next_uri": self.next_uri, "previous_uri": self.previous_uri});
            members.insert("resource".to_owned(), resource);
        }
        out
    }

    fn found(&self) -> Option<Value> {
        let inner = &self.window.window;
        let (start, end) = inner.match_start_chars.zip(inner.match_end_chars)?;
        Some(json!({"q": self.q, "start_chars": start, "end_chars": end}))
    }
}

/// A field that is not what it was when the cursor or address was made.
pub(crate) fn stale(window: &FieldWindowRef) -> Refusal {
    let code = ErrorCode::StaleCursor;
    let (record, field) = (&window.record.record_id, &window.field_path);
    let message =
        format!("field {field:?} of record {record} changed; read it again from an offset");
    Refusal::new(code.as_str(), code.status(), message)
}
