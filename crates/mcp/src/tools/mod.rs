//! The six tools: their descriptions, in order.

mod aggregate;
mod fetch;
mod query_records;
mod read_record_field;
mod schema;
mod search;

use std::sync::LazyLock;

use rmcp::model::Tool;

/// One file per tool, so that a change of its contract is a change somebody has seen.
const DESCRIPTIONS: [&str; 6] = [
    include_str!("schema.json"),
    include_str!("query_records.json"),
    include_str!("aggregate.json"),
    include_str!("search.json"),
    include_str!("fetch.json"),
    include_str!("read_record_field.json"),
];

static TOOLS: LazyLock<Vec<Tool>> = LazyLock::new(|| {
    DESCRIPTIONS.iter().filter_map(|text| serde_json::from_str(text).ok()).collect()
});

/// The tools, in the order in which clients list them. Never changes while the program runs.
pub fn tools() -> &'static [Tool] {
    &TOOLS
}
