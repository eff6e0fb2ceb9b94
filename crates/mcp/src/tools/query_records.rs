//! `query_records`: a page of one stream.

use pdpp_contract::envelope::CountKind;
use pdpp_contract::limits::MAX_PAGE;
use pdpp_contract::query::{ListRequest, Sort};
use pdpp_contract::{FieldName, StreamName};
use rmcp::model::JsonObject;

use crate::answer::ToolAnswer;
use crate::call_context::CallContext;
use crate::arguments::asked_fields;
use crate::arguments::filters::filters;
use crate::arguments::{Arguments, wrong};
use crate::refusal::Refusal;
use crate::render::paging::{page_limit, page_reduced};
use crate::render::preview::PREVIEW_CHARS;
use crate::render::record_page::RESULT_BYTES;
use crate::render::record_text::text;
use super::{Definition, Tool};

const TOOL: Tool = Tool::QueryRecords;
/// Records when the call names no limit.
const DEFAULT_ROWS: u32 = 10;
/// Left over for the text, the envelope and links beside the records.
const AROUND_BYTES: usize = 6_144;
/// Smaller pages that are tried before the provider counts as unreliable.
const MOST_ROUNDS: usize = 12;

/// What clients are told about the tool.
pub(super) fn definition() -> Definition {
    Definition {
        title: "List records",
        description: "List records of one stream, newest first unless sort says otherwise. Filters are exact \
            and case-sensitive; search finds words. When several connections have the stream, \
            connection_id is needed. Go on with next_cursor as cursor and the same arguments; count \
            \"exact\" counts every match. Long fields are cut: read_record_field reads on. \
            changes_since lists what changed, deletions included.",
        input_schema: input_schema(),
        output_schema: output_schema(),
    }
}

fn input_schema() -> JsonObject {
    rmcp::object!({
        "type": "object",
        "properties": {
            "stream": {"type": "string"},
            "connection_id": {
                "type": "string",
                "description": "Source to read, from schema."
            },
            "filter": {
                "type": "object",
                "description": "Conditions that must all hold: {\"field\":value} or {\"field\":{\"gte\":…,\"gt\":…,\"lte\":…,\"lt\":…}}.",
                "additionalProperties": true
            },
            "sort": {
                "type": "string",
                "description": "A sortable field; -field for newest or largest first."
            },
            "order": {
                "type": "string",
                "enum": ["asc", "desc"],
                "description": "The stream's own order; not with sort."
            },
            "fields": {
                "type": "array",
                "items": {"type": "string"},
                "description": "Fields to return; key fields always come too."
            },
            "limit": {
                "type": "integer",
                "minimum": 1,
                "maximum": 100,
                "description": "Default 10."
            },
            "cursor": {
                "type": "string",
                "description": "next_cursor of the same call."
            },
            "count": {"type": "string", "enum": ["none", "estimated", "exact"]},
            "changes_since": {
                "type": "string",
                "description": "\"beginning\", or next_changes_since of an earlier answer; no time."
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
        "required": ["stream"],
        "additionalProperties": false
    })
}

fn output_schema() -> JsonObject {
    rmcp::object!({
        "type": "object",
        "properties": {
            "data": {
                "type": "object",
                "description": "The page: data[], has_more, next_cursor, next_changes_since, meta."
            },
            "content_ladder": {
                "type": "object",
                "description": "Fields cut short, each with ready read_record_field arguments."
            }
        },
        "required": ["data"],
        "additionalProperties": false
    })
}

impl CallContext {
    /// Answers `query_records`.
    pub(crate) async fn query_records(&self, arguments: Arguments) -> Result<ToolAnswer, Refusal> {
        let request = request(&arguments)?;
        let connection = request.connection_id.as_ref();
        self.one_source(TOOL, &arguments, &request.stream, connection).await?;
        self.record_page(request).await
    }

    async fn record_page(&self, request: ListRequest) -> Result<ToolAnswer, Refusal> {
        let asked = request.limit.unwrap_or(DEFAULT_ROWS);
        let mut limit = asked;
        for _ in 0..MOST_ROUNDS {
            let ask = ListRequest { limit: Some(limit), ..request.clone() };
            let page = match self.read.list(ask).await {
                Ok(page) => page,
                Err(error) => {
                    let asked = asked_fields::of_list(&request);
                    let connection = connection(&request);
                    return Err(self
                        .explain_fields(error, &request.stream, connection, &asked)
                        .await);
                }
            };
            let returned = page.data.len();
            let mut prepared = self.prepare(page, asked_fields::by_weight(&request));
            let room = RESULT_BYTES - AROUND_BYTES;
            if prepared.bytes() > room && returned > 1 {
                limit = page_limit(prepared.fitting(room).min(returned - 1));
                continue;
            }
            if prepared.bytes() > room {
                self.squeeze(&mut prepared, room);
            }
            if limit != asked {
                prepared.page.meta.warnings.push(page_reduced(asked, returned));
            }
            match text(&request, request.limit, &prepared) {
                Ok(text) => return Ok(prepared.answer(text, self.links)),
                Err(fewer) => limit = page_limit(fewer),
            }
        }
        Err(crate::refusal::unsteady())
    }
}

fn request(arguments: &Arguments) -> Result<ListRequest, Refusal> {
    let stream: StreamName =
        arguments.name("stream")?.ok_or_else(|| wrong("stream", "is needed"))?;
    let mut request = ListRequest::new(stream);
    request.connection_id = arguments.connection_id()?;
    request.filter = filters(arguments)?;
    request.sort = sort(arguments)?;
    request.fields = arguments.names("fields")?;
    request.limit = arguments.small("limit", 1, MAX_PAGE)?;
    request.cursor = arguments.text("cursor")?;
    request.changes_since = arguments.text("changes_since")?;
    if request.changes_since.as_deref().is_some_and(is_time) {
        return Err(wrong(
            "changes_since",
            "takes \"beginning\" or the next_changes_since of an earlier answer, and no time; for \
             records since a time use filter {\"time_field\":{\"gte\":\"…\"}}",
        ));
    }
    request.count = match arguments.choice("count", &["none", "estimated", "exact"])? {
        Some("exact") => CountKind::Exact,
        Some("estimated") => CountKind::Estimated,
        _ => CountKind::None,
    };
    request.preview_chars = Some(PREVIEW_CHARS);
    request.expand = crate::render::related::expansions(arguments)?;
    Ok(request)
}

/// Whether a text is a date or a time, such as `2026-04-02`.
fn is_time(text: &str) -> bool {
    let is_digit = |at: usize| text.as_bytes().get(at).is_some_and(u8::is_ascii_digit);
    text.len() >= 7 && (0..4).chain(5..7).all(is_digit) && text.as_bytes().get(4) == Some(&b'-')
}

fn sort(arguments: &Arguments) -> Result<Option<Sort>, Refusal> {
    let order = arguments.choice("order", &["asc", "desc"])?;
    let Some(text) = arguments.text("sort")? else {
        return Ok(order.map(|order| Sort { field: None, descending: order == "desc" }));
    };
    if order.is_some() {
        return Err(wrong("order", "does not go with sort; write sort=-field for descending"));
    }
    let (descending, name) = match text.strip_prefix('-') {
        Some(name) => (true, name),
        None => (false, text.strip_prefix('+').unwrap_or(&text)),
    };
    let field: FieldName = name.parse().map_err(|fault: pdpp_contract::InvalidName| {
        Refusal::arguments(fault.to_string()).param("sort")
    })?;
    Ok(Some(Sort { field: Some(field), descending }))
}

fn connection(request: &ListRequest) -> Option<&pdpp_contract::ConnectionId> {
    request.connection_id.as_ref()
}
