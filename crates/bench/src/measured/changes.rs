//! A page of changes: the first after the beginning, one further on, and one when nothing is new.

use pdpp_contract::ReadApi;
use pdpp_contract::query::ListRequest;
use serde_json::json;

use crate::bar::Bar;
use crate::error::BenchError;
use crate::report::{ReportLine, Unit};
use crate::requests::messages;
use crate::stage::{Opened, Stage};
use crate::timing::time_both;
use crate::world::unexpected;

/// Changes on a page while walking.
const WALKING: u32 = 100;
/// Pages walked before the page that is timed.
const PAGES: u32 = 60;

/// Measures pages of changes in both stores.
pub async fn measure(stage: &Stage) -> Result<Vec<ReportLine>, BenchError> {
    let mut beginning = ListRequest::new(messages()?);
    beginning.changes_since = Some("beginning".to_owned());
    beginning.preview_chars = Some(0);
    let first = compared(stage, "changes, first page", beginning.clone(), beginning.clone());
    let mut lines = vec![first.await?];
    let large = further_on(&stage.large, &beginning).await?;
    let small = further_on(&stage.small, &beginning).await?;
    lines.push(compared(stage, "changes, a page further on", large, small).await?);
    Ok(lines)
}

async fn compared(
    stage: &Stage,
    what: &str,
    large: ListRequest,
    small: ListRequest,
) -> Result<ReportLine, BenchError> {
    let (large, small) = time_both(
        stage.sizes.pace,
        async || page(&stage.large, &large).await,
        async || page(&stage.small, &small).await,
    )
    .await?;
    Ok(ReportLine {
        what: format!("{what}, {}", stage.comparison()),
        value: stage.sizes.pace.ratio(large, small),
        unit: Unit::Ratio,
        bar: Bar::at_most(1.5).when_quick(2.0),
        baseline: format!("small: {}", small.words()),
        details: json!({ "large": large.to_json(), "small": small.to_json() }),
    })
}

async fn page(store: &Opened, request: &ListRequest) -> Result<(), BenchError> {
    let page = store.agent.reader.list(request.clone()).await?;
    if page.data.len() == 25 { Ok(()) } else { Err(unexpected("a page of changes is not full")) }
}

/// The request for a page that is reached by walking.
async fn further_on(store: &Opened, beginning: &ListRequest) -> Result<ListRequest, BenchError> {
    let mut walking = beginning.clone();
    walking.limit = Some(WALKING);
    for _ in 0..PAGES {
        let page = store.agent.reader.list(walking.clone()).await?;
        let Some(next) = page.next_cursor else { break };
        walking.cursor = Some(next);
        walking.changes_since = None;
    }
    walking.limit = None;
    Ok(walking)
}
