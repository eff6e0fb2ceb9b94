//! Numbers over the values of a field, exact over all collections of a scope at once.

pub(crate) mod decimal;
pub(crate) mod grouped;
pub(crate) mod tally;
pub(crate) mod time_buckets;

use async_trait::async_trait;
use pdpp_contract::{FieldName, Json};

use crate::error::StoreResult;
use crate::records::CollectionQuery;
use crate::records::scope::{CollectionScope, ReadScope};
use time_buckets::BucketCounts;
pub use time_buckets::TimeBuckets;

/// What to compute over which fields.
#[derive(Debug, Clone)]
pub struct AggregateQuery {
    /// Per collection of the scope, in the same order: the conditions. The order field is not used.
    pub collections: Vec<CollectionQuery>,
    /// Per collection of the scope, in the same order: the fields. Fields that a declaration offers
    /// for aggregates have typed copies; for others every record is read.
    pub fields: Vec<AggregateFields>,
    /// What to compute.
    pub measure: Measure,
    /// Which groups to compute it for; absent for one answer over everything.
    pub grouping: Option<GroupQuery>,
}

/// The fields of one collection. Where one is absent, every record counts as lacking a value.
#[derive(Debug, Clone, Default)]
pub struct AggregateFields {
    /// What is measured.
    pub measured: Option<FieldName>,
    /// Whose values make groups.
    pub grouped: Option<FieldName>,
    /// Whose times fall into buckets.
    pub time: Option<FieldName>,
}

/// What to compute.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Measure {
    /// How many records there are.
    Count,
    /// How many different values there are. 1 and 1.0 are one value, and so are two spellings of
    /// one instant.
    Distinct,
    /// The exact sum of the numbers, `0` of nothing.
    Sum,
    /// The sum divided by how many numbers there are, to 20 significant digits; null of nothing.
    Mean,
    /// The least value as it is spelled in its record, of equal ones in the record with the lowest
    /// key; null of nothing.
    Least,
    /// The greatest value, likewise.
    Greatest,
}

/// Which groups to compute a measure for.
///
/// By time, groups come in the order of time, records without a time last. Within a bucket, and
/// without one, they come by what was computed: the least value first for [`Measure::Least`], the
/// greatest first otherwise, groups without a value last, equal ones by the group's own value,
/// records without one after their equals.
#[derive(Debug, Clone)]
pub struct GroupQuery {
    /// One group per value of the grouped field.
    pub by_value: bool,
    /// One group per time bucket; with `by_value`, per bucket and value.
    pub buckets: Option<TimeBuckets>,
    /// Where the page before this one ended.
    pub after: Option<GroupPlace>,
    /// Most groups to return.
    pub most: usize,
}

/// Where a page of groups ends. The next one goes on after the same group wherever it stands by
/// then, or from the same position when it is gone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GroupPlace {
    /// Groups up to here.
    pub position: u64,
    /// A keyed hash of the last of them.
    pub last: u128,
}

/// The answer, exact.
#[derive(Debug, Clone, PartialEq)]
pub struct Aggregate {
    /// Visible records that fulfil the conditions, with or without a value.
    pub records: u64,
    /// What was computed over all of them; absent when its digits would fill pages.
    pub value: Option<Json>,
    /// The groups, when grouped.
    pub groups: Option<GroupPage>,
}

/// Some of the groups.
#[derive(Debug, Clone, PartialEq)]
pub struct GroupPage {
    /// These groups.
    pub groups: Vec<MeasuredGroup>,
    /// How many there are in all.
    pub group_count: u64,
    /// Where to go on; absent after the last group.
    pub next: Option<GroupPlace>,
}

/// One group.
#[derive(Debug, Clone, PartialEq)]
pub struct MeasuredGroup {
    /// The value of the grouped field, when grouped by value; null for records without one.
    pub key: Option<Json>,
    /// Where the bucket begins, when grouped by time; null for records without a time.
    pub time: Option<Json>,
    /// Records in the group.
    pub records: u64,
    /// What was computed over them; absent when its digits would fill pages.
    pub value: Option<Json>,
}

/// Computing over the records of a scope.
#[async_trait]
pub trait Aggregator: Send + Sync {
    /// Computes one measure in one snapshot.
    async fn aggregate(&self, scope: &ReadScope, query: AggregateQuery) -> StoreResult<Aggregate>;
}

/// A collection whose records are counted by time, as another session can do it.
pub(crate) struct TimeWalk {
    /// Its place in the scope.
    pub index: usize,
    pub records: u64,
    /// Nothing is counted yet.
    pub counts: BucketCounts,
    pub scope: CollectionScope,
    pub query: CollectionQuery,
    pub field: FieldName,
}

/// What a walk found.
pub(crate) struct Walked {
    /// Visible records that fulfil the conditions.
    pub records: u64,
    pub counts: BucketCounts,
}
