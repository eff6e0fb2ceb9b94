//! `fetch`: one record as a document of exactly five members.

use pdpp_contract::limits::DEFAULT_WINDOW_CHARS;
use pdpp_contract::query::RecordRequest;
use pdpp_contract::record::Record;
use pdpp_contract::window::{FieldWindowRequest, WindowSelector};
use pdpp_contract::{ErrorCode, FieldName};
use rmcp::model::JsonObject;
use serde_json::{Map, Value, json};

use crate::answer::ToolAnswer;
use crate::call_context::CallContext;
use crate::arguments::Arguments;
use crate::ids::citation;
use crate::ids::unnamed::is_named;
use crate::ids::{self, ResultId};
use crate::refusal::Refusal;
use crate::render::document::{self, Part};
use crate::render::ladder::{ReadOn, Rung, ladder, links, record_link};
use crate::render::left_out;
use crate::render::measure::json_bytes;
use crate::render::one_line::one_line;
use crate::render::preview::{Cut, Holds, cut};
use crate::render::record_page::record_ref;
use crate::render::related;
use crate::render::titles;
use super::{Definition, Tool};

/// Bytes of a document's metadata.
const METADATA_BYTES: usize = 16_384;
/// Left over for the names of fields that the document does not hold, and the ladder's frame.
const AROUND_BYTES: usize = left_out::NAMES_BYTES + 640;

/// What clients are told about the tool.
pub(super) fn definition() -> Definition {
    Definition {
        title: "Read one record",
        description: "Read one record as a document. Pass an id from search or query_records as it is. fields \
            narrows it. Text over 16,384 characters is cut; metadata.content_ladder then has ready \
            read_record_field arguments.",
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
                "description": "As shown: connection_id/stream:record_id or pdpp://record/…. stream:record_id needs connection_id when several sources are granted."
            },
            "fields": {
                "type": "array",
                "items": {"type": "string"},
                "description": "Fields to return; key fields always come too."
            },
            "connection_id": {
                "type": "string",
                "description": "Source to read, from schema."
            },
            "expand": {
                "type": "array",
                "items": {"type": "string"},
                "description": "Relations to bring along, from schema."
            },
            "expand_limit": {
                "type": "object",
                "description": "Most related records per relation.",
                "additionalProperties": {"type": "integer"}
            }
        },
        "required": ["id"],
        "additionalProperties": false
    })
}

fn output_schema() -> JsonObject {
    rmcp::object!({
        "type": "object",
        "properties": {
            "id": {"type": "string"},
            "title": {"type": "string"},
            "text": {"type": "string"},
            "url": {"type": "string"},
            "metadata": {"type": "object"}
        },
        "required": ["id", "title", "text", "url", "metadata"],
        "additionalProperties": false
    })
}

impl CallContext {
    /// Answers `fetch`.
    pub(crate) async fn fetch(&self, arguments: Arguments) -> Result<ToolAnswer, Refusal> {
        let id = arguments.required("id")?;
        let fields: Option<Vec<FieldName>> = arguments.names("fields")?;
        let connection_id = arguments.connection_id()?;
        let expand = related::expansions(&arguments)?;
        let target = ids::resolve(&id, connection_id.as_ref(), self.handles.as_ref()).await?;
        let connection = target.connection_id.as_ref();
        self.one_source(Tool::Fetch, &arguments, &target.stream, connection).await?;
        let request = RecordRequest {
            stream: target.stream.clone(),
            record_id: target.record_id,
            connection_id: target.connection_id.clone(),
            fields: fields.clone(),
            preview_chars: Some(DEFAULT_WINDOW_CHARS),
            expand,
        };
        let detail = match self.read.record(request).await {
            Ok(detail) => detail,
            Err(error) => {
                let asked: Vec<String> = fields.iter().flatten().map(ToString::to_string).collect();
                let stream = &target.stream;
                return Err(self.explain_fields(error, stream, connection, &asked).await);
            }
        };
        let mut record = detail.record;
        if let Some(fields) = &fields {
            let asked = |name: &str| fields.iter().any(|field| field.as_str() == name);
            if let Some(data) = record.data.as_mut() {
                data.retain(|name, _| asked(name));
            }
            record.previews.retain(|preview| asked(&preview.field));
        }
        // The id comes back as it was given, if it was whole.
        let id = match ids::parse(&id)? {
            ResultId::Full { .. } => ids::as_shown(&id).into_owned(),
            ResultId::Legacy { .. } | ResultId::Handle(_) => {
                ids::mint(&record_ref(&record), self.handles.as_ref())
            }
        };
        self.document(record, id, fields.is_some()).await
    }

    /// The document of a record.
    pub(crate) async fn document(
        &self,
        mut record: Record,
        id: String,
        projected: bool,
    ) -> Result<ToolAnswer, Refusal> {
        record.display_name = record.display_name.as_deref().and_then(titles::label);
        let named = record_ref(&record);
        let data = record.data.clone().unwrap_or_default();
        let url = citation::own_url(&data).unwrap_or_else(|| {
            citation::served_at(&named, self.base_url.as_deref(), self.handles.as_ref())
        });
        let title = titles::of_record(&record);
        let cuts = cut(&mut record, document::DOCUMENT_CHARS);
        let mut parts = document::parts(&record, &cuts);
        let about = |one: &Record| self.about_related(one);
        document::add_related(&mut parts, &related::lines(&record, &about));
        self.fill(&record, &mut parts).await?;
        let read_on = match (self.read.lacks_windows(), parts.len()) {
            (false, _) => ReadOn::Windows,
            (true, 0 | 1) => ReadOn::Nowhere,
            (true, _) => ReadOn::Alone,
        };
        let (text, held) = document::text(&parts, read_on);
        let cuts: Vec<Cut> = parts.iter().take(held).filter_map(|part| part.cut.clone()).collect();
        let missing: Vec<&str> = parts.iter().skip(held).map(|part| part.name.as_str()).collect();
        let mut rung = Rung::new(named, id.clone(), &cuts, read_on, self.handles.as_ref());
        let label = record.display_name.as_deref();
        if !projected {
            rung.own = record_link(&rung.record, &title, label, self.handles.as_ref());
        }
        let metadata = metadata(&record, &rung, &missing, projected);
        let document =
            json!({"id": id, "title": title, "text": text, "url": url, "metadata": metadata});
        let records = 1 + related::records_mut(&mut record).len();
        let mut answer = ToolAnswer::new(document.to_string(), document).of_records(records);
        if self.links {
            answer.links = links([&rung]);
        }
        Ok(answer)
    }

    /// Gives each section as much text as the document has room for.
    async fn fill(&self, record: &Record, parts: &mut [Part]) -> Result<(), Refusal> {
        let given = document::allot(parts);
        for (part, chars) in parts.iter_mut().zip(given) {
            let whole = document::whole_chars(part);
            let have = part.text.chars().count();
            if !part.is_section {
                continue;
            }
            if have == whole && have <= chars {
                part.cut = None;
                continue;
            }
            if have < chars && whole > have {
                let limit = u32::try_from(chars.max(1)).unwrap_or(DEFAULT_WINDOW_CHARS);
                if let Some(text) = self.beginning(record, &part.name, limit).await? {
                    part.text = text;
                }
            }
            part.text = part.text.chars().take(chars).collect();
            shown(part, whole);
        }
        Ok(())
    }

    /// The beginning of a field, longer than a preview. A provider without windows gives none.
    async fn beginning(
        &self,
        record: &Record,
        field: &str,
        limit: u32,
    ) -> Result<Option<String>, Refusal> {
        let request = FieldWindowRequest {
            stream: record.stream.clone(),
            record_id: record.id.clone(),
            connection_id: Some(record.connection_id.clone()),
            field_path: crate::render::ladder::path_argument(field),
            selector: WindowSelector::Offset(0),
            limit_chars: Some(limit),
        };
        match self.read.field_window(request).await {
            Ok(window) => Ok(Some(window.window.text)),
            Err(error) if error.code == ErrorCode::FieldWindowUnsupported => Ok(None),
            Err(error) => Err(error.into()),
        }
    }
}

/// Notes how much of a section is there.
fn shown(part: &mut Part, whole: usize) {
    let have = part.text.chars().count();
    if have >= whole {
        part.cut = None;
        return;
    }
    let size = |chars: usize| u64::try_from(chars).unwrap_or(u64::MAX);
    let cut = part.cut.get_or_insert_with(|| Cut {
        path: part.name.clone(),
        holds: Holds::Text,
        mime_type: None,
        shown_chars: 0,
        size_chars: Some(size(whole)),
        size_bytes: None,
        digest: None,
    });
    cut.shown_chars = size(have);
}

/// Identity, and the way on where the text is cut; bounded, the rest by name.
fn metadata(record: &Record, rung: &Rung, missing: &[&str], projected: bool) -> Value {
    let mut out = Map::new();
    if is_named(&record.connection_id) {
        out.insert("connection_id".to_owned(), json!(record.connection_id));
    }
    if let Some(key) = &record.connector_key {
        out.insert("connector_key".to_owned(), json!(key));
    }
    if let Some(name) = &record.display_name {
        out.insert("display_name".to_owned(), json!(one_line(name, 120)));
    }
    out.insert("stream".to_owned(), json!(record.stream));
    out.insert("record_id".to_owned(), json!(record.id));
    if !projected {
        out.insert("emitted_at".to_owned(), json!(record.emitted_at));
    }
    let (steps, dropped) =
        fitting(rung, METADATA_BYTES.saturating_sub(AROUND_BYTES + json_bytes(&out)));
    if let Some(steps) = steps {
        out.insert("content_ladder".to_owned(), steps);
    }
    let names: Vec<&str> =
        dropped.iter().map(String::as_str).chain(missing.iter().copied()).collect();
    if !names.is_empty() {
        let shown = left_out::names(&names);
        out.insert("more_fields".to_owned(), json!(shown));
        out.insert("more_field_count".to_owned(), json!(names.len()));
        if shown.len() < names.len() {
            out.insert("all_field_names".to_owned(), left_out::all_names(&rung.record));
        }
    }
    Value::Object(out)
}

/// As many entries of the ladder as there is room for, and the names of the others.
fn fitting(rung: &Rung, room: usize) -> (Option<Value>, Vec<String>) {
    let mut part = Rung {
        record: rung.record.clone(),
        id: rung.id.clone(),
        fields: Vec::new(),
        links: Vec::new(),
        own: None,
    };
    let mut bytes = json_bytes(&part.to_json());
    let mut dropped = Vec::new();
    for field in &rung.fields {
        bytes += json_bytes(field) + 1;
        if bytes <= room {
            part.fields.push(field.clone());
        } else {
            dropped.extend(field.get("path").and_then(Value::as_str).map(str::to_owned));
        }
    }
    (ladder([&part]), dropped)
}
