//! Reading records: pages in one global order, single records, counts.

pub mod connections;
pub(crate) mod number;
pub mod related;
pub(crate) mod row;
pub mod scope;
pub mod sort_key;
pub(crate) mod sort_value;
pub(crate) mod time_keys;

use async_trait::async_trait;
use pdpp_contract::record::TextKind;
use pdpp_contract::{ConnectionId, FieldName, JsonObject, RecordId, StreamName};

use crate::error::StoreResult;
use crate::numbers::RecordNo;
use crate::writes::hashing::TextDigest;
use related::{RelatedPage, RelatedQuery};
use scope::ReadScope;
use sort_key::SortKey;

/// A page of records over all collections of a scope.
///
/// The order is (value of the order field, primary key, connection id, stream). Records without a value
/// come last in both directions, by primary key. Equal values are ordered by primary key in the
/// direction of the page.
#[derive(Debug, Clone)]
pub struct ListQuery {
    /// Per collection of the scope, in the same order: what to sort and filter by.
    pub collections: Vec<CollectionQuery>,
    /// Largest first.
    pub descending: bool,
    /// Continue after this place.
    pub after: Option<PagePosition>,
    /// Most records to return.
    pub limit: usize,
    /// Stop growing at this many bytes of record JSON; one record is always returned.
    pub max_bytes: usize,
    /// How much of a long field to bring along, in characters.
    pub preview_chars: u32,
    /// The fields to return, within the scope's; all of the scope's when absent.
    pub fields: Option<Vec<FieldName>>,
}

/// How one collection takes part in a query.
#[derive(Debug, Clone, Default)]
pub struct CollectionQuery {
    /// The field to sort by. Without one, every record counts as lacking a value.
    pub order_field: Option<FieldName>,
    /// Conditions, all of which must hold.
    pub conditions: Vec<Condition>,
}

/// One condition on one field. A record without a value never fulfils it.
#[derive(Debug, Clone)]
pub struct Condition {
    /// The field.
    pub field: FieldName,
    /// The comparison.
    pub test: Test,
}

/// A comparison with a value.
#[derive(Debug, Clone)]
pub enum Test {
    /// Equal. `text` is the whole value when the key was cut.
    Equals {
        /// The value's key.
        key: SortKey,
        /// The whole value, for keys that were cut.
        text: String,
    },
    /// At least.
    AtLeast(SortKey),
    /// Above.
    Above(SortKey),
    /// At most.
    AtMost(SortKey),
    /// Below.
    Below(SortKey),
}

/// A place in the order: the last record of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PagePosition {
    /// Its value; `None` when it lacks one.
    pub key: Option<SortKey>,
    /// Its number in the store.
    pub record_no: RecordNo,
}

/// A page.
#[derive(Debug, Clone)]
pub struct ListPage {
    /// The records, in order.
    pub records: Vec<StoredRecord>,
    /// Whether records follow.
    pub has_more: bool,
    /// Whether the page ends early because of its bytes.
    pub reduced: bool,
    /// The place of the last record, when there is one.
    pub last: Option<PagePosition>,
}

/// A record inside a scope: only fields the scope shows.
#[derive(Debug, Clone)]
pub struct StoredRecord {
    /// Which collection of the scope it belongs to.
    pub collection: usize,
    /// Where it comes from.
    pub connection: ConnectionId,
    /// The stream.
    pub stream: StreamName,
    /// Its number in the store.
    pub record_no: RecordNo,
    /// Its canonical key.
    pub id: RecordId,
    /// When the producer processed what the scope shows of it: a later change that only touched
    /// hidden fields does not move it.
    pub emitted_at: String,
    /// Its visible fields that live in the record.
    pub data: JsonObject,
    /// Its visible fields that live outside.
    pub long: Vec<StoredLongField>,
}

/// A top-level field that lives outside its record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredLongField {
    /// The field.
    pub field: FieldName,
    /// A string, or canonical JSON.
    pub kind: TextKind,
    /// Characters of the whole text.
    pub chars: u64,
    /// Bytes of the whole text.
    pub bytes: u64,
    /// Digest of the whole text.
    pub digest: TextDigest,
    /// The beginning of the text, as long as the query asked.
    pub preview: String,
}

/// Visible numbers of one collection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CollectionStats {
    /// Which collection of the scope.
    pub collection: usize,
    /// Visible records.
    pub record_count: u64,
}

/// Reading records inside a scope.
#[async_trait]
pub trait RecordReader: Send + Sync {
    /// One page. `None` when the place to continue after does not exist in the scope's collections.
    async fn list_records(
        &self,
        scope: &ReadScope,
        query: ListQuery,
    ) -> StoreResult<Option<ListPage>>;

    /// The record with this id in each collection of the scope that shows it, by connection id.
    async fn find_records(
        &self,
        scope: &ReadScope,
        id: &RecordId,
        preview_chars: u32,
    ) -> StoreResult<Vec<StoredRecord>>;

    /// Related records: one page per group, in the order of the groups.
    ///
    /// Room for lists is given out in that order. A list that finds none is empty and says whether
    /// it would have been.
    async fn related_records(
        &self,
        scope: &ReadScope,
        query: RelatedQuery,
    ) -> StoreResult<Vec<RelatedPage>>;

    /// How many visible records fulfil the conditions, counted up to `at_most`.
    async fn count_records(
        &self,
        scope: &ReadScope,
        collections: Vec<CollectionQuery>,
        at_most: u64,
    ) -> StoreResult<u64>;

    /// Visible numbers of each collection of the scope, in its order. Collections that do not exist
    /// are left out.
    async fn collection_stats(&self, scope: &ReadScope) -> StoreResult<Vec<CollectionStats>>;
}
