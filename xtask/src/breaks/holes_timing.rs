//! Enforcements over what an answer costs: hidden things take no time of their own.

use super::{Break, BreakOperation, Edit};

const STORE: (&str, &str) = ("pdpp-store", "lib");

/// Each with one place and one way.
pub const TIMING: &[Break] = &[
    Break {
        harm: "the time of a search tells how often a word stands in hidden records",
        guards: &[BreakOperation::Search],
        edits: &[Edit {
            file: "crates/store/src/sql/search/mod.rs",
            find: "    search.even_out()?;\n",
            put: "",
        }],
        noticed_by: (STORE.0, STORE.1, "matches_cost_a_search_nothing"),
    },
    Break {
        harm: "the time of a search tells how many records a grant does not name",
        guards: &[BreakOperation::Search],
        edits: &[Edit {
            file: "crates/store/src/sql/records/count.rs",
            find: "    if let Some(only) = conditions.only_records() {\n",
            put: "    if let Some(only) = conditions.only_records().filter(|only| only.is_empty()) {\n",
        }],
        noticed_by: (STORE.0, STORE.1, "a_grant_of_named_records_searches_those_and_no_others"),
    },
    Break {
        harm: "the time of a refusal tells which ids are taken",
        guards: &[BreakOperation::Get, BreakOperation::Window, BreakOperation::Expand],
        edits: &[Edit {
            file: "crates/store/src/sql/records/by_id.rs",
            find: "    if !may_show && !conditions.needs_record() {\n",
            put: "    if !key.is_asked && !conditions.needs_record() {\n",
        }],
        noticed_by: (STORE.0, STORE.1, "a_hidden_id_costs_what_an_absent_one_costs"),
    },
];
