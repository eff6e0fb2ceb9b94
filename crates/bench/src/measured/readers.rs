//! Many readers at once: how much more they read than one, and what a writer beside them costs.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use pdpp_contract::ReadApi;
use pdpp_contract::window::WindowSelector;
use pdpp_engine::GrantedReader;
use serde_json::json;

use crate::bar::Bar;
use crate::data::{Numbers, mail};
use crate::error::BenchError;
use crate::process::cpu_nanos;
use crate::report::{ReportLine, Unit, float};
use crate::requests::{newest, newest_in_folder, record, window};
use crate::stage::Stage;
use crate::timing::{Timing, ratio};
use crate::world::{World, unexpected};
use crate::writer;

/// Readers at once.
const READERS: usize = 16;
/// Rounds of which the best counts.
const ROUNDS: usize = 3;
/// How long a reader thinks between two calls while somebody writes.
const THINKING: Duration = Duration::from_millis(2);

/// Measures throughput in the large store, and latency beside a writer in a copy of the small one.
pub async fn measure(stage: &Stage) -> Result<Vec<ReportLine>, BenchError> {
    let mut lines = throughput(stage).await?;
    lines.extend(beside_a_writer(stage).await?);
    Ok(lines)
}

async fn throughput(stage: &Stage) -> Result<Vec<ReportLine>, BenchError> {
    let reader = &stage.large.agent.reader;
    let mix = Arc::new(Mix::new(
        stage,
        stage.sizes.large_records,
        Some(stage.sizes.long_records()[0].id),
    ));
    let (mut one, mut many, mut errors) = (0.0_f64, 0.0_f64, 0);
    for _ in 0..ROUNDS {
        let alone = crowd(reader, &mix, 1, Duration::ZERO).await?;
        let together = crowd(reader, &mix, READERS, Duration::ZERO).await?;
        one = one.max(alone.per_second());
        many = many.max(together.per_second());
        errors += alone.errors + together.errors;
    }
    let details = json!({ "one_per_second": one, "many_per_second": many, "errors": errors });
    let baseline = format!("one reader: {one:.0} calls/s; {READERS}: {many:.0}");
    Ok(vec![
        ReportLine {
            what: format!("{READERS} readers / 1, calls per second"),
            value: many / one.max(1.0),
            unit: Unit::Ratio,
            bar: Bar::at_least(1.6).when_quick(1.2),
            baseline,
            details,
        },
        ReportLine {
            what: format!("errors of {READERS} readers"),
            value: float(errors),
            unit: Unit::Errors,
            bar: Bar::at_most(0.0),
            baseline: "-".to_owned(),
            details: json!({}),
        },
    ])
}

async fn beside_a_writer(stage: &Stage) -> Result<Vec<ReportLine>, BenchError> {
    let world = copy_of_small(stage).await?;
    let reader = world.agent().await?.reader;
    let mix = Arc::new(Mix::new(stage, stage.sizes.small_records, None));
    let mut best: Option<(Timing, Timing)> = None;
    let (mut written, mut errors) = (0, 0);
    for round in 0..ROUNDS {
        let alone = crowd(&reader, &mix, READERS, THINKING).await?;
        let writing = writer::start(&world, &stage.words, round).await?;
        let beside = crowd(&reader, &mix, READERS, THINKING).await?;
        written += writing.stop().await?;
        errors += alone.errors + beside.errors;
        let pair = (beside.timing, alone.timing);
        let is_better =
            |(b, a): (Timing, Timing)| ratio(pair.0.p50, pair.1.p50) < ratio(b.p50, a.p50);
        if best.is_none_or(is_better) {
            best = Some(pair);
        }
    }
    let (beside, alone) = best.ok_or_else(|| unexpected("nothing was measured"))?;
    if errors > 0 || written == 0 {
        return Err(unexpected("readers or the writer beside them failed"));
    }
    Ok(vec![ReportLine {
        what: format!("{READERS} readers with a writer / without, p50"),
        value: ratio(beside.p50, alone.p50),
        unit: Unit::Ratio,
        bar: Bar::at_most(1.5).when_quick(2.5),
        baseline: format!("without: {}; {written} records written meanwhile", alone.words()),
        details: json!({ "with": beside.to_json(), "without": alone.to_json(), "written": written }),
    }])
}

async fn copy_of_small(stage: &Stage) -> Result<World, BenchError> {
    let copy = stage.scratch("with-a-writer");
    stage.host.create_directory(&copy)?;
    let (from, to) = (stage.small.fixture.location.store_file.clone(), copy.store_file.clone());
    // The fixture was closed after it was built, so its file is whole but for this run's grants.
    std::fs::copy(&from, &to).map_err(|error| BenchError::file("copy", &from, &error))?;
    World::open(&*stage.host, &copy).await
}

/// What readers read: pages, single records, windows.
struct Mix {
    records: u64,
    long: Option<&'static str>,
    /// How long readers read in one round.
    round: Duration,
}

/// What a crowd of readers did.
struct Crowd {
    timing: Timing,
    took: Duration,
    errors: u64,
}

impl Crowd {
    fn per_second(&self) -> f64 {
        f64::from(self.timing.calls) / self.took.as_secs_f64()
    }
}

impl Mix {
    fn new(stage: &Stage, records: u64, long: Option<&'static str>) -> Self {
        Self { records, long, round: stage.sizes.pace.crowd }
    }

    async fn call(&self, reader: &GrantedReader, numbers: &mut Numbers) -> Result<(), BenchError> {
        match (numbers.below(10), self.long) {
            (0..4, _) => drop(reader.list(newest()?).await?),
            (4..6, _) => drop(reader.list(newest_in_folder()?).await?),
            (6, Some(id)) => {
                let start = numbers.below(1_000) * 4_096;
                drop(reader.field_window(window(id, WindowSelector::Offset(start))?).await?);
            }
            _ => {
                // A message of one of the three granted connections: 8 connections, every fifth a note.
                let number = numbers.below(self.records / 40) * 40 + numbers.below(3);
                drop(reader.record(record(&mail::id(number))?).await?);
            }
        }
        Ok(())
    }
}

/// Lets readers read for one round.
async fn crowd(
    reader: &GrantedReader,
    mix: &Arc<Mix>,
    readers: usize,
    thinking: Duration,
) -> Result<Crowd, BenchError> {
    let stop = Arc::new(AtomicBool::new(false));
    let (cpu, start) = (cpu_nanos()?, Instant::now());
    let tasks: Vec<_> = (0..readers)
        .map(|seed| {
            let (reader, mix, stop) = (reader.clone(), Arc::clone(mix), Arc::clone(&stop));
            tokio::spawn(async move {
                let mut numbers = Numbers::of(u64::try_from(seed).unwrap_or(0));
                let (mut lengths, mut errors) = (Vec::new(), 0);
                while !stop.load(Ordering::Relaxed) {
                    let start = Instant::now();
                    match mix.call(&reader, &mut numbers).await {
                        Ok(()) => lengths.push(start.elapsed()),
                        Err(_) => errors += 1,
                    }
                    if !thinking.is_zero() {
                        tokio::time::sleep(thinking).await;
                    }
                }
                (lengths, errors)
            })
        })
        .collect();
    tokio::time::sleep(mix.round).await;
    stop.store(true, Ordering::Relaxed);
    let (mut lengths, mut errors) = (Vec::new(), 0);
    for task in tasks {
        let (own, failed) = task.await.map_err(|_| unexpected("a reader stopped"))?;
        lengths.extend(own);
        errors += failed;
    }
    let took = start.elapsed();
    Ok(Crowd { timing: Timing::of(lengths, cpu_nanos()?.saturating_sub(cpu)), took, errors })
}
