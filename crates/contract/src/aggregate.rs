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
    /// Sum of a field divided by how many records have a number in it, to 20 significant digits.
    Avg,
}

impl Metric {
    /// Every metric.
    pub const ALL: [Self; 6] =
        [Self::Count, Self::CountDistinct, Self::Sum, Self::Min, Self::Max, Self::Avg];

    /// The metric as it stands on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Count => "count",
            Self::CountDistinct => "count_distinct",
            Self::Sum => "sum",
            Self::Min => "min",
            Self::Max => "max",
            Self::Avg => "avg",
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

/// How records are put together before the metric is computed: by the values of a field, by time,
/// by both, or not at all.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Grouping {
    /// One group per value of this field.
    pub field: Option<FieldName>,
    /// One group per time bucket; with a field, per bucket and value.
    pub time: Option<TimeGrouping>,
}

impl Grouping {
    /// By the values of a field.
    pub fn by(field: FieldName) -> Self {
        Self { field: Some(field), time: None }
    }

    /// By time.
    pub fn per(time: TimeGrouping) -> Self {
        Self { field: None, time: Some(time) }
    }

    /// Whether there are groups.
    pub fn is_some(&self) -> bool {
        self.field.is_some() || self.time.is_some()
    }
}

/// Time buckets that make groups.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TimeGrouping {
    /// The time field.
    pub field: FieldName,
    /// The width of a bucket.
    pub granularity: Granularity,
    /// The IANA zone that says where a bucket begins; UTC when absent.
    pub time_zone: Option<String>,
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
    /// The `next_cursor` of the page of groups before.
    pub cursor: Option<String>,
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
    /// The number over all groups together, when grouped.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub total: Option<Json>,
    /// The groups, when grouped: in the order of time if grouped by time, and then by what was
    /// computed, the smallest first for `min`, the largest first otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub groups: Option<Vec<Group>>,
    /// How many groups there are on all pages, when grouped.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group_count: Option<u64>,
    /// Most groups on a page, when grouped.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
    /// Records in groups that are not on this page, exactly.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub other_count: Option<u64>,
    /// Whether more groups follow, when grouped.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub has_more: Option<bool>,
    /// Continues with the groups after these.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<String>,
    /// Self and next.
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
    /// Where the bucket begins, when grouped by a field and by time; null for records without a
    /// time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<Json>,
    /// Records in the group.
    pub count: u64,
    /// What was computed over the group, unless that is the count.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<Json>,
}
