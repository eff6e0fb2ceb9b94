//! Counting what matches: its price grows with the matches, so it has no bar against the size.

use pdpp_contract::ReadApi;
use pdpp_contract::envelope::CountKind;
use pdpp_contract::query::ListRequest;
use serde_json::json;

use crate::bar::Bar;
use crate::error::BenchError;
use crate::report::{ReportLine, Unit};
use crate::requests::newest_in_folder;
use crate::stage::{Opened, Stage};
use crate::timing::{Timing, time_both};

/// Measures a page with an exact count, and with one that stops at a bound.
pub async fn measure(stage: &Stage) -> Result<Vec<ReportLine>, BenchError> {
    let mut lines = Vec::new();
    for (kind, words) in [(CountKind::Exact, "exact"), (CountKind::Estimated, "estimated")] {
        let mut request = newest_in_folder()?;
        request.count = kind;
        request.limit = Some(1);
        let (large, small) = time_both(
            stage.sizes.pace,
            async || count(&stage.large, &request).await,
            async || count(&stage.small, &request).await,
        )
        .await?;
        lines.push(line(stage, words, large, small));
    }
    Ok(lines)
}

fn line(stage: &Stage, words: &str, large: Timing, small: Timing) -> ReportLine {
    ReportLine {
        what: format!("count of one folder, {words}, {}", stage.comparison()),
        value: large.p50.as_secs_f64() * 1e3,
        unit: Unit::Milliseconds,
        bar: Bar::NONE,
        baseline: format!("small: {}", small.words()),
        details: json!({ "large": large.to_json(), "small": small.to_json() }),
    }
}

async fn count(store: &Opened, request: &ListRequest) -> Result<(), BenchError> {
    store.agent.reader.list(request.clone()).await?;
    Ok(())
}
