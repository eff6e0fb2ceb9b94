//! `search`: ranked hits over everything in view.

use std::collections::BTreeMap;

use pdpp_contract::envelope::{Warning, WarningCode};
use pdpp_contract::limits::MAX_PAGE;
use pdpp_contract::search::SearchRequest;
use pdpp_contract::error::Subject;
use pdpp_contract::{ApiError, ErrorCode, Json, StreamName};

use crate::answer::ToolAnswer;
use crate::call_context::CallContext;
use crate::arguments::asked_fields;
use crate::arguments::filters::filters;
use crate::arguments::{Arguments, wrong};
use crate::ids::printed;
use crate::refusal::Refusal;
use crate::render::hits::Hits;
use crate::render::ladder::address_line;
use crate::render::one_line::{ascii_json, counted, one_line, quoted};
use crate::render::record_page::RESULT_BYTES;
use crate::render::text::{TEXT_BYTES, Text, lines, share};
use super::Definition;

/// Hits when the call names no limit.
const DEFAULT_HITS: u32 = 10;
/// Left over for the text and the envelope beside the hits.
const AROUND_BYTES: usize = 6_144;
/// Sources that the mix line names.
const MOST_SOURCES: usize = 8;
/// Smaller pages that are tried before the provider counts as unreliable.
const MOST_ROUNDS: usize = 12;
/// What the note about hits that are not shown takes.
const NOTE_BYTES: usize = 96;
/// Longest cursor that the text's budget counts on.
const CURSOR_BYTES: usize = 240;
/// What a hit gets beside its handle before another one is shown: whose it is, some of its title and
/// its match.
const HIT_BYTES: usize = 130;

/// What clients are told about the tool.
pub(super) fn definition() -> Definition {
    Definition {
        title: "Search",
        description: "Find records by words in everything the grant shows, best first. Give query: plain \
            words, \"a phrase\" or a begin* of a word. Each hit has an id for fetch, and the place \
            of its match for read_record_field.",
        input_schema: rmcp::object!({
            "type": "object",
            "properties": {
                "query": {"type": "string", "description": "What to look for."},
                "q": {"type": "string", "description": "Same as query; give one of them."},
                "streams": {
                    "type": "array",
                    "items": {"type": "string"},
                    "description": "Only these streams."
                },
                "connection_id": {"type": "string", "description": "Source to read."},
                "filter": {
                    "type": "object",
                    "description": "As in query_records; needs exactly one stream.",
                    "additionalProperties": true
                },
                "limit": {
                    "type": "integer",
                    "minimum": 1,
                    "maximum": 100,
                    "description": "Hits over all connections together; default 10."
                },
                "cursor": {
                    "type": "string",
                    "description": "next_cursor or continue_cursor of the same call."
                }
            },
            "additionalProperties": false
        }),
        output_schema: rmcp::object!({
            "type": "object",
            "properties": {
                "data": {
                    "type": "object",
                    "description": "The page: data[], has_more, next_cursor, meta."
                },
                "results": {
                    "type": "array",
                    "items": {
                        "type": "object",
                        "properties": {
                            "id": {"type": "string"},
                            "title": {"type": "string"},
                            "url": {"type": "string"},
                            "connection_id": {"type": "string"},
                            "connector_key": {"type": "string"},
                            "stream": {"type": "string"},
                            "record_id": {"type": "string"},
                            "display_name": {"type": "string"},
                            "snippet": {"type": "string"}
                        },
                        "required": ["id", "title", "url", "connection_id", "connector_key", "stream", "record_id"],
                        "additionalProperties": false
                    }
                },
                "content_ladder": {
                    "type": "object",
                    "description": "Fields cut short, each with ready read_record_field arguments."
                }
            },
            "required": ["data", "results"],
            "additionalProperties": false
        }),
    }
}

impl CallContext {
    /// Answers `search`.
    pub(crate) async fn search(&self, arguments: Arguments) -> Result<ToolAnswer, Refusal> {
        let request = request(&arguments)?;
        let asked = request.limit.unwrap_or(DEFAULT_HITS);
        let mut limit = asked;
        for _ in 0..MOST_ROUNDS {
            let ask = SearchRequest { limit: Some(limit), ..request.clone() };
            let page = match self.read.search(ask.clone()).await {
                Ok(page) => page,
                Err(error) => return Err(self.explain_search(error, &request).await),
            };
            let returned = page.data.len();
            let mut hits = self.lay_hits(page);
            let room = RESULT_BYTES - AROUND_BYTES;
            if hits.bytes() > room && returned > 1 {
                limit = number(hits.fitting(room).min(returned - 1));
                continue;
            }
            if limit != asked {
                hits.page.meta.warnings.push(reduced(asked, returned));
            }
            let (shown, spare) = plan(&hits);
            if shown == returned {
                let text = text(&hits, (shown, spare), None);
                return Ok(hits.answer(text, self.links));
            }
            if let Some(cursor) = hits.page.cursors.get(shown - 1) {
                let text = text(&hits, (shown, spare), Some(cursor));
                return Ok(hits.answer(text, self.links));
            }
            // A provider elsewhere sends no cursor per hit; a shorter page ends with the one we need.
            let short = SearchRequest { limit: Some(number(shown)), ..ask };
            let page = self.read.search(short).await.map_err(Refusal::from)?;
            let last =
                page.data.last().map(|hit| (&hit.connection_id, &hit.stream, &hit.record_key));
            let here = hits.page.data.get(shown.saturating_sub(1));
            let here = here.map(|hit| (&hit.connection_id, &hit.stream, &hit.record_key));
            match page.next_cursor.filter(|_| last == here && page.data.len() == shown) {
                Some(cursor) => {
                    let text = text(&hits, (shown, spare), Some(&cursor));
                    return Ok(hits.answer(text, self.links));
                }
                // The ranking moved meanwhile: a shorter page is always true.
                None => limit = number(shown),
            }
        }
        Err(crate::refusal::unsteady())
    }

    async fn explain_search(&self, error: ApiError, request: &SearchRequest) -> Refusal {
        let Some(first) = request.streams.first() else {
            return match error.code {
                ErrorCode::ConnectionNotFound => self.no_connection().await,
                _ => error.into(),
            };
        };
        let stream = match &error.subject {
            Some(Subject::Stream(stream)) => stream.clone(),
            Some(Subject::Connection(_) | Subject::Field(_)) => first.clone(),
            None => self.outside_view(&request.streams).await.unwrap_or_else(|| first.clone()),
        };
        let asked: Vec<String> = asked_fields::of_filter(&request.filter).collect();
        self.explain_fields(error, &stream, request.connection_id.as_ref(), &asked).await
    }

    /// The first of several streams that no connection in view has. A provider may not say which.
    async fn outside_view(&self, streams: &[StreamName]) -> Option<StreamName> {
        if streams.len() < 2 {
            return None;
        }
        let sources = self.read.sources().await.ok()?;
        let in_view = |stream: &&StreamName| sources.iter().any(|s| s.streams.contains(stream));
        streams.iter().find(|stream| !in_view(stream)).cloned()
    }
}

/// How many hits the text shows, and the bytes it shares among them.
fn plan(hits: &Hits) -> (usize, usize) {
    let budget = budget(hits);
    let around = header(hits, None).len() + footer(hits).len() + 4;
    let (all, spare) = share(&hits.rows, budget.saturating_sub(around), HIT_BYTES);
    if all == hits.rows.len() {
        return (all, spare);
    }
    let room = budget.saturating_sub(around + NOTE_BYTES + CURSOR_BYTES);
    let (some, spare) = share(&hits.rows, room, HIT_BYTES);
    (some.max(1), spare)
}

fn text(hits: &Hits, (shown, spare): (usize, usize), continues: Option<&str>) -> String {
    let mut text = Text::new(budget(hits));
    text.must(&header(hits, continues.map(|cursor| (cursor, shown))));
    for line in lines(&hits.rows, shown, spare) {
        text.must(&line);
    }
    text.line(&footer(hits));
    if let Some(line) = address_line(&hits.rungs) {
        text.line(&line);
    }
    text.finish()
}

/// Bytes of the text; a provider's long cursor or id lengthens it.
fn budget(hits: &Hits) -> usize {
    let cursor =
        hits.page.next_cursor.as_ref().map_or(0, |text| text.len().saturating_sub(CURSOR_BYTES));
    let head = hits.rows.first().map_or(0, |row| row.head.len().saturating_sub(CURSOR_BYTES));
    TEXT_BYTES + cursor + 2 * head
}

/// Handles first: the best hit, the way on, then what the ranking covers and where hits come from.
fn header(hits: &Hits, continues: Option<(&str, usize)>) -> String {
    let page = &hits.page;
    let returned = hits.rows.len();
    let mut out = String::new();
    if let Some(id) = hits.first_id() {
        out.push_str(&format!("first_fetch_id={}\n", printed(id)));
    }
    match continues {
        None => out.push_str(&format!("search: {}.", counted(returned as u64, "hit"))),
        Some((cursor, shown)) => out.push_str(&format!(
            "search: {shown} of {returned} hits shown. continue_cursor={} goes on after the last one shown.",
            printed(cursor)
        )),
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
    if !page.meta.recall.complete {
        let cap =
            page.meta.recall.candidate_window_limit.map_or(String::new(), |cap| format!(":{cap}"));
        out.push_str(&format!(" recall=candidate_window{cap}, not every match was ranked."));
    }
    if let Some(changed) = page.meta.changed_since_first_page.filter(|changed| *changed > 0) {
        out.push_str(&format!(" changed_since_first_page={changed}, these come last."));
    }
    for warning in &page.meta.warnings {
        out.push_str(&format!(" [{}]", one_line(&warning.message, 90)));
    }
    if let Some(mix) = source_mix(hits) {
        out.push('\n');
        out.push_str(&mix);
    }
    out
}

/// Which connections the hits come from, when there is more than one.
fn source_mix(hits: &Hits) -> Option<String> {
    let mut counts: BTreeMap<&str, (usize, &str, Option<&str>)> = BTreeMap::new();
    for hit in &hits.page.data {
        let label = hit.display_name.as_deref();
        let entry = counts.entry(hit.connection_id.as_str());
        entry.or_insert((0, hit.connector_key.as_str(), label)).0 += 1;
    }
    if counts.len() < 2 {
        return None;
    }
    let mut mix: Vec<_> = counts.into_values().collect();
    mix.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(b.1)));
    let more = mix.len().saturating_sub(MOST_SOURCES);
    let shown = mix.into_iter().take(MOST_SOURCES).map(|(count, connector, label)| match label {
        Some(label) => format!("{connector} {} {count}", quoted(label, 24)),
        None => format!("{connector} {count}"),
    });
    let mut line = format!("source_mix: {}", shown.collect::<Vec<_>>().join(", "));
    if more > 0 {
        line.push_str(&format!(", {more} more"));
    }
    Some(line)
}

fn footer(hits: &Hits) -> String {
    if hits.rows.is_empty() {
        return "Try fewer or other words, or query_records with a filter.".to_owned();
    }
    let field = hits.rungs.iter().find_map(|rung| rung.fields.first());
    let call = field.and_then(|field| field.pointer("/read/arguments")).map(ascii_json);
    let fetch = "fetch(id) reads a hit, the id as shown; connection_id only where a line shows it.";
    match call {
        None => fetch.to_owned(),
        Some(call) => format!("{fetch} At its match: read_record_field {call}"),
    }
}

fn request(arguments: &Arguments) -> Result<SearchRequest, Refusal> {
    let q = match (arguments.text("query")?, arguments.text("q")?) {
        (Some(text), None) | (None, Some(text)) => text,
        (None, None) => return Err(wrong("query", "is needed: the words to look for")),
        (Some(_), Some(_)) => return Err(wrong("q", "is the same as query; give one of them")),
    };
    Ok(SearchRequest {
        q,
        streams: arguments.names("streams")?.unwrap_or_default(),
        connection_id: arguments.connection_id()?,
        limit: arguments.small("limit", 1, MAX_PAGE)?,
        cursor: arguments.text("cursor")?,
        filter: filters(arguments)?,
    })
}

fn reduced(requested: u32, returned: usize) -> Warning {
    let detail = [("requested", requested.to_string()), ("returned", returned.to_string())];
    let detail = detail.map(|(name, number)| (name.to_owned(), Json::Number(number)));
    Warning {
        code: WarningCode::PageReduced,
        message: format!(
            "page_reduced requested={requested} returned={returned}; next_cursor goes on"
        ),
        param: Some("limit".to_owned()),
        detail: Some(Json::Object(detail.into_iter().collect())),
    }
}

fn number(hits: usize) -> u32 {
    u32::try_from(hits.max(1)).unwrap_or(1)
}
