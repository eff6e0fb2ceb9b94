//! Search: one ranking over everything in view, with snippets that lead to the text.

mod cursor;
mod question;
mod score;
mod snippet;
mod title;

use std::collections::BTreeSet;

use pdpp_contract::declaration::FieldKind;
use pdpp_contract::envelope::{Links, Warning};
use pdpp_contract::query::{Filter, ListTag};
use pdpp_contract::search::{
    RankingScope, Recall, SearchHit, SearchHitTag, SearchMeta, SearchPage, SearchRequest, Snippet,
};
use pdpp_contract::{ApiError, ErrorCode, FieldName, Json, StreamName};
use pdpp_store::field_path::FieldPath;
use pdpp_store::records::{CollectionQuery, StoredRecord};
use pdpp_store::search::{MatchedRow, SearchMatches, SearchQuery};
use pdpp_store::text::{TextAnswer, TextRead};
use pdpp_store::{ReadScope, search_rows};

use crate::binding::Binding;
use crate::links::{self, Address};
use crate::reader::GrantedReader;
use crate::refusal::from_store;
use crate::view::{Narrow, Shelf, resolve, scope_of};
use crate::{conditions, render};
use cursor::SearchCursor;
use question::Question;
use score::{Frozen, Ranked, rank};
use snippet::Reading;

/// Rows per word and candidates in all; beyond it an answer says so.
const CAP: usize = 1_000;

impl GrantedReader {
    pub(crate) async fn search_page(&self, request: SearchRequest) -> Result<SearchPage, ApiError> {
        let question = Question::parse(&request.q)?;
        let (limit, clamped) = render::page_size(request.limit)?;
        let shelves = self.searched_shelves(&request).await?;
        let binding = self.search_binding(&request);
        let cursor = match &request.cursor {
            None => None,
            Some(text) => Some(
                SearchCursor::open(&self.shared.sealer, binding, text)
                    .ok_or_else(invalid_cursor)?,
            ),
        };
        let (shelves, query) = self.plan(&question, shelves, &request.filter, cursor.as_ref())?;
        let scope = scope_of(&shelves);
        let matches = self.shared.store.search(&scope, query).await.map_err(from_store)?;
        let frozen = cursor.as_ref().map_or_else(|| Frozen::of(&matches), |c| c.frozen.clone());
        let ranked = rank(&matches.rows, &shelves, &frozen);
        let after = |hit: &Ranked<'_>| {
            cursor.as_ref().is_none_or(|cursor| cursor.precedes(hit.score, hit.tie))
        };
        let ranked: Vec<Ranked<'_>> = ranked.into_iter().filter(after).collect();
        let page = Page { reader: self, question: &question, shelves: &shelves, scope: &scope };
        let (data, last, has_more) = page.fill(&ranked, limit).await?;
        let next_cursor = last.filter(|_| has_more).and_then(|(score, tie)| {
            let as_of = cursor.as_ref().map_or(matches.change_no, |cursor| cursor.as_of);
            let next = SearchCursor { as_of, score, tie, frozen };
            next.seal(&self.shared.sealer, binding)
        });
        Ok(answer(&request, data, has_more, next_cursor, &matches, clamped))
    }

    /// The shelves in view that have searchable text, narrowed to what was asked.
    async fn searched_shelves(&self, request: &SearchRequest) -> Result<Vec<Shelf>, ApiError> {
        let connection = request.connection_id.as_ref();
        let mut shelves = Vec::new();
        if request.streams.is_empty() {
            let narrow = Narrow { stream: None, connection };
            shelves = resolve(&self.shared, &self.authority, narrow).await?;
        }
        let streams: BTreeSet<&StreamName> = request.streams.iter().collect();
        for stream in streams {
            let narrow = Narrow { stream: Some(stream), connection };
            shelves.extend(resolve(&self.shared, &self.authority, narrow).await?);
        }
        if !request.filter.is_empty() && request.streams.len() != 1 {
            let message = "a filter needs exactly one stream; add streams";
            return Err(ApiError::new(ErrorCode::InvalidFilter, message).param("streams"));
        }
        Ok(shelves)
    }

    fn plan(
        &self,
        question: &Question,
        shelves: Vec<Shelf>,
        filters: &[Filter],
        cursor: Option<&SearchCursor>,
    ) -> Result<(Vec<Shelf>, SearchQuery), ApiError> {
        let conditions = conditions::filters(&self.authority.kind, &shelves, filters)?;
        let mut kept = Vec::with_capacity(shelves.len());
        let (mut fields, mut collections) = (Vec::new(), Vec::new());
        for (shelf, conditions) in shelves.into_iter().zip(conditions) {
            let Some(conditions) = conditions else { continue };
            let searched = searched_fields(&shelf);
            if searched.is_empty() {
                continue;
            }
            collections.push(CollectionQuery { order_field: time_field(&shelf), conditions });
            fields.push(searched);
            kept.push(shelf);
        }
        let as_of = cursor.map(|cursor| cursor.as_of);
        let terms = question.terms.clone();
        Ok((kept, SearchQuery { terms, fields, collections, cap: CAP, as_of }))
    }

    fn search_binding(&self, request: &SearchRequest) -> [u8; 16] {
        let mut binding = Binding::new(self.authority.digest)
            .with("search")
            .with(&request.q)
            .with_option(request.connection_id.as_ref().map(AsRef::as_ref));
        let mut facts: Vec<String> =
            request.streams.iter().map(|stream| format!("stream\0{stream}")).collect();
        facts.extend(request.filter.iter().map(crate::list::spelled));
        facts.sort();
        for fact in &facts {
            binding = binding.with(fact);
        }
        binding.finish()
    }
}

/// The searchable fields of a shelf that are in view.
fn searched_fields(shelf: &Shelf) -> BTreeSet<FieldName> {
    let declared = shelf.stream.query.search.lexical_fields.iter();
    declared.filter(|field| shelf.scope.fields.contains(*field)).cloned().collect()
}

/// The field that says how new a record is, when it is a time and in view.
fn time_field(shelf: &Shelf) -> Option<FieldName> {
    let field = shelf.cursor_field()?;
    let kind = shelf.stream.field_kind(field.as_str());
    kind.is_some_and(FieldKind::is_time).then(|| field.clone())
}

/// Turns ranked rows into hits.
struct Page<'a> {
    reader: &'a GrantedReader,
    question: &'a Question,
    shelves: &'a [Shelf],
    scope: &'a ReadScope,
}

impl Page<'_> {
    /// Hits in order until the page is full. Phrases and beginnings are checked on the text here, so
    /// that only as many texts are read as the page needs.
    async fn fill(
        &self,
        ranked: &[Ranked<'_>],
        limit: usize,
    ) -> Result<(Vec<SearchHit>, Option<(f64, u64)>, bool), ApiError> {
        let mut hits = Vec::new();
        let mut last = None;
        let mut rest = ranked;
        while !rest.is_empty() {
            let (some, after) = rest.split_at(rest.len().min(limit.max(10)));
            rest = after;
            let numbers = some.iter().map(|hit| hit.record_no).collect();
            let records = self.reader.shared.store.records_by_number(self.scope, numbers, 0).await;
            let records = records.map_err(from_store)?;
            for hit in some {
                let Some(record) = records.iter().find(|found| found.record_no == hit.record_no)
                else {
                    continue;
                };
                let Some(shelf) = self.shelves.get(record.collection) else { continue };
                let (agrees, snippet) = self.read(hit.row, record).await?;
                if !agrees {
                    continue;
                }
                if hits.len() == limit {
                    return Ok((hits, last, true));
                }
                hits.push(search_hit(record, shelf, hit.row, snippet));
                last = Some((hit.score, hit.tie));
            }
        }
        Ok((hits, last, false))
    }

    /// Whether the record's text holds what the question demands, and its best snippet.
    async fn read(
        &self,
        row: &MatchedRow,
        record: &StoredRecord,
    ) -> Result<(bool, Option<Snippet>), ApiError> {
        let mut fields: Vec<(&FieldName, u64, u32)> = Vec::new();
        for hit in &row.hits {
            match fields
                .iter_mut()
                .find(|(field, start, _)| *field == &hit.field && *start == hit.start_chars)
            {
                Some((_, _, terms)) => *terms += 1,
                None => fields.push((&hit.field, hit.start_chars, 1)),
            }
        }
        // The field that answers most words first; equal ones in the order of their names.
        fields.sort_by(|a, b| b.2.cmp(&a.2).then_with(|| a.0.cmp(b.0)));
        let mut missing_phrases: Vec<_> = self.question.phrases.iter().collect();
        let mut missing_beginnings: Vec<usize> =
            self.question.beginnings.iter().map(|(place, _)| *place).collect();
        let mut snippet = None;
        for (field, start_chars, _) in fields {
            if snippet.is_some() && !self.question.needs_text() {
                break;
            }
            let Some(text) = self.text(record, field, start_chars).await? else { continue };
            let reading = Reading::new(&text, self.question);
            missing_phrases.retain(|phrase| !reading.holds_phrase(phrase));
            missing_beginnings.retain(|place| !reading.holds(*place));
            if snippet.is_none() {
                snippet = reading.snippet(field.as_str(), start_chars);
            }
        }
        Ok((missing_phrases.is_empty() && missing_beginnings.is_empty(), snippet))
    }

    /// The stretch of a field that an index row covers.
    async fn text(
        &self,
        record: &StoredRecord,
        field: &FieldName,
        start_chars: u64,
    ) -> Result<Option<String>, ApiError> {
        if let Some(Json::String(text)) = record.data.get(field.as_str()) {
            return Ok(Some(text.clone()));
        }
        let mut pointer = field.as_str().replace('~', "~0").replace('/', "~1");
        pointer.insert(0, '/');
        let (Ok(path), Some(shelf)) =
            (FieldPath::parse(&pointer), self.shelves.get(record.collection))
        else {
            return Ok(None);
        };
        let scope = ReadScope::new(vec![shelf.scope.clone()]);
        let limit = u32::try_from(search_rows::ROW_CHARS).unwrap_or(u32::MAX);
        let read = TextRead::Range { start: start_chars, limit };
        let answer = self.reader.shared.store.read_text(&scope, &record.id, &path, read).await;
        Ok(match answer.map_err(from_store)? {
            TextAnswer::Text(found) => Some(found.text),
            _ => None,
        })
    }
}

fn search_hit(
    record: &StoredRecord,
    shelf: &Shelf,
    row: &MatchedRow,
    snippet: Option<Snippet>,
) -> SearchHit {
    let mut matched: Vec<String> = row.hits.iter().map(|hit| hit.field.to_string()).collect();
    matched.sort();
    matched.dedup();
    let authored = time_field(shelf).and_then(|field| record.data.get(field.as_str()).cloned());
    let address = Address::new(links::record_path(&record.stream, &record.id))
        .with("connection_id", record.connection.as_str());
    SearchHit {
        object: SearchHitTag::SearchResult,
        stream: record.stream.clone(),
        record_key: record.id.clone(),
        connection_id: record.connection.clone(),
        connector_key: shelf.connection.connector_key.clone(),
        display_name: shelf.display_name(),
        emitted_at: record.emitted_at.clone(),
        authored_at: authored.as_ref().and_then(Json::as_str).map(str::to_owned),
        title: title::of(&record.data),
        matched_fields: matched,
        record_url: address.finish(),
        snippet,
    }
}

fn answer(
    request: &SearchRequest,
    data: Vec<SearchHit>,
    has_more: bool,
    next_cursor: Option<String>,
    matches: &SearchMatches,
    clamped: Option<Warning>,
) -> SearchPage {
    let recall = Recall {
        complete: matches.complete,
        ranking_scope: if matches.complete {
            RankingScope::AllMatches
        } else {
            RankingScope::CandidateWindow
        },
        candidate_window_limit: (!matches.complete).then_some(u64::try_from(CAP).unwrap_or(0)),
    };
    let this = links::search_address(request, request.cursor.as_deref());
    let next = next_cursor.as_ref().map(|next| links::search_address(request, Some(next)));
    SearchPage {
        object: ListTag::List,
        url: "/v1/search".to_owned(),
        data,
        has_more,
        next_cursor,
        links: Links { this, next: Some(next) },
        meta: SearchMeta { recall, warnings: clamped.into_iter().collect() },
    }
}

fn invalid_cursor() -> ApiError {
    ApiError::new(
        ErrorCode::InvalidCursor,
        "the cursor does not belong to this search; start again without it",
    )
    .param("cursor")
}
