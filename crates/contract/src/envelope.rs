//! What surrounds every answer: links, counts and warnings.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::json::Json;

/// Where this answer came from and where it goes on.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Links {
    /// This answer.
    #[serde(rename = "self")]
    pub this: String,
    /// The next page; absent on answers that have no pages, null on the last one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<Option<String>>,
}

/// Facts about the answer.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Meta {
    /// How many records match, as far as it was asked.
    #[serde(default)]
    pub count: Count,
    /// What the reader should know; never changes the status.
    #[serde(default)]
    pub warnings: Vec<Warning>,
}

/// A count and how exact it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Count {
    /// How the number came about.
    pub kind: CountKind,
    /// The number; absent when nothing was counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<u64>,
}

/// How exact a count is, asked for and answered in the same words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CountKind {
    /// Not counted.
    #[default]
    None,
    /// Counted up to a bound; the bound itself when there are more.
    Estimated,
    /// Counted.
    Exact,
}

/// Something the reader should know about an answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Warning {
    /// What happened.
    pub code: WarningCode,
    /// The same in words.
    pub message: String,
    /// The parameter it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub param: Option<String>,
    /// Numbers that belong to it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<Json>,
}

/// The closed list of warnings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum WarningCode {
    /// The requested limit was above the maximum, which was used instead.
    LimitClamped,
    /// The page ends early because its bytes are at the limit; `next_cursor` goes on.
    PageReduced,
    /// The count is a lower bound.
    CountDowngraded,
    /// Part of the sources could not answer.
    PartialResults,
    /// Nothing holds a word of the question; words that begin with it matched instead.
    WordsExtended,
}
