//! `read_record_field`: a bounded range of one field.

use pdpp_contract::handles::{FieldWindowRef, Handle, HandleKind};
use pdpp_contract::limits::{MAX_CONTEXT_CHARS, MAX_WINDOW_CHARS};
use pdpp_contract::window::{FieldWindowRequest, WindowSelector};
use pdpp_contract::{ErrorCode, RecordId, StreamName, json_pointer};
use rmcp::model::JsonObject;

use crate::answer::ToolAnswer;
use crate::call_context::CallContext;
use crate::arguments::asked_fields;
use crate::arguments::{Arguments, wrong};
use crate::ids::{self, Target};
use crate::refusal::Refusal;
use crate::render::window_view::{WindowView, stale};
use super::{Definition, Tool};

/// What clients are told about the tool.
pub(super) fn definition() -> Definition {
    Definition {
        title: "Read a field",
        description: "Read a bounded stretch of one text field, and page through it by cursor. Choose at most \
            one: cursor, offset_chars, or q with before_chars and after_chars. Objects and arrays \
            read as JSON text. The answer is one JSON line, then exactly the text.",
        input_schema: input_schema(),
        output_schema: output_schema(),
    }
}

fn input_schema() -> JsonObject {
    rmcp::object!({
        "type": "object",
        "properties": {
            "id": {
                "type": "string",
                "description": "As shown in results; or give connection_id, stream and record_id."
            },
            "connection_id": {"type": "string"},
            "stream": {"type": "string"},
            "record_id": {"type": "string"},
            "field_path": {
                "type": "string",
                "description": "A field, or /a/0/b for a nested value."
            },
            "cursor": {
                "type": "string",
                "description": "next_cursor or previous_cursor of an earlier window."
            },
            "offset_chars": {"type": "integer", "minimum": 0},
            "limit_chars": {
                "type": "integer",
                "minimum": 1,
                "maximum": 16384,
                "description": "Default 4096."
            },
            "q": {
                "type": "string",
                "description": "Open at the first match of this text, ignoring case."
            },
            "before_chars": {"type": "integer", "minimum": 0, "maximum": 8192},
            "after_chars": {"type": "integer", "minimum": 0, "maximum": 8192}
        },
        "required": ["field_path"],
        "additionalProperties": false
    })
}

fn output_schema() -> JsonObject {
    rmcp::object!({
        "type": "object",
        "properties": {
            "record": {
                "type": "object",
                "properties": {
                    "id": {"type": "string"}, "connection_id": {"type": "string"},
                    "stream": {"type": "string"}, "record_id": {"type": "string"}
                },
                "required": ["id", "connection_id", "stream", "record_id"],
                "additionalProperties": false
            },
            "field": {
                "type": "object",
                "properties": {
                    "path": {"type": "string"},
                    "mime_type": {"type": "string"},
                    "text_like": {"type": "boolean"},
                    "size_chars": {"type": "integer"},
                    "digest": {"type": "string"}
                },
                "required": ["path", "text_like"],
                "additionalProperties": false
            },
            "window": {
                "type": "object",
                "properties": {
                    "text": {"type": "string"},
                    "start_chars": {"type": "integer"},
                    "end_chars": {"type": "integer"},
                    "limit_chars": {"type": "integer"},
                    "complete": {"type": "boolean"},
                    "next_cursor": {"type": ["string", "null"]},
                    "previous_cursor": {"type": ["string", "null"]},
                    "match": {
                        "type": ["object", "null"],
                        "properties": {
                            "q": {"type": "string"},
                            "start_chars": {"type": "integer"},
                            "end_chars": {"type": "integer"}
                        },
                        "additionalProperties": false
                    }
                },
                "required": ["text", "start_chars", "end_chars", "limit_chars", "complete"],
                "additionalProperties": false
            },
            "resource": {
                "type": "object",
                "properties": {
                    "uri": {"type": "string"},
                    "next_uri": {"type": ["string", "null"]},
                    "previous_uri": {"type": ["string", "null"]}
                },
                "additionalProperties": false
            }
        },
        "required": ["record", "field", "window"],
        "additionalProperties": false
    })
}

impl CallContext {
    /// Answers `read_record_field`.
    pub(crate) async fn read_record_field(
        &self,
        arguments: Arguments,
    ) -> Result<ToolAnswer, Refusal> {
        let field_path = arguments.required("field_path")?;
        let selector = selector(&arguments)?;
        let limit_chars = arguments.small("limit_chars", 1, MAX_WINDOW_CHARS)?;
        let identity = identity(&arguments)?;
        let target = self.target(&identity, &arguments).await?;
        let q = match &selector {
            WindowSelector::Match { q, .. } => Some(q.clone()),
            WindowSelector::Offset(_) | WindowSelector::Cursor(_) => None,
        };
        let mut request = FieldWindowRequest {
            stream: target.stream.clone(),
            record_id: target.record_id.clone(),
            connection_id: target.connection_id.clone(),
            field_path,
            selector,
            limit_chars,
        };
        let asked = [asked_fields::of_path(&request.field_path)];
        let ours = self.open_cursor(&mut request).await?;
        let nested = dotted(&request.field_path)
            .map(|field_path| FieldWindowRequest { field_path, ..request.clone() });
        let mut read = self.read.field_window(request).await;
        if let (Err(error), Some(nested)) = (&read, nested)
            && error.code == ErrorCode::FieldNotGranted
        {
            let inside = self.read.field_window(nested).await;
            read = if inside.is_ok() { inside } else { read };
        }
        let window = match read {
            Ok(window) => window,
            Err(mut error) => {
                // Over HTTP the argument has another name.
                if error.param.as_deref() == Some("field") {
                    error.param = Some("field_path".to_owned());
                }
                let (stream, connection) = (&target.stream, target.connection_id.as_ref());
                return Err(self.explain_fields(error, stream, connection, &asked).await);
            }
        };
        let view = WindowView::new(window, q, self.handles.as_ref());
        if let Some(ours) = &ours
            && ours.content.is_some_and(|mark| mark != view.mark())
        {
            return Err(stale(ours).param("cursor"));
        }
        Ok(ToolAnswer::new(view.text(false), view.structured()).of_records(1))
    }

    /// A cursor that we made for a provider without any becomes an offset; others are its own.
    async fn open_cursor(
        &self,
        request: &mut FieldWindowRequest,
    ) -> Result<Option<FieldWindowRef>, Refusal> {
        let WindowSelector::Cursor(cursor) = &request.selector else {
            return Ok(None);
        };
        let Ok(Handle::Cursor(ours)) = self.handles.open(HandleKind::Cursor, cursor).await else {
            return Ok(None);
        };
        let here = ours.record.stream == request.stream
            && ours.record.record_id == request.record_id
            && ours.field_path == request.field_path
            && request.connection_id.as_ref().is_none_or(|id| *id == ours.record.connection_id);
        if !here {
            let (record, field) = (&request.record_id, &request.field_path);
            let message = format!(
                "the cursor does not continue field {field:?} of record {record}; use an offset"
            );
            return Err(Refusal::new("invalid_cursor", 400, message).param("cursor"));
        }
        request.selector = WindowSelector::Offset(ours.start_chars);
        request.limit_chars = request.limit_chars.or(Some(ours.limit_chars));
        Ok(Some(ours))
    }

    async fn target(&self, identity: &Identity, arguments: &Arguments) -> Result<Target, Refusal> {
        let connection_id = arguments.connection_id()?;
        match identity {
            Identity::Parts { stream, record_id } => {
                Ok(Target { connection_id, stream: stream.clone(), record_id: record_id.clone() })
            }
            Identity::Id(id) => {
                let target =
                    ids::resolve(id, connection_id.as_ref(), self.handles.as_ref()).await?;
                beside(arguments, "stream", target.stream.as_str())?;
                beside(arguments, "record_id", target.record_id.as_str())?;
                if target.connection_id.is_none() {
                    self.one_source(Tool::ReadRecordField, arguments, &target.stream, None).await?;
                }
                Ok(target)
            }
        }
    }
}

/// `a.b.c` as the path into a field that it may be meant as.
fn dotted(path: &str) -> Option<String> {
    let is_plain = !path.starts_with('/') && path.contains('.');
    is_plain.then(|| {
        path.split('.').map(|part| format!("/{}", json_pointer::escaped(part))).collect()
    })
}

/// How the record was named.
enum Identity {
    Id(String),
    Parts { stream: StreamName, record_id: RecordId },
}

/// Exactly one way to name the record: its id, or all three parts.
fn identity(arguments: &Arguments) -> Result<Identity, Refusal> {
    let parts = ["connection_id", "stream", "record_id"];
    let all = parts.iter().all(|part| arguments.has(part));
    match (arguments.text("id")?, all) {
        (Some(_), true) => Err(wrong(
            "id",
            "does not go with connection_id, stream and record_id together; give one",
        )),
        (Some(id), false) => Ok(Identity::Id(id)),
        (None, true) => {
            arguments.connection_id()?;
            let stream = arguments.name("stream")?.ok_or_else(|| wrong("stream", "is needed"))?;
            let record_id =
                arguments.name("record_id")?.ok_or_else(|| wrong("record_id", "is needed"))?;
            Ok(Identity::Parts { stream, record_id })
        }
        (None, false) => {
            Err(wrong("id", "is needed, or connection_id, stream and record_id together"))
        }
    }
}

/// A part given beside an id must be the id's own.
fn beside(arguments: &Arguments, name: &str, own: &str) -> Result<(), Refusal> {
    match arguments.text(name)? {
        Some(given) if given != own => {
            Err(wrong(name, "differs from the one in id; leave it out or use the id's own"))
        }
        _ => Ok(()),
    }
}

/// At most one way to choose the range.
fn selector(arguments: &Arguments) -> Result<WindowSelector, Refusal> {
    let given = |name: &'static str| arguments.has(name).then_some(name);
    let first = |names: &[&'static str]| names.iter().copied().find_map(given);
    let before_chars = arguments.small("before_chars", 0, MAX_CONTEXT_CHARS)?;
    let after_chars = arguments.small("after_chars", 0, MAX_CONTEXT_CHARS)?;
    let offset = arguments.number("offset_chars", 0, u64::MAX)?;
    if let Some(cursor) = arguments.text("cursor")? {
        return match first(&["offset_chars", "q", "before_chars", "after_chars"]) {
            Some(other) => Err(contradiction(other, "does not go with cursor")),
            None => Ok(WindowSelector::Cursor(cursor)),
        };
    }
    if let Some(q) = arguments.text("q")? {
        return match first(&["offset_chars"]) {
            Some(other) => Err(contradiction(other, "does not go with q")),
            None => Ok(WindowSelector::Match {
                q,
                before_chars: Some(
                    before_chars.unwrap_or(pdpp_contract::limits::DEFAULT_CONTEXT_CHARS),
                ),
                after_chars: Some(
                    after_chars.unwrap_or(pdpp_contract::limits::DEFAULT_CONTEXT_CHARS),
                ),
            }),
        };
    }
    if let Some(other) = first(&["before_chars", "after_chars"]) {
        return Err(contradiction(other, "goes with q only"));
    }
    Ok(WindowSelector::Offset(offset.unwrap_or(0)))
}

fn contradiction(param: &str, what: &str) -> Refusal {
    let message = format!(
        "{param} {what}; choose one of cursor, offset_chars, or q with before_chars and after_chars"
    );
    Refusal::new("invalid_field_window_selector", 400, message).param(param)
}
