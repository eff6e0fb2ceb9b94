//! `query_records`: a page of one stream.

use pdpp_contract::envelope::CountKind;
use pdpp_contract::limits::MAX_PAGE;
use pdpp_contract::query::{ListRequest, RecordPage, Sort};
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
use crate::render::record_page::{Prepared, RESULT_BYTES};
use crate::render::record_text::RecordText;
use super::{Definition, Tool};

const TOOL: Tool = Tool::QueryRecords;
/// Left over for the text, the envelope and links beside the records.
const AROUND_BYTES: usize = 6_144;
/// Smaller pages that are tried before the provider counts as unreliable.
const MOST_ROUNDS: usize = 12;

/// What clients are told about the tool.
pub(super) fn definition() -> Definition {
    Definition {
        title: "List records",
        description: "List records of one stream, filtered and sorted. With several connections in the grant, \
            connection_id is needed. Page on with cursor and the same arguments. Long fields are cut \
            short; read them with read_record_field. changes_since lists what changed, deletions \
            included.",
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
                "description": "Default 25."
            },
            "cursor": {
                "type": "string",
                "description": "next_cursor or continue_cursor of the same call."
            },
            "count": {"type": "string", "enum": ["none", "estimated", "exact"]},
            "changes_since": {
                "type": "string",
                "description": "\"beginning\" or an earlier next_changes_since."
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
        let mut limit = request.limit;
        for _ in 0..MOST_ROUNDS {
            let ask = ListRequest { limit, ..request.clone() };
            let page = match self.read.list(ask.clone()).await {
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
            let mut prepared = self.prepare(page);
            let room = RESULT_BYTES - AROUND_BYTES;
            if prepared.bytes() > room && returned > 1 {
                limit = Some(page_limit(prepared.fitting(room).min(returned - 1)));
                continue;
            }
            if prepared.bytes() > room {
                self.squeeze(&mut prepared, room);
            }
            note_reduction(&mut prepared.page, request.limit, limit);
            let plan = RecordText::new(&request, &prepared);
            if plan.shown == returned {
                let text = plan.text(&prepared, None);
                return Ok(prepared.answer(text, self.links));
            }
            let short = ListRequest { limit: Some(page_limit(plan.shown)), ..ask };
            match self.continuation(short, &prepared, plan.shown).await? {
                Some(cursor) => {
                    let text = plan.text(&prepared, Some(&cursor));
                    return Ok(prepared.answer(text, self.links));
                }
                // The rows moved meanwhile: a shorter page is always true.
                None => limit = Some(page_limit(plan.shown)),
            }
        }
        Err(crate::refusal::unsteady())
    }

    /// The cursor after the last row that the text shows.
    async fn continuation(
        &self,
        short: ListRequest,
        prepared: &Prepared,
        shown: usize,
    ) -> Result<Option<String>, Refusal> {
        let page = self.read.list(short).await.map_err(Refusal::from)?;
        let same = match (page.data.last(), prepared.page.data.get(shown.saturating_sub(1))) {
            (Some(a), Some(b)) => a.id == b.id && a.connection_id == b.connection_id,
            _ => false,
        };
        Ok(page.next_cursor.filter(|_| same && page.data.len() == shown))
    }
}

fn note_reduction(page: &mut RecordPage, asked: Option<u32>, used: Option<u32>) {
    if asked == used {
        return;
    }
    let requested = asked.unwrap_or(pdpp_contract::limits::DEFAULT_PAGE);
    let returned = page.data.len();
    page.meta.warnings.push(page_reduced(requested, returned));
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
    request.count = match arguments.choice("count", &["none", "estimated", "exact"])? {
        Some("exact") => CountKind::Exact,
        Some("estimated") => CountKind::Estimated,
        _ => CountKind::None,
    };
    request.preview_chars = Some(PREVIEW_CHARS);
    request.expand = crate::render::related::expansions(arguments)?;
    Ok(request)
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
