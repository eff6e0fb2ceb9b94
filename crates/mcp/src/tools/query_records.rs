//! `query_records`: a page of one stream.

use pdpp_contract::envelope::{CountKind, Warning, WarningCode};
use pdpp_contract::limits::MAX_PAGE;
use pdpp_contract::query::{ListRequest, RecordPage, Sort};
use pdpp_contract::{FieldName, Json, StreamName};
use serde_json::json;

use crate::answer::ToolAnswer;
use crate::call_context::CallContext;
use crate::arguments::asked_fields;
use crate::arguments::filters::filters;
use crate::arguments::{Arguments, wrong};
use crate::ids::printed;
use crate::refusal::Refusal;
use crate::render::ladder::address_line;
use crate::render::one_line::ascii_json;
use crate::render::preview::PREVIEW_CHARS;
use crate::render::record_page::{Prepared, RESULT_BYTES};
use crate::render::text::{ROW_BYTES, Row, TEXT_BYTES, Text, lines, natural, share};
use super::{Definition, Tool};

const TOOL: Tool = Tool::QueryRecords;
/// Left over for the text, the envelope and links beside the records.
const AROUND_BYTES: usize = 6_144;
/// Smaller pages that are tried before the provider counts as unreliable.
const MOST_ROUNDS: usize = 12;
/// What the note about rows that are not shown takes.
const NOTE_BYTES: usize = 96;
/// Longest cursor that the text's budget counts on.
const CURSOR_BYTES: usize = 240;
/// The way on where rows had to be cut and no field says so itself.
const ROWS_ARE_CUT: &str = "Rows are cut: fetch(id) shows a record whole.";

/// What clients are told about the tool.
pub(super) fn definition() -> Definition {
    Definition {
        title: "List records",
        description: "List records of one stream, filtered and sorted. With several connections in the grant, \
            connection_id is needed. Page on with cursor and the same arguments. Long fields are cut \
            short; read them with read_record_field. changes_since lists what changed, deletions \
            included.",
        input_schema: rmcp::object!({
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
        }),
        output_schema: rmcp::object!({
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
        }),
    }
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
                limit = Some(count(prepared.fitting(room).min(returned - 1)));
                continue;
            }
            if prepared.bytes() > room {
                self.squeeze(&mut prepared, room);
            }
            note_reduction(&mut prepared.page, request.limit, limit);
            let plan = Plan::new(&request, &prepared);
            if plan.shown == returned {
                let text = plan.text(&prepared, None);
                return Ok(prepared.answer(text, self.links));
            }
            let short = ListRequest { limit: Some(count(plan.shown)), ..ask };
            match self.continuation(short, &prepared, plan.shown).await? {
                Some(cursor) => {
                    let text = plan.text(&prepared, Some(&cursor));
                    return Ok(prepared.answer(text, self.links));
                }
                // The rows moved meanwhile: a shorter page is always true.
                None => limit = Some(count(plan.shown)),
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

/// How the text of a page will look.
struct Plan {
    stream: StreamName,
    shown: usize,
    spare: usize,
    budget: usize,
    footer: String,
}

impl Plan {
    fn new(request: &ListRequest, prepared: &Prepared) -> Self {
        let stream = request.stream.clone();
        let (rows, footer) = (&prepared.rows, Self::footer(prepared));
        let budget = TEXT_BYTES + excess(&prepared.page, rows);
        let mut plan = Self { stream, shown: rows.len(), spare: 0, budget, footer };
        let header = plan.header(prepared, None).len() + 4;
        if plan.footer.is_empty() && natural(rows) + header > budget {
            ROWS_ARE_CUT.clone_into(&mut plan.footer);
        }
        let room = budget.saturating_sub(header + plan.footer.len());
        (plan.shown, plan.spare) = share(rows, room, ROW_BYTES);
        if plan.shown < rows.len() {
            let (some, spare) =
                share(rows, room.saturating_sub(NOTE_BYTES + CURSOR_BYTES), ROW_BYTES);
            (plan.shown, plan.spare) = (some.max(1), spare);
        }
        plan
    }

    fn text(&self, prepared: &Prepared, continues: Option<&str>) -> String {
        let mut text = Text::new(self.budget);
        text.must(&self.header(prepared, continues));
        for line in lines(&prepared.rows, self.shown, self.spare) {
            text.must(&line);
        }
        if !self.footer.is_empty() {
            text.line(&self.footer);
        }
        if let Some(line) = address_line(&prepared.rungs) {
            text.line(&line);
        }
        text.finish()
    }

    /// Counts, cursors and bookmarks: what the next call needs stands first.
    fn header(&self, prepared: &Prepared, continues: Option<&str>) -> String {
        let page = &prepared.page;
        let returned = prepared.rows.len();
        let mut out = match continues {
            None => {
                format!(
                    "{}: {}.",
                    self.stream,
                    crate::render::one_line::counted(returned as u64, "record")
                )
            }
            Some(_) => format!("{}: {} of {returned} records shown.", self.stream, self.shown),
        };
        if let Some(cursor) = continues {
            let cursor = printed(cursor);
            out.push_str(&format!(" continue_cursor={cursor} goes on after the last one shown."));
        }
        if page.has_more {
            out.push_str(" has_more=true");
        }
        if let Some(cursor) = &page.next_cursor {
            out.push_str(&format!(" next_cursor={}", printed(cursor)));
            if continues.is_some() {
                out.push_str(&format!(" (after all {returned})"));
            }
        }
        if let Some(bookmark) = &page.next_changes_since {
            out.push_str(&format!(" next_changes_since={}", printed(bookmark)));
            if continues.is_some() {
                out.push_str(" (use only after the last page)");
            }
        }
        if let Some(value) = page.meta.count.value {
            out.push_str(&format!(" count={}:{value}", count_word(page.meta.count.kind)));
        }
        for warning in &page.meta.warnings {
            out.push_str(&format!(
                " [{}]",
                crate::render::one_line::one_line(&warning.message, 90)
            ));
        }
        out
    }

    /// How to read on where a field was cut.
    fn footer(prepared: &Prepared) -> String {
        if !prepared.omitted.is_empty() {
            let names = prepared.omitted.join(", ");
            let count = prepared.omitted.len();
            let names = crate::render::one_line::one_line(&names, 300);
            return format!("{count} fields left out: {names}. Read them with fetch(id, fields).");
        }
        let cut = prepared.rungs.iter().find(|rung| !rung.fields.is_empty());
        let Some(rung) = cut else { return String::new() };
        let text = |field: &&serde_json::Value| {
            field.get("text_like") == Some(&true.into()) && field.get("read").is_some()
        };
        let Some(field) = rung.fields.iter().find(text) else {
            let call = ascii_json(&json!({"id": rung.id}));
            return format!("Binary fields: fetch {call} tells their type, size and address.");
        };
        let path = field.get("path").cloned().unwrap_or_default();
        let window = json!({"id": rung.id, "field_path": path});
        let read = |name: &str| field.get("read").and_then(|read| read.get(name));
        let (tool, call) = match (read("tool").and_then(|tool| tool.as_str()), read("arguments")) {
            (Some("fetch"), Some(call)) => ("fetch", call),
            _ => (crate::render::ladder::READ_TOOL, &window),
        };
        let call = ascii_json(call);
        format!("Fields with a size are cut. Read on: {tool} {call}")
    }
}

/// Bytes by which a provider's long cursors and ids lengthen the text.
fn excess(page: &RecordPage, rows: &[Row]) -> usize {
    let over = |text: &String| text.len().saturating_sub(CURSOR_BYTES);
    let cursors = page.next_cursor.iter().chain(&page.next_changes_since).map(over).sum::<usize>();
    cursors + rows.first().map_or(0, |row| row.head.len().saturating_sub(CURSOR_BYTES))
}

fn note_reduction(page: &mut RecordPage, asked: Option<u32>, used: Option<u32>) {
    if asked == used {
        return;
    }
    let requested = asked.unwrap_or(pdpp_contract::limits::DEFAULT_PAGE);
    let returned = page.data.len();
    let detail = [("requested", requested.to_string()), ("returned", returned.to_string())];
    let detail = detail.map(|(name, number)| (name.to_owned(), Json::Number(number)));
    page.meta.warnings.push(Warning {
        code: WarningCode::PageReduced,
        message: format!(
            "page_reduced requested={requested} returned={returned}; next_cursor goes on"
        ),
        param: Some("limit".to_owned()),
        detail: Some(Json::Object(detail.into_iter().collect())),
    });
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

fn count_word(kind: CountKind) -> &'static str {
    match kind {
        CountKind::None => "none",
        CountKind::Estimated => "estimated",
        CountKind::Exact => "exact",
    }
}

fn count(rows: usize) -> u32 {
    u32::try_from(rows.max(1)).unwrap_or(1)
}
