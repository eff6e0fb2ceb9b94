//! Search: one ranking over everything in view, with snippets that lead to the text.

mod cooccurrence;
mod cursor;
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
use pdpp_store::ChangeNo;
use pdpp_store::records::CollectionQuery;
use pdpp_store::search::{SearchMatches, SearchQuery};

use crate::reader::GrantedReader;
use crate::records::conditions;
use crate::records::render;
use crate::refusal::from_store;
use crate::sealed::binding::Binding;
use crate::view::{GrantedStream, Narrow, resolve, scope_of};
use cursor::{RankPlace, SearchCursor};
use page::{Filled, Page};
use question::Question;
use refine::Refiner;
use score::{Frozen, Ranked, rank};
use texts::Texts;

/// Rows per word and candidates in all; beyond it an answer says so.
const CAP: usize = 1_000;

impl GrantedReader {
    pub(crate) async fn search_page(&self, request: SearchRequest) -> Result<SearchPage, ApiError> {
        let question = Question::parse(&request.q)?;
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
        let (granted_streams, query) =
            self.plan(&question, granted_streams, &request.filter, cursor.as_ref())?;
        let scope = scope_of(&granted_streams);
        let matches = self.shared.store.search(&scope, query).await.map_err(from_store)?;
        let frozen = cursor.as_ref().map_or_else(|| Frozen::of(&matches), |c| c.frozen.clone());
        let texts = Texts { reader: self, granted_streams: &granted_streams, scope: &scope };
        let refiner = Refiner { texts: &texts, question: &question, frozen: &frozen };
        let (mut changed, mut ranked): (Vec<Ranked<'_>>, Vec<_>) =
            rank(&matches.rows, &granted_streams, &frozen)
                .into_iter()
                .partition(|hit| hit.changed_at().is_some());
        let changes = cursor.as_ref().and_then(|_| u64::try_from(changed.len()).ok());
        let refinement = match &cursor {
            None => refiner.begin(&mut ranked).await?,
            Some(cursor) => {
                if let RankPlace::Ranked { score, .. } = cursor.place {
                    refiner.go_on(&mut ranked, &cursor.refinement, score).await?;
                }
                ranked.retain(|hit| cursor.place.precedes(hit));
                changed.retain(|hit| cursor.place.precedes(hit));
                cursor.refinement.clone()
            }
        };
        // What changed since the first page has no place in its order; it comes after, oldest change
        // first.
        changed.sort_by_key(Ranked::changed_at);
        ranked.extend(changed);
        let page = Page { texts: &texts, question: &question };
        let Filled { hits, places, has_more } = page.fill(&ranked, limit).await?;
        let place = RankPlace::Changed(ChangeNo(0));
        let mut cursor =
            SearchCursor { seen_through: matches.seen_through, place, frozen, refinement };
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
