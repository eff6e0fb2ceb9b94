//! Aggregates: requests and exact answers.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::envelope::{Links, Meta};
use crate::ids::{ConnectionId, FieldName, StreamName};
use crate::json::Json;
use crate::query::Filter;

/// What to compute.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Metric {
    /// Visible records.
    Count,
    /// Different values of a field.
    CountDistinct,
    /// Exact decimal sum of a field.
    Sum,
    /// Smallest value of a field.
    Min,
    /// Largest value of a field.
    Max,
}

impl Metric {
    /// Every metric.
    pub const ALL: [Self; 5] = [Self::Count, Self::CountDistinct, Self::Sum, Self::Min, Self::Max];

    /// The metric as it stands on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Count => "count",
            Self::CountDistinct => "count_distinct",
            Self::Sum => "sum",
            Self::Min => "min",
            Self::Max => "max",
        }
    }
}

/// The width of a time bucket.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the names say it")]
pub enum Granularity {
    Minute,
    Hour,
    Day,
    Week,
    Month,
    Quarter,
    Year,
}

impl Granularity {
    /// Every width, the smallest first.
    pub const ALL: [Self; 7] =
        [Self::Minute, Self::Hour, Self::Day, Self::Week, Self::Month, Self::Quarter, Self::Year];

    /// The width as it stands on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Minute => "minute",
            Self::Hour => "hour",
            Self::Day => "day",
            Self::Week => "week",
            Self::Month => "month",
            Self::Quarter => "quarter",
            Self::Year => "year",
        }
    }
}

/// How records are put together before the metric is computed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Grouping {
    /// One answer over everything.
    None,
    /// One group per value of a field.
    Field(FieldName),
    /// One group per stretch of time.
    Time {
        /// The time field.
        field: FieldName,
        /// The width of a bucket.
        granularity: Granularity,
        /// The IANA zone that says where a bucket begins; UTC when absent.
        time_zone: Option<String>,
    },
}

/// One aggregate over one stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AggregateRequest {
    /// The stream.
    pub stream: StreamName,
    /// What to compute.
    pub metric: Metric,
    /// The field it is computed over; absent for count.
    pub field: Option<FieldName>,
    /// How to group.
    pub grouping: Grouping,
    /// Groups to return; the default when absent.
    pub limit: Option<u32>,
    /// Conditions, all of which must hold.
    pub filter: Vec<Filter>,
    /// One connection; all granted ones when absent.
    pub connection_id: Option<ConnectionId>,
}

/// The answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Aggregation {
    /// Always `aggregation`.
    pub object: AggregationTag,
    /// The stream.
    pub stream: StreamName,
    /// What was computed.
    pub metric: Metric,
    /// Over which field.
    pub field: Option<FieldName>,
    /// Grouped by this field.
    pub group_by: Option<FieldName>,
    /// Grouped by the time in this field.
    pub group_by_time: Option<FieldName>,
    /// The width of a bucket.
    pub granularity: Option<Granularity>,
    /// The zone of the buckets.
    pub time_zone: Option<String>,
    /// Always false.
    pub approximate: bool,
    /// Records the answer is about.
    pub filtered_record_count: u64,
    /// The number, when not grouped.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<Json>,
    /// The groups, when grouped.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub groups: Option<Vec<Group>>,
    /// Most groups that are returned, when grouped.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
    /// Records in groups beyond the limit, exactly.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub other_count: Option<u64>,
    /// Self.
    pub links: Links,
    /// Warnings.
    pub meta: Meta,
    /// Whose records it is about, when the store that answered is in this process.
    #[serde(skip)]
    pub connections: Vec<ConnectionId>,
}

/// The constant `aggregation`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AggregationTag {
    /// `aggregation`
    Aggregation,
}

/// One group.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Group {
    /// The value, or where the bucket begins: a date, below a day a time with its offset; null for
    /// records without one.
    pub key: Json,
    /// Records in the group.
    pub count: u64,
}
