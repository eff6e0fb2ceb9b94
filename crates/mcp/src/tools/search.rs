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
use crate::render::paging::{page_limit, page_reduced};
use crate::render::record_page::RESULT_BYTES;
use crate::render::search_text::{plan, text};
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
        description: "Find records by words in everything the grant shows, best first. Give query: plain \
            words, \"a phrase\" or a begin* of a word. Each hit has an id for fetch, and the place \
            of its match for read_record_field.",
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
                "description": "next_cursor or continue_cursor of the same call."
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
            let returned = page.data.len();
            let mut hits = self.lay_hits(page);
            let room = RESULT_BYTES - AROUND_BYTES;
            if hits.bytes() > room && returned > 1 {
                limit = page_limit(hits.fitting(room).min(returned - 1));
                continue;
            }
            if limit != asked {
                hits.page.meta.warnings.push(page_reduced(asked, returned));
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
            let short = SearchRequest { limit: Some(page_limit(shown)), ..ask };
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
                None => limit = page_limit(shown),
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
