//! Search answers as any PDPP server sends them.

use pdpp_contract::Json;
use pdpp_contract::envelope::{Links, Warning, WarningCode};
use pdpp_contract::query::ListTag;
use pdpp_contract::search::{
    RankingScope, Recall, SearchHit, SearchMeta, SearchPage, SearchRequest,
};
use serde::Deserialize;
use serde_json::Value;

use super::hits;
use super::records::warnings;

/// A page of hits on the wire.
#[derive(Debug, Deserialize)]
pub(in crate::remote) struct WireSearch {
    data: Vec<Value>,
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
    changed_since_first_page: Option<u64>,
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

impl WireSearch {
    pub(in crate::remote) fn into_page(self, request: &SearchRequest) -> SearchPage {
        let connection = request.connection_id.as_ref();
        let sent = self.data.len();
        let data: Vec<SearchHit> =
            self.data.iter().filter_map(|given| hits::hit(given, connection)).collect();
        let mut warnings = warnings(self.meta.warnings);
        if data.len() < sent {
            warnings.push(left_out(sent - data.len()));
        }
        SearchPage {
            object: ListTag::List,
            url: self.url.unwrap_or_else(|| "/v1/search".to_owned()),
            data,
            has_more: self.has_more,
            next_cursor: self.next_cursor,
            links: self.links.unwrap_or_default(),
            meta: SearchMeta {
                recall: recall(self.meta.recall),
                changed_since_first_page: self.meta.changed_since_first_page,
                warnings,
            },
            cursors: Vec::new(),
        }
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

/// Says how many hits name no record that could be read.
fn left_out(count: usize) -> Warning {
    let hits = if count == 1 { "1 hit" } else { &format!("{count} hits") };
    let detail = [("left_out".to_owned(), Json::Number(count.to_string()))];
    Warning {
        code: WarningCode::PartialResults,
        message: format!("{hits} left out: no record with an id that can be read here"),
        param: None,
        detail: Some(Json::Object(detail.into_iter().collect())),
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
        let page = wire.into_page(&request);
        assert_eq!(page.data[0].connector_key.as_str(), "gmail");
        assert!(!page.meta.recall.complete, "nothing was promised");
        assert!(page.data[0].snippet.is_some());
    }
}
