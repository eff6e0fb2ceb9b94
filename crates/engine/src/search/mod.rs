//! Search: one ranking over everything in view, with snippets that lead to the text.

mod around;
mod cooccurrence;
mod cursor;
mod extended;
mod neighbours;
mod page;
mod question;
mod refine;
mod score;
mod snippet;
mod span;
mod texts;

use std::collections::BTreeSet;

use pdpp_contract::declaration::FieldKind;
use pdpp_contract::envelope::{Links, Warning};
use pdpp_contract::links;
use pdpp_contract::query::{Filter, ListTag};
use pdpp_contract::search::{
    RankingScope, Recall, SearchHit, SearchMeta, SearchPage, SearchRequest,
};
use pdpp_contract::{ApiError, ErrorCode, FieldName, StreamName};
use pdpp_store::records::CollectionQuery;
use pdpp_store::search::{SearchMatches, SearchQuery};
use pdpp_store::{ReadScope, RecordNo};

use crate::reader::GrantedReader;
use crate::records::conditions;
use crate::records::render;
use crate::refusal::from_store;
use crate::sealed::binding::Binding;
use crate::view::{GrantedStream, Narrow, resolve, scope_of};
use cursor::{RankPlace, SearchCursor};
use page::{Filled, Page};
use question::Question;
use refine::{Begun, Refiner};
use score::{Frozen, Ranked, Scorer};
use texts::Texts;

/// Rows per word and candidates in all; beyond it an answer says so.
const CAP: usize = 1_000;

impl GrantedReader {
    pub(crate) async fn search_page(&self, request: SearchRequest) -> Result<SearchPage, ApiError> {
        let mut question = Question::parse(&request.q)?;
        let (limit, clamped) = render::page_size(request.limit)?;
        let granted_streams = self.searched_streams(&request).await?;
        let binding = self.search_binding(&request);
        let cursor = self.opened(&request, binding)?;
        if let Some(cursor) = &cursor {
            question.extend(cursor.extended.clone());
        }
        let (granted_streams, mut search) =
            self.plan(&question, granted_streams, &request.filter, cursor.as_ref())?;
        let scope = scope_of(&granted_streams);
        let matches = self.matches(&scope, &mut question, &mut search).await?;
        let frozen = cursor.as_ref().map_or_else(|| Frozen::of(&matches), |c| c.frozen.clone());
        let texts = Texts { reader: self, granted_streams: &granted_streams, scope: &scope };
        let scorer =
            Scorer { granted_streams: &granted_streams, question: &question, frozen: &frozen };
        let refiner = Refiner { texts: &texts, question: &question, scorer: &scorer };
        let (mut changed, mut ranked): (Vec<Ranked<'_>>, Vec<_>) =
            scorer.rank(&matches.rows).into_iter().partition(|hit| hit.changed_at.is_some());
        let begun = match &cursor {
            None => refiner.begin(&ranked).await?,
            Some(cursor) => Begun::again(&ranked, &cursor.refinement),
        };
        let sources = ranked.get(..begun.count()).unwrap_or_default();
        let (around, beside) = self.around(&texts, search, sources, matches.as_of).await?;
        let refinement = match &cursor {
            None => refiner.settle(&mut ranked, &begun, &around),
            Some(SearchCursor { refinement, place, .. }) => {
                refiner.go_on(&mut ranked, refinement, &around, place.score()).await?;
                set_moved_apart(&mut ranked, &mut changed);
                refinement.clone()
            }
        };
        let changes = cursor.as_ref().and_then(|_| u64::try_from(changed.len()).ok());
        // What changed since the first page has no place in its order; it comes after, oldest change
        // first.
        changed.sort_by_key(|hit| (hit.changed_at, hit.short_tie()));
        ranked.extend(changed);
        if let Some(cursor) = &cursor {
            ranked.retain(|hit| cursor.place.precedes(hit));
        }
        let page = Page { texts: &texts, question: &question };
        let filled = page.fill(&ranked, limit).await?;
        let mut warnings: Vec<Warning> = clamped.into_iter().collect();
        warnings.extend(extended::warning(&question, &frozen));
        let seen_through = matches.seen_through.max(beside);
        let (place, extended) = (RankPlace::START, question.extended);
        let next = SearchCursor { seen_through, place, frozen, refinement, extended };
        let mut page = self.sealed_page(&request, filled, next, &matches);
        page.meta.changed_since_first_page = changes;
        page.meta.warnings.extend(warnings);
        Ok(page)
    }

    /// The hits with the cursor after each.
    fn sealed_page(
        &self,
        request: &SearchRequest,
        filled: Filled,
        mut cursor: SearchCursor,
        matches: &SearchMatches,
    ) -> SearchPage {
        let Filled { hits, places, has_more } = filled;
        let binding = self.search_binding(request);
        let sealed = |place: RankPlace| {
            cursor.place = place;
            cursor.seal(&self.shared.sealer, binding)
        };
        let cursors: Vec<String> = places.into_iter().map_while(sealed).collect();
        let next_cursor = cursors.last().filter(|_| has_more && cursors.len() == hits.len());
        let mut page = answer(request, hits, next_cursor.cloned(), matches);
        page.cursors = cursors;
        page
    }

    /// The cursor of a later page.
    fn opened(
        &self,
        request: &SearchRequest,
        binding: [u8; 16],
    ) -> Result<Option<SearchCursor>, ApiError> {
        let open = |text: &String| {
            let opened = SearchCursor::open(&self.shared.sealer, binding, text);
            opened.ok_or_else(invalid_cursor)
        };
        request.cursor.as_ref().map(open).transpose()
    }

    /// What the store finds. On a first page, words that nothing holds are taken for beginnings.
    async fn matches(
        &self,
        scope: &ReadScope,
        question: &mut Question,
        search: &mut SearchQuery,
    ) -> Result<SearchMatches, ApiError> {
        let store = &self.shared.store;
        let matches = store.search(scope, search.clone()).await.map_err(from_store)?;
        if search.seen_through.is_some() {
            return Ok(matches);
        }
        let absent = |term: usize| matches.frequencies.get(term).is_none_or(|held| *held == 0);
        let longer = question.extensible(absent);
        if longer.is_empty() {
            return Ok(matches);
        }
        question.extend(longer);
        search.terms.clone_from(&question.terms);
        store.search(scope, search.clone()).await.map_err(from_store)
    }

    /// The granted streams in view that have searchable text, narrowed to what was asked.
    async fn searched_streams(
        &self,
        request: &SearchRequest,
    ) -> Result<Vec<GrantedStream>, ApiError> {
        let connection = request.connection_id.as_ref();
        let mut granted_streams = Vec::new();
        if request.streams.is_empty() {
            let narrow = Narrow { stream: None, connection };
            granted_streams = resolve(&self.shared, &self.authority, narrow).await?;
        }
        let streams: BTreeSet<&StreamName> = request.streams.iter().collect();
        for stream in streams {
            let narrow = Narrow { stream: Some(stream), connection };
            granted_streams.extend(resolve(&self.shared, &self.authority, narrow).await?);
        }
        if !request.filter.is_empty() && request.streams.len() != 1 {
            let message = "a filter needs exactly one stream; add streams";
            return Err(ApiError::new(ErrorCode::InvalidFilter, message).param("streams"));
        }
        Ok(granted_streams)
    }

    fn plan(
        &self,
        question: &Question,
        granted_streams: Vec<GrantedStream>,
        filters: &[Filter],
        cursor: Option<&SearchCursor>,
    ) -> Result<(Vec<GrantedStream>, SearchQuery), ApiError> {
        let conditions = conditions::filters(&self.authority.kind, &granted_streams, filters)?;
        let mut kept = Vec::with_capacity(granted_streams.len());
        let (mut fields, mut collections) = (Vec::new(), Vec::new());
        for (granted, conditions) in granted_streams.into_iter().zip(conditions) {
            let Some(conditions) = conditions else { continue };
            let searched = searched_fields(&granted);
            if searched.is_empty() {
                continue;
            }
            collections.push(CollectionQuery { order_field: time_field(&granted), conditions });
            fields.push(searched);
            kept.push(granted);
        }
        let seen_through = cursor.map(|cursor| cursor.seen_through);
        let terms = question.terms.clone();
        Ok((kept, SearchQuery { terms, fields, collections, cap: CAP, seen_through }))
    }

    fn search_binding(&self, request: &SearchRequest) -> [u8; 16] {
        let mut binding = Binding::of_page(&self.authority)
            .with("search")
            .with(&request.q)
            .with_option(request.connection_id.as_ref().map(AsRef::as_ref));
        let mut facts: Vec<String> =
            request.streams.iter().map(|stream| format!("stream\0{stream}")).collect();
        facts.extend(request.filter.iter().map(crate::records::list::spelled));
        facts.sort();
        for fact in &facts {
            binding = binding.with(fact);
        }
        binding.finish()
    }
}

/// Sets those apart that something around them has moved.
fn set_moved_apart<'a>(ranked: &mut Vec<Ranked<'a>>, changed: &mut Vec<Ranked<'a>>) {
    let known: BTreeSet<RecordNo> = changed.iter().map(|hit| hit.record_no).collect();
    let (moved, kept): (Vec<_>, Vec<_>) =
        std::mem::take(ranked).into_iter().partition(|hit| hit.changed_at.is_some());
    changed.extend(moved.into_iter().filter(|hit| !known.contains(&hit.record_no)));
    *ranked = kept;
}

/// The searchable fields of a granted stream that are in view.
fn searched_fields(granted: &GrantedStream) -> BTreeSet<FieldName> {
    let declared = granted.stream.query.search.lexical_fields.iter();
    declared.filter(|field| granted.scope.fields.contains(*field)).cloned().collect()
}

/// The field that says how new a record is, when it is a time and in view.
pub(crate) fn time_field(granted: &GrantedStream) -> Option<FieldName> {
    let field = granted.cursor_field()?;
    let kind = granted.stream.field_kind(field.as_str());
    kind.is_some_and(FieldKind::is_time).then(|| field.clone())
}

fn answer(
    request: &SearchRequest,
    data: Vec<SearchHit>,
    next_cursor: Option<String>,
    matches: &SearchMatches,
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
    let this = links::search(request, request.cursor.as_deref()).finish();
    let next = next_cursor.as_ref().map(|next| links::search(request, Some(next)).finish());
    SearchPage {
        object: ListTag::List,
        url: links::SEARCH.to_owned(),
        data,
        has_more: next_cursor.is_some(),
        next_cursor,
        links: Links { this, next: Some(next) },
        meta: SearchMeta { recall, changed_since_first_page: None, warnings: Vec::new() },
        cursors: Vec::new(),
    }
}

fn invalid_cursor() -> ApiError {
    ApiError::new(
        ErrorCode::InvalidCursor,
        "the cursor does not belong to this search; start again without it",
    )
    .param("cursor")
}
