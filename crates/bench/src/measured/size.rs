//! The store on disk, with all its indexes and its version log, against the JSON it holds.

use serde_json::json;

use crate::bar::Bar;
use crate::report::{ReportLine, Unit, float};
use crate::stage::Stage;
use pdpp_contract::grouped::grouped;

/// Measured when the large store held its mail-like records and nothing else.
pub fn measure(stage: &Stage) -> Vec<ReportLine> {
    let facts = &stage.large.fixture.facts;
    vec![ReportLine {
        what: "store on disk / JSON".to_owned(),
        value: float(facts.store_bytes) / float(facts.json_bytes.max(1)),
        unit: Unit::Ratio,
        bar: Bar::at_most(2.6).when_quick(2.7),
        baseline: format!("JSON: {} MB", grouped(facts.json_bytes >> 20)),
        details: json!({ "store_bytes": facts.store_bytes, "json_bytes": facts.json_bytes }),
    }]
}
