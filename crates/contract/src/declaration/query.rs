//! What a stream lets people ask beyond listing: ranges, expansions, search and aggregates.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ids::FieldName;

/// What may be asked of a stream beyond listing it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct QueryDeclaration {
    /// The fields that can be compared and sorted by, with the comparisons each allows.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub range_filters: BTreeMap<FieldName, Vec<RangeOperator>>,
    /// The relationships whose records can come along.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub expand: Vec<ExpandDeclaration>,
    /// The fields that search looks into.
    #[serde(default, skip_serializing_if = "SearchDeclaration::is_empty")]
    pub search: SearchDeclaration,
    /// The fields that can be counted and summed.
    #[serde(default, skip_serializing_if = "AggregationDeclaration::is_empty")]
    pub aggregations: AggregationDeclaration,
}

impl QueryDeclaration {
    /// Whether nothing is offered, so that the member is left out.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// A comparison with a bound.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum RangeOperator {
    /// At or above the bound.
    Gte,
    /// Above the bound.
    Gt,
    /// At or below the bound.
    Lte,
    /// Below the bound.
    Lt,
}

impl RangeOperator {
    /// The operator as it stands on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Gte => "gte",
            Self::Gt => "gt",
            Self::Lte => "lte",
            Self::Lt => "lt",
        }
    }
}

/// A relationship whose records can come along with a record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExpandDeclaration {
    /// The name of the relationship.
    pub name: String,
    /// How many related records come when the request names no limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default_limit: Option<u32>,
    /// Most related records.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_limit: Option<u32>,
}

/// The text fields that search looks into.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SearchDeclaration {
    /// Found by their words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lexical_fields: Vec<FieldName>,
    /// Found by their meaning.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub semantic_fields: Vec<FieldName>,
}

impl SearchDeclaration {
    /// Whether nothing is offered, so that the member is left out.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// The fields that can be counted, grouped and summed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AggregationDeclaration {
    /// Whether records can be counted. The wire knows `true` and absence, never `false`.
    #[serde(default, skip_serializing_if = "is_false")]
    pub count: bool,
    /// Fields whose distinct values can be counted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub count_distinct: Vec<FieldName>,
    /// Fields whose values can form groups.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub group_by: Vec<FieldName>,
    /// Time fields whose periods can form groups.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub group_by_time: Vec<FieldName>,
    /// Fields with a greatest value.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub max: Vec<FieldName>,
    /// Fields with a least value.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub min: Vec<FieldName>,
    /// Fields that can be added up.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sum: Vec<FieldName>,
}

impl AggregationDeclaration {
    /// Whether nothing is offered, so that the member is left out.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_false(value: &bool) -> bool {
    !*value
}
