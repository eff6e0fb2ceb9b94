//! Records that belong to others, read for many of them in one snapshot.

use pdpp_contract::{FieldName, RecordId};

use crate::records::{Condition, StoredRecord};

/// A read of related records.
#[derive(Debug, Clone)]
pub struct RelatedQuery {
    /// Who is looked for, group by group.
    pub groups: Vec<RelatedGroup>,
    /// Most records of all lists together.
    pub max_records: usize,
    /// Lists stop growing at this many bytes of record JSON and previews together.
    pub max_bytes: usize,
    /// How much of a long field to bring along, in characters.
    pub preview_chars: u32,
}

/// The records that belong to one other record.
#[derive(Debug, Clone)]
pub struct RelatedGroup {
    /// Which collection of the scope they are in.
    pub collection: usize,
    /// How they are found.
    pub find: FindRelated,
}

/// How related records are found.
#[derive(Debug, Clone)]
pub enum FindRelated {
    /// By their id: at most one. Never left out for want of room.
    ById(RecordId),
    /// By a condition on their key field, largest first by the order field, then by primary key.
    ByKey {
        /// The condition.
        condition: Condition,
        /// The field to sort by.
        order_field: Option<FieldName>,
        /// Most records of this list.
        limit: usize,
    },
}

/// The answer for one group.
#[derive(Debug, Clone)]
pub struct RelatedPage {
    /// The records, in order.
    pub records: Vec<StoredRecord>,
    /// Whether more belong to it than are here.
    pub has_more: bool,
    /// Whether the list ends early because the answer is full.
    pub reduced: bool,
}
