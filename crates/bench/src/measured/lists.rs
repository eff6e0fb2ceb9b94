//! List pages: the same price in a store ten times as large, on the first page and deep inside.

use pdpp_contract::ReadApi;
use pdpp_contract::query::ListRequest;
use serde_json::json;

use crate::bar::Bar;
use crate::error::BenchError;
use crate::report::{ReportLine, Unit};
use crate::requests::{field, large_by_size, large_newest, newest, newest_in_folder};
use crate::stage::{Opened, Stage};
use crate::timing::time_both;
use crate::world::{Agent, unexpected};

/// Records on a page while walking to the middle of a list.
const WALKING: u32 = 100;

/// Measures pages of several lists in both stores.
pub async fn measure(stage: &Stage) -> Result<Vec<ReportLine>, BenchError> {
    let pages: [(&str, ListRequest); 4] = [
        ("list page, newest first", newest()?),
        ("list page, one folder, newest first", newest_in_folder()?),
        ("list page, size range, by size", large_by_size()?),
        ("list page, size range, newest first", large_newest()?),
    ];
    let mut lines = Vec::new();
    for (what, request) in &pages {
        lines.push(compared(stage, what, request.clone(), request.clone()).await?);
    }
    for (what, request) in [
        ("deep page, newest first", newest()?),
        ("deep page, one folder, newest first", newest_in_folder()?),
    ] {
        let large = from_the_middle(&stage.large, request.clone()).await?;
        let small = from_the_middle(&stage.small, request).await?;
        lines.push(compared(stage, what, large, small).await?);
    }
    lines.push(within_time(stage).await?);
    Ok(lines)
}

/// The same first page for an agent whose grant ends at a date.
async fn within_time(stage: &Stage) -> Result<ReportLine, BenchError> {
    let limit = "@2018-01-01..2022-01-01";
    let large = stage.large.world.agent_with(limit).await?;
    let small = stage.small.world.agent_with(limit).await?;
    let what = "list page, grant limited in time";
    line(stage, what, (&large, newest()?), (&small, newest()?)).await
}

async fn compared(
    stage: &Stage,
    what: &str,
    large: ListRequest,
    small: ListRequest,
) -> Result<ReportLine, BenchError> {
    line(stage, what, (&stage.large.agent, large), (&stage.small.agent, small)).await
}

async fn line(
    stage: &Stage,
    what: &str,
    large: (&Agent, ListRequest),
    small: (&Agent, ListRequest),
) -> Result<ReportLine, BenchError> {
    let (large, small) = time_both(
        stage.sizes.pace,
        async || page(large.0, large.1.clone()).await,
        async || page(small.0, small.1.clone()).await,
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

async fn page(agent: &Agent, request: ListRequest) -> Result<(), BenchError> {
    let page = agent.reader.list(request).await?;
    if page.data.len() == 25 { Ok(()) } else { Err(unexpected("a page is not full")) }
}

/// The request for the page in the middle of a list, reached by walking there.
async fn from_the_middle(
    store: &Opened,
    mut request: ListRequest,
) -> Result<ListRequest, BenchError> {
    let reader = &store.agent.reader;
    let mut counting = request.clone();
    counting.count = pdpp_contract::envelope::CountKind::Exact;
    let all = reader.list(counting).await?.meta.count.value.unwrap_or(0);
    // A short list is left early enough for one more whole page.
    let middle = (all / 2).min(all.saturating_sub(30));
    let mut walking = request.clone();
    walking.limit = Some(WALKING.min(u32::try_from(middle).unwrap_or(WALKING)));
    walking.fields = Some(vec![field("id")?]);
    for _ in 0..(middle / u64::from(WALKING)).max(1) {
        let page = reader.list(walking.clone()).await?;
        walking.cursor = Some(page.next_cursor.ok_or_else(|| unexpected("a list is too short"))?);
    }
    request.cursor = walking.cursor;
    Ok(request)
}
