//! What a field can do, in words that need no legend.

use pdpp_contract::declaration::RangeOperator;
use pdpp_contract::schema::{FieldCapabilities, StreamMetadata};

/// `date-time, filter, range(gte,lt), sort, search, aggregate(min,max)`
pub(crate) fn field_words(can: &FieldCapabilities) -> String {
    let mut words = vec![can.kind.clone()];
    if can.exact_filter {
        words.push("filter".to_owned());
    }
    if !can.range_filter.is_empty() {
        let operators: Vec<&str> =
            can.range_filter.iter().map(|op| RangeOperator::as_str(*op)).collect();
        words.push(format!("range({})", operators.join(",")));
    }
    if can.sortable {
        words.push("sort".to_owned());
    }
    if can.lexical_search {
        words.push("search".to_owned());
    }
    if !can.aggregation.is_empty() {
        words.push(format!("aggregate({})", can.aggregation.join(",")));
    }
    words.join(", ")
}

/// What can be computed over the stream.
pub(crate) fn aggregate_words(stream: &StreamMetadata) -> String {
    let any = stream.field_capabilities.values().any(|can| !can.aggregation.is_empty());
    match (stream.count, any) {
        (true, true) => "count; fields marked aggregate(…) for the rest".to_owned(),
        (true, false) => "count".to_owned(),
        (false, true) => "fields marked aggregate(…)".to_owned(),
        (false, false) => "none".to_owned(),
    }
}
