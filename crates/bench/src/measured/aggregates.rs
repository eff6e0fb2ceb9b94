//! Counting by time, against SQL `GROUP BY` over the same index and the same rows.

use std::sync::{Arc, Mutex};

use pdpp_contract::ConnectionId;
use pdpp_contract::ReadApi;
use pdpp_contract::aggregate::{AggregateRequest, Granularity, Grouping, Metric, TimeGrouping};
use pdpp_store::StoreResult;
use pdpp_store::baseline::{PlainGroups, PlainSums};
use serde_json::json;

use crate::bar::Bar;
use crate::error::BenchError;
use crate::report::{ReportLine, Unit};
use crate::requests::{field, messages};
use crate::stage::{Opened, Stage};
use crate::timing::time_both;
use crate::world::{GRANTED, on_a_thread, unexpected};

/// Measures a count by day in both stores, and the plain way in the large one.
pub async fn measure(stage: &Stage) -> Result<Vec<ReportLine>, BenchError> {
    let request = by_day()?;
    let (large, small) = time_both(
        stage.sizes.pace,
        async || count(&stage.large, &request).await,
        async || count(&stage.small, &request).await,
    )
    .await?;
    let sizes = ReportLine {
        what: format!("count by day, {}", stage.comparison()),
        value: large.p50.as_secs_f64() * 1e3,
        unit: Unit::Milliseconds,
        bar: Bar::NONE,
        baseline: format!("small: {}", small.words()),
        details: json!({ "large": large.to_json(), "small": small.to_json() }),
    };
    Ok(vec![sizes, against_plain(stage, &request).await?])
}

fn by_day() -> Result<AggregateRequest, BenchError> {
    Ok(AggregateRequest {
        stream: messages()?,
        metric: Metric::Count,
        field: None,
        grouping: Grouping::per(TimeGrouping {
            field: field("sent_at")?,
            granularity: Granularity::Day,
            time_zone: None,
        }),
        limit: None,
        cursor: None,
        filter: Vec::new(),
        connection_id: None,
    })
}

async fn count(store: &Opened, request: &AggregateRequest) -> Result<(), BenchError> {
    store.agent.reader.aggregate(request.clone()).await?;
    Ok(())
}

/// The plain way, on either backend.
enum Plain {
    Groups(PlainGroups),
    Sums(PlainSums),
}

impl Plain {
    async fn open(store: &Opened, connections: Vec<ConnectionId>) -> Result<Self, BenchError> {
        let (stream, field) = (messages()?, field("sent_at")?);
        let location = store.fixture.location.clone();
        on_a_thread(move || match &location.database {
            Some(database) => {
                PlainSums::open(database, &connections, &stream, &field).map(Self::Sums)
            }
            None => PlainGroups::open(&location.store_file, &connections, &stream, &field)
                .map(Self::Groups),
        })
        .await
    }

    fn count(&self) -> StoreResult<(u64, u64)> {
        match self {
            Self::Groups(plain) => plain.count(),
            Self::Sums(plain) => plain.count(),
        }
    }
}

async fn against_plain(
    stage: &Stage,
    request: &AggregateRequest,
) -> Result<ReportLine, BenchError> {
    let large = &stage.large;
    let mut connections = Vec::new();
    for number in 0..GRANTED {
        connections.push(large.world.connection_id(number).await?);
    }
    let plain = Plain::open(large, connections).await?;
    let (plain, (buckets, records)) =
        on_a_thread(move || plain.count().map(|counted| (plain, counted))).await?;
    if records == 0 {
        return Err(unexpected("the plain aggregate saw nothing"));
    }
    let plain = Arc::new(Mutex::new(plain));
    let (own, grouped) = time_both(
        stage.sizes.pace,
        async || count(large, request).await,
        async || {
            let plain = Arc::clone(&plain);
            let counted = tokio::task::spawn_blocking(move || {
                plain.lock().map(|plain| plain.count()).map_err(|_| ())
            });
            match counted.await {
                Ok(Ok(Ok(_))) => Ok(()),
                _ => Err(unexpected("the plain aggregate failed")),
            }
        },
    )
    .await?;
    Ok(ReportLine {
        what: "count by day / SQL GROUP BY on the same index".to_owned(),
        value: stage.sizes.pace.ratio(own, grouped),
        unit: Unit::Ratio,
        bar: Bar::at_most(0.5).when_quick(0.7),
        baseline: format!("{records} rows, {buckets} groups: {}", grouped.words()),
        details: json!({ "own": own.to_json(), "plain": grouped.to_json(), "records": records }),
    })
}
