//! What groups of one bucket are ordered by: what was computed over them.

use std::cmp::Ordering;

use pdpp_contract::Json;

use crate::records::number::Decimal;

/// What was computed over a group, in a form that can be compared.
pub(super) enum Rank {
    Count(u64),
    /// `None` comes last.
    Number(Option<Decimal>),
    /// The least value first; `None` comes last.
    Ascending(Option<Vec<u8>>),
    /// The greatest value first; `None` comes last.
    Descending(Option<Vec<u8>>),
}

impl Rank {
    /// By a number that was computed.
    pub(super) fn of_number(value: Option<&Json>) -> Self {
        Self::Number(match value {
            Some(Json::Number(text)) => Decimal::parse(text),
            _ => None,
        })
    }

    /// Less for the group that comes first. All groups of an answer have the same kind of rank.
    pub(super) fn compare(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Count(own), Self::Count(other)) => other.cmp(own),
            (Self::Number(own), Self::Number(other)) => {
                present_first(own.as_ref(), other.as_ref(), |own, other| other.compare(own))
            }
            (Self::Ascending(own), Self::Ascending(other)) => {
                present_first(own.as_ref(), other.as_ref(), Ord::cmp)
            }
            (Self::Descending(own), Self::Descending(other)) => {
                present_first(own.as_ref(), other.as_ref(), |own, other| other.cmp(own))
            }
            _ => Ordering::Equal,
        }
    }
}

fn present_first<T>(
    own: Option<&T>,
    other: Option<&T>,
    compare: impl Fn(&T, &T) -> Ordering,
) -> Ordering {
    match (own, other) {
        (Some(own), Some(other)) => compare(own, other),
        (own, other) => own.is_none().cmp(&other.is_none()),
    }
}
