//! Search answers as any PDPP server sends them.

use pdpp_contract::envelope::Links;
use pdpp_contract::query::ListTag;
use pdpp_contract::search::{
    RankingScope, Recall, SearchHit, SearchHitTag, SearchMeta, SearchPage, SearchRequest, Snippet,
};
use pdpp_contract::{ConnectionId, ConnectorKey, RecordId, StreamName};
use serde::Deserialize;
use serde_json::Value;

use super::records::{named, warnings};
use super::schema::connector_key;

/// A page of hits on the wire.
#[derive(Debug, Deserialize)]
pub(super) struct WireSearch {
    data: Vec<WireHit>,
    #[serde(default)]
    has_more: bool,
    #[serde(default)]
    next_cursor: Option<String>,
    #[serde(default)]
    url: Option<String>,
    #[serde(default)]
    links: Option<Links>,
    #[serde(default)]
    meta: WireSearchMeta,
}

#[derive(Debug, Default, Deserialize)]
struct WireSearchMeta {
    #[serde(default)]
    recall: Option<WireRecall>,
    #[serde(default)]
    warnings: Vec<Value>,
}

#[derive(Debug, Deserialize)]
struct WireRecall {
    #[serde(default)]
    complete: bool,
    #[serde(default)]
    candidate_window_limit: Option<u64>,
}

#[derive(Debug, Deserialize)]
struct WireHit {
    stream: StreamName,
    record_key: RecordId,
    #[serde(default)]
    connection_id: Option<ConnectionId>,
    #[serde(default)]
    connector_key: Option<ConnectorKey>,
    #[serde(default)]
    connector_id: Option<String>,
    #[serde(default)]
    display_name: Option<String>,
    #[serde(default)]
    emitted_at: Option<String>,
    #[serde(default)]
    authored_at: Option<String>,
    #[serde(default)]
    title: Option<String>,
    #[serde(default)]
    matched_fields: Vec<String>,
    #[serde(default)]
    record_url: Option<String>,
    #[serde(default)]
    snippet: Option<WireSnippet>,
}

#[derive(Debug, Deserialize)]
struct WireSnippet {
    field: String,
    text: String,
    #[serde(default)]
    match_start_chars: Option<u64>,
    #[serde(default)]
    match_end_chars: Option<u64>,
    #[serde(default)]
    complete: bool,
}

impl WireSearch {
    pub(super) fn into_page(self, request: &SearchRequest) -> Option<SearchPage> {
        let connection = request.connection_id.as_ref();
        let hits = self.data.into_iter().map(|hit| hit.into_hit(connection));
        Some(SearchPage {
            object: ListTag::List,
            url: self.url.unwrap_or_else(|| "/v1/search".to_owned()),
            data: hits.collect::<Option<_>>()?,
            has_more: self.has_more,
            next_cursor: self.next_cursor,
            links: self.links.unwrap_or_default(),
            meta: SearchMeta {
                recall: recall(self.meta.recall),
                warnings: warnings(self.meta.warnings),
            },
        })
    }
}

/// A provider that says nothing about completeness has not promised it.
fn recall(given: Option<WireRecall>) -> Recall {
    let complete = given.as_ref().is_some_and(|recall| recall.complete);
    Recall {
        complete,
        ranking_scope: if complete {
            RankingScope::AllMatches
        } else {
            RankingScope::CandidateWindow
        },
        candidate_window_limit: given.and_then(|recall| recall.candidate_window_limit),
    }
}

impl WireHit {
    fn into_hit(self, connection: Option<&ConnectionId>) -> Option<SearchHit> {
        let key = self.connector_key.or_else(|| connector_key(self.connector_id.as_deref()?));
        Some(SearchHit {
            object: SearchHitTag::SearchResult,
            stream: self.stream,
            record_key: self.record_key,
            connection_id: named(self.connection_id, connection)?,
            connector_key: key.or_else(|| ConnectorKey::new("unknown").ok())?,
            display_name: self.display_name,
            emitted_at: self.emitted_at.unwrap_or_default(),
            authored_at: self.authored_at,
            title: self.title,
            matched_fields: self.matched_fields,
            record_url: self.record_url.unwrap_or_default(),
            snippet: self.snippet.map(|snippet| Snippet {
                field: snippet.field,
                text: snippet.text,
                match_start_chars: snippet.match_start_chars,
                match_end_chars: snippet.match_end_chars,
                complete: snippet.complete,
            }),
            number: None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plain_server_s_hits_become_hits_of_the_contract() {
        let wire: WireSearch = serde_json::from_str(
            r#"{"object":"list","url":"/v1/search","data":[{"object":"search_result","stream":"mail",
                "record_key":"m1","connector_id":"https://registry.pdpp.dev/connectors/gmail",
                "emitted_at":null,"matched_fields":["body"],"record_url":"/v1/streams/mail/records/m1",
                "connection_id":"cin_1","snippet":{"field":"body","text":"the <mark>boiler</mark>"},
                "evidence_excerpts":[]}],"has_more":false,
                "meta":{"count":null,"count_accuracy":"not_counted","warnings":[]}}"#,
        )
        .unwrap();
        let request = SearchRequest {
            q: "boiler".to_owned(),
            streams: Vec::new(),
            connection_id: None,
            limit: None,
            cursor: None,
            filter: Vec::new(),
        };
        let page = wire.into_page(&request).unwrap();
        assert_eq!(page.data[0].connector_key.as_str(), "gmail");
        assert!(!page.meta.recall.complete, "nothing was promised");
        assert!(page.data[0].snippet.is_some());
    }
}
