//! Numbers over the values of one field, exact over all collections of a scope at once.

pub(crate) mod decimal;
pub(crate) mod tally;
pub(crate) mod time_buckets;

use async_trait::async_trait;
use pdpp_contract::{FieldName, Json};

use crate::error::StoreResult;
use crate::records::CollectionQuery;
use crate::records::scope::{CollectionScope, ReadScope};
use time_buckets::BucketCounts;
pub use time_buckets::TimeBuckets;

/// What to compute over which field.
#[derive(Debug, Clone)]
pub struct AggregateQuery {
    /// Per collection of the scope, in the same order: the conditions. The order field is not used.
    pub collections: Vec<CollectionQuery>,
    /// Per collection of the scope, in the same order: the field. Where it is absent, every record
    /// counts as lacking a value. Fields that a declaration offers for aggregates have typed copies;
    /// for others every record is read.
    pub fields: Vec<Option<FieldName>>,
    /// What to compute.
    pub measure: Measure,
}

/// What to compute.
#[derive(Debug, Clone)]
pub enum Measure {
    /// How many different values there are. 1 and 1.0 are one value, and so are two spellings of
    /// one instant.
    Distinct,
    /// The exact sum of the numbers.
    Sum,
    /// The least value.
    Least,
    /// The greatest value.
    Greatest,
    /// How many records have each value: the largest groups first, equal ones by value, records
    /// without a value after their equals.
    Groups {
        /// Most groups to return.
        most: usize,
    },
    /// How many records fall into each time bucket, earliest first, records without a time last.
    Times {
        /// The buckets.
        buckets: TimeBuckets,
        /// Most groups to return.
        most: usize,
    },
}

/// The answer, exact.
#[derive(Debug, Clone, PartialEq)]
pub struct Aggregate {
    /// Visible records that fulfil the conditions, with or without a value.
    pub records: u64,
    /// What was computed over them.
    pub measured: MeasuredValue,
}

/// What was computed.
#[derive(Debug, Clone, PartialEq)]
pub enum MeasuredValue {
    /// How many different values.
    Distinct(u64),
    /// The sum as a JSON number, `0` of nothing; absent when its digits would fill pages.
    Sum(Option<String>),
    /// The least or greatest value as it is spelled in its record, of equal ones in the record with
    /// the lowest key; absent when there is none.
    Extreme(Option<Json>),
    /// Groups with their counts; null stands for records without a value.
    Groups(Vec<(Json, u64)>),
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
