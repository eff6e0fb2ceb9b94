//! Search: requests and ranked answers.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::envelope::{Links, Warning};
use crate::ids::{ConnectionId, ConnectorKey, StreamName};
use crate::key::RecordId;
use crate::query::{Filter, ListTag};
use crate::record::RecordNumber;

/// Words to find among what a reader can see.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchRequest {
    /// The words; `"…"` is a phrase, `word*` a beginning.
    pub q: String,
    /// Only these streams; all granted ones when empty.
    pub streams: Vec<StreamName>,
    /// One connection; all granted ones when absent.
    pub connection_id: Option<ConnectionId>,
    /// Hits on the page; the default when absent.
    pub limit: Option<u32>,
    /// Where the previous page ended.
    pub cursor: Option<String>,
    /// Conditions on the fields of the one stream that is searched.
    pub filter: Vec<Filter>,
}

/// A page of hits, best first, over all connections together.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SearchPage {
    /// Always `list`.
    pub object: ListTag,
    /// The path of the search.
    pub url: String,
    /// The hits.
    pub data: Vec<SearchHit>,
    /// Whether another page follows.
    pub has_more: bool,
    /// What to pass as `cursor` for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<String>,
    /// Self and next.
    pub links: Links,
    /// How complete the ranking is.
    pub meta: SearchMeta,
    /// The cursor after each hit, when the store that answered is in this process: a reader that
    /// shows fewer hits goes on from there without another search.
    #[serde(skip)]
    pub cursors: Vec<String>,
}

/// Facts about a search.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SearchMeta {
    /// How complete the ranking is.
    pub recall: Recall,
    /// On a later page: how many matches are new or changed since the first one; these come last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub changed_since_first_page: Option<u64>,
    /// What the reader should know.
    #[serde(default)]
    pub warnings: Vec<Warning>,
}

/// Whether everything that matches was ranked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Recall {
    /// Everything that matches was ranked.
    pub complete: bool,
    /// What the ranking covers.
    pub ranking_scope: RankingScope,
    /// The cap that was reached, when the ranking is not complete.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub candidate_window_limit: Option<u64>,
}

/// What a ranking covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RankingScope {
    /// Every match.
    AllMatches,
    /// The newest matches up to the cap.
    CandidateWindow,
}

/// One record that matches.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SearchHit {
    /// Always `search_result`.
    pub object: SearchHitTag,
    /// The stream.
    pub stream: StreamName,
    /// The record.
    pub record_key: RecordId,
    /// Where it comes from.
    pub connection_id: ConnectionId,
    /// The kind of source.
    pub connector_key: ConnectorKey,
    /// What the owner calls the connection.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub display_name: Option<String>,
    /// When the producer processed it.
    pub emitted_at: String,
    /// When it was written or happened, from a granted field.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub authored_at: Option<String>,
    /// Who wrote it, from a granted field.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub author: Option<String>,
    /// A human title from granted fields.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The granted fields that match.
    pub matched_fields: Vec<String>,
    /// The path of the record.
    pub record_url: String,
    /// The best span of the record's text; its beginning when only its title matched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub snippet: Option<Snippet>,
    /// A longer span without marks, for readers with more room, when the store that answered is
    /// in this process.
    #[serde(skip)]
    pub passage: Option<Snippet>,
    /// The record's number, when the store that answered is in this process.
    #[serde(skip)]
    pub number: Option<RecordNumber>,
}

/// The constant `search_result`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SearchHitTag {
    /// `search_result`
    SearchResult,
}

/// A short span of a field with its matches marked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Snippet {
    /// The field.
    pub field: String,
    /// The text, matches between `<mark>` and `</mark>`.
    pub text: String,
    /// Where the text begins in the field, in characters, where the provider says it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start_chars: Option<u64>,
    /// The first character after it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end_chars: Option<u64>,
    /// Where the match begins in the field, in characters, where the provider says it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub match_start_chars: Option<u64>,
    /// The first character after the match.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub match_end_chars: Option<u64>,
    /// Without its marks it is the whole field, to the letter.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub complete: bool,
}
