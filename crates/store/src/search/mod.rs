//! Search: which visible records hold which words, with the numbers that scoring needs.

pub(crate) mod natural;
pub(crate) mod postings;
pub mod rows;
pub mod words;

use std::collections::BTreeSet;

use async_trait::async_trait;
use pdpp_contract::FieldName;
use pdpp_contract::declaration::Conversation;

use crate::error::StoreResult;
use crate::numbers::{ChangeNo, RecordNo};
use crate::records::scope::ReadScope;
use crate::records::sort_key::SortKey;
use crate::records::{CollectionQuery, StoredRecord};

/// A term to look for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Term {
    /// The folded and stemmed word, or the folded beginning of one.
    pub text: String,
    /// Whether words that begin with `text` count.
    pub prefix: bool,
}

/// What to look for, and where.
#[derive(Debug, Clone)]
pub struct SearchQuery {
    /// The terms; what holds one of the rarest is a candidate.
    pub terms: Vec<Term>,
    /// Per collection of the scope: the fields that may be searched, within the scope's.
    pub fields: Vec<BTreeSet<FieldName>>,
    /// Per collection of the scope: the field whose time orders recency, and conditions.
    pub collections: Vec<CollectionQuery>,
    /// Most candidates per term and in all.
    pub cap: usize,
    /// On a later page: what the first one had seen.
    pub seen_through: Option<ChangeNo>,
}

/// Whose neighbours to look for, and where.
#[derive(Debug, Clone)]
pub struct NeighbourQuery {
    /// The search they belong to.
    pub search: SearchQuery,
    /// Per collection of the scope: what holds its conversations together, in view.
    pub conversations: Vec<Option<Conversation>>,
    /// Whose neighbours: the place of a collection in the scope, and a record of it.
    pub sources: Vec<(usize, RecordNo)>,
    /// On a first page: what had been written when it searched; what came later is left out.
    pub as_of: ChangeNo,
}

/// What stands around some candidates.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Neighbourhood {
    /// The neighbours.
    pub neighbours: Vec<Neighbour>,
    /// On a first page: the last change that the scope shows of any of them.
    pub seen_through: ChangeNo,
}

/// A record that stands next to another one in its conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Neighbour {
    /// The one next to which it stands.
    pub source: RecordNo,
    /// It, without what it holds of the question.
    pub row: MatchedRow,
    /// 1 for the record before or after, 2 for the next but one; negative before.
    pub distance: i8,
    /// Seconds between the two, where both have a time.
    pub gap_seconds: u64,
    /// On a later page: the newest change, since the first one, of what stands around the source, or
    /// of what has gone from its collection.
    pub unsettled: Option<ChangeNo>,
}

/// What was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchMatches {
    /// Visible records, counted up to a bound.
    pub visible: u64,
    /// Per term: candidates that hold it, counted up to the cap.
    pub frequencies: Vec<u32>,
    /// Whether everything visible that holds a term is among the candidates.
    pub complete: bool,
    /// The candidates, newest number first.
    pub rows: Vec<MatchedRow>,
    /// The last change that the scope shows of any candidate. Every later change has a greater number,
    /// and nothing hidden decides which one it is. On a later page, what the first one had seen.
    pub seen_through: ChangeNo,
    /// The newest change there was, hidden ones included: for [`NeighbourQuery`], and for no answer.
    pub as_of: ChangeNo,
}

/// A candidate: the beginnings of a visible record's searched fields, or a later span of one of
/// them. However the record is stored, and whatever else it holds, the candidates are the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MatchedRow {
    /// Which collection of the scope.
    pub collection: usize,
    /// The record's number.
    pub record_no: RecordNo,
    /// Words in its searched fields.
    pub words: u32,
    /// Term, field, first character of the span, and how often.
    pub hits: Vec<Hit>,
    /// The key of the record's recency field.
    pub time: Option<SortKey>,
    /// The record's key, as its order bytes: breaks ties by value.
    pub key_order: Vec<u8>,
    /// On a later page, for a record that appeared or whose searched fields changed since the first
    /// one: the number of that change.
    pub changed_at: Option<ChangeNo>,
}

/// A term in a field of a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hit {
    /// The term's place in the query.
    pub term: usize,
    /// The field.
    pub field: FieldName,
    /// The first character of the span in the field.
    pub start_chars: u64,
    /// How often.
    pub count: u32,
    /// Words of the field in the span.
    pub words: u32,
}

/// Searching inside a scope.
#[async_trait]
pub trait Searcher: Send + Sync {
    /// Rows that hold the terms in searchable, visible fields of visible records.
    ///
    /// The cap counts visible rows only, newest record number first, so that nothing hidden decides
    /// what is found.
    ///
    /// A later page finds what the first one found, with the time that a record had then as far as the
    /// log knows it (else without one); and apart from these, under a cap of their own, the records
    /// that have changed since.
    async fn search(&self, scope: &ReadScope, query: SearchQuery) -> StoreResult<SearchMatches>;

    /// The records that stand next to others in their conversations: visible ones that meet the
    /// conditions, as if there were no others. A later page leaves out those that appeared since the
    /// first one.
    async fn neighbours(
        &self,
        scope: &ReadScope,
        query: NeighbourQuery,
    ) -> StoreResult<Neighbourhood>;

    /// The records with these numbers that the scope shows, in the order given.
    async fn records_by_number(
        &self,
        scope: &ReadScope,
        numbers: Vec<RecordNo>,
        preview_chars: u32,
    ) -> StoreResult<Vec<StoredRecord>>;

    /// Derives the whole index anew from the records; says how many records it covers.
    async fn rebuild_index(&self) -> StoreResult<u64>;
}
