//! `search`: ranked hits over everything in view.

use pdpp_contract::limits::MAX_PAGE;
use pdpp_contract::search::SearchRequest;
use pdpp_contract::error::ErrorSubject;
use pdpp_contract::{ApiError, ErrorCode, StreamName};
use rmcp::model::JsonObject;

use crate::answer::ToolAnswer;
use crate::call_context::CallContext;
use crate::arguments::asked_fields;
use crate::arguments::filters::filters;
use crate::arguments::{Arguments, wrong};
use crate::refusal::Refusal;
use crate::render::paging::page_limit;
use crate::render::record_page::RESULT_BYTES;
use crate::render::search_text::text;
use super::Definition;

/// Hits when the call names no limit.
const DEFAULT_HITS: u32 = 10;
/// Left over for the text and the envelope beside the hits.
const AROUND_BYTES: usize = 6_144;
/// Smaller pages that are tried before the provider counts as unreliable.
const MOST_ROUNDS: usize = 12;

/// What clients are told about the tool.
pub(super) fn definition() -> Definition {
    Definition {
        title: "Search",
        description: "Find records by words in everything the grant shows, best first. Any word may match; \
            records with all of them rank first. \"a phrase\" and begin* must occur. The first rows \
            show the passage that matches, the others id and title; a larger limit shows more. Each \
            id works alone in fetch and read_record_field.",
        input_schema: input_schema(),
        output_schema: output_schema(),
    }
}

fn input_schema() -> JsonObject {
    rmcp::object!({
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
                "description": "next_cursor of the same call."
            }
        },
        "additionalProperties": false
    })
}

fn output_schema() -> JsonObject {
    rmcp::object!({
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
    })
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
            let mut hits = self.lay_hits(page);
            let room = RESULT_BYTES - AROUND_BYTES;
            let mut fits = if hits.bytes() > room { hits.fitting(room) } else { hits.rows.len() };
            loop {
                let whole = fits >= hits.rows.len();
                if !whole && !hits.shorten(fits, &ask) {
                    // A provider elsewhere sends no cursor per hit; a smaller page ends with one.
                    limit = page_limit(fits);
                    break;
                }
                if !whole || limit != asked {
                    hits.note_reduction(asked);
                }
                match text(&hits, &request) {
                    Ok(text) => return Ok(hits.answer(text, self.links)),
                    Err(fewer) => fits = fewer,
                }
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
            Some(ErrorSubject::Stream(stream)) => stream.clone(),
            Some(ErrorSubject::Connection(_) | ErrorSubject::Field(_)) => first.clone(),
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
