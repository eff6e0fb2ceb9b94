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
use pdpp_contract::envelope::Links;
use pdpp_contract::links;
use pdpp_contract::query::{Filter, ListTag};
use pdpp_contract::search::{
    RankingScope, Recall, SearchHit, SearchMeta, SearchPage, SearchRequest,
};
use pdpp_contract::{ApiError, ErrorCode, FieldName, StreamName};
use pdpp_store::records::CollectionQuery;
use pdpp_store::search::{SearchMatches, SearchQuery};
use pdpp_store::{ChangeNo, RecordNo};

use crate::reader::GrantedReader;
use crate::records::conditions;
use crate::records::render;
use crate::refusal::from_store;
use crate::sealed::binding::Binding;
use crate::view::{GrantedStream, Narrow, resolve, scope_of};
use cursor::{RankPlace, SearchCursor};
use neighbours::Lifted;
use page::{Filled, Page};
use question::Question;
use refine::Refiner;
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
        let cursor = match &request.cursor {
            None => None,
            Some(text) => Some(
                SearchCursor::open(&self.shared.sealer, binding, text)
                    .ok_or_else(invalid_cursor)?,
            ),
        };
        if let Some(cursor) = &cursor {
            question.extend(cursor.extended.clone());
        }
        let (granted_streams, query) =
            self.plan(&question, granted_streams, &request.filter, cursor.as_ref())?;
        let scope = scope_of(&granted_streams);
        let mut search = query;
        let store = &self.shared.store;
        let mut matches = store.search(&scope, search.clone()).await.map_err(from_store)?;
        if cursor.is_none() {
            let absent = |term: usize| matches.frequencies.get(term).is_none_or(|held| *held == 0);
            let longer = question.extensible(absent);
            if !longer.is_empty() {
                question.extend(longer);
                search.terms.clone_from(&question.terms);
                matches = store.search(&scope, search.clone()).await.map_err(from_store)?;
            }
        }
        let frozen = cursor.as_ref().map_or_else(|| Frozen::of(&matches), |c| c.frozen.clone());
        let texts = Texts { reader: self, granted_streams: &granted_streams, scope: &scope };
        let scorer =
            Scorer { granted_streams: &granted_streams, question: &question, frozen: &frozen };
        let refiner = Refiner { texts: &texts, question: &question, scorer: &scorer };
        let around: Vec<Lifted>;
        let mut beside = ChangeNo::NONE;
        let (mut changed, mut ranked): (Vec<Ranked<'_>>, Vec<_>) =
            scorer.rank(&matches.rows).into_iter().partition(|hit| hit.changed_at.is_some());
        let refinement = match &cursor {
            None => {
                let begun = refiner.begin(&ranked).await?;
                let sources = ranked.get(..begun.count()).unwrap_or_default();
                (around, beside) = self.around(&texts, search, sources, matches.as_of).await?;
                refiner.settle(&mut ranked, &begun, &around)
            }
            Some(cursor) => {
                let decided = &cursor.refinement;
                let from = match cursor.place {
                    RankPlace::Ranked { score, .. } => score,
                    RankPlace::Changed { .. } => f64::NEG_INFINITY,
                };
                let covered = refiner.covered(&ranked, decided);
                let sources = ranked.get(..covered).unwrap_or_default();
                (around, _) = self.around(&texts, search, sources, matches.as_of).await?;
                refiner.go_on(&mut ranked, decided, &around, from).await?;
                let known: BTreeSet<RecordNo> = changed.iter().map(|hit| hit.record_no).collect();
                let (moved, kept): (Vec<_>, Vec<_>) =
                    ranked.into_iter().partition(|hit| hit.changed_at.is_some());
                changed.extend(moved.into_iter().filter(|hit| !known.contains(&hit.record_no)));
                ranked = kept;
                ranked.retain(|hit| cursor.place.precedes(hit));
                cursor.refinement.clone()
            }
        };
        let changes = cursor.as_ref().and_then(|_| u64::try_from(changed.len()).ok());
        if let Some(cursor) = &cursor {
            changed.retain(|hit| cursor.place.precedes(hit));
        }
        // What changed since the first page has no place in its order; it comes after, oldest change
        // first.
        changed.sort_by_key(|hit| (hit.changed_at, hit.short_tie()));
        ranked.extend(changed);
        let page = Page { texts: &texts, question: &question };
        let Filled { hits, places, has_more } = page.fill(&ranked, limit).await?;
        let place = RankPlace::Changed { change_no: ChangeNo::NONE, tie: 0 };
        let seen_through = matches.seen_through.max(beside);
        let extended = question.extended.clone();
        let longer = extended::warning(&question, &frozen);
        let mut cursor = SearchCursor { seen_through, place, frozen, refinement, extended };
        let sealed = |place: RankPlace| {
            cursor.place = place;
            cursor.seal(&self.shared.sealer, binding)
        };
        let cursors: Vec<String> = places.into_iter().map_while(sealed).collect();
        let next_cursor = cursors.last().filter(|_| has_more && cursors.len() == hits.len());
        let mut page = answer(&request, hits, next_cursor.cloned(), &matches);
        page.cursors = cursors;
        page.meta.changed_since_first_page = changes;
        page.meta.warnings.extend(clamped);
        page.meta.warnings.extend(longer);
        Ok(page)
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
