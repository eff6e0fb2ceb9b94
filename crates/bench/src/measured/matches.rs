//! The first match of a text at the end of a long field, against merely walking the same chunks.

use std::time::{Duration, Instant};

use pdpp_contract::ReadApi;
use pdpp_contract::window::WindowSelector;
use pdpp_store::baseline::ChunkWalker;
use serde_json::json;

use crate::bar::Bar;
use crate::data::long::{Letters, LongRecord, NEEDLE};
use crate::error::BenchError;
use crate::process::cpu_nanos;
use crate::report::{ReportLine, Unit, float};
use crate::requests::window;
use crate::stage::Stage;
use crate::timing::{micros, ratio, spoken};
use crate::world::unexpected;

/// Rounds of which the best counts.
const ROUNDS: usize = 5;
/// A round goes through about so many bytes, or time on a core could not be told exactly.
const ROUND_BYTES: u64 = 256 * 1024 * 1024;

/// Time on a core and on the wall.
#[derive(Clone, Copy)]
struct Cost {
    cpu: Duration,
    wall: Duration,
}

/// Measures the search in plain and in multi-byte text.
pub async fn measure(stage: &Stage) -> Result<Vec<ReportLine>, BenchError> {
    let walker = ChunkWalker::open(&stage.large.fixture.location.store_file)?;
    let mut lines = Vec::new();
    for (letters, words) in [(Letters::Plain, "plain"), (Letters::MultiByte, "multi-byte")] {
        let record = stage.sizes.long(letters);
        let times = u32::try_from(ROUND_BYTES / record.body_bytes).unwrap_or(1).max(1);
        let mut best: Option<(Cost, Cost)> = None;
        for _ in 0..ROUNDS {
            let found = cost(times, async || find(stage, record).await).await?;
            let walked = cost(times, async || walk(&walker, record)).await?;
            best = Some(match best {
                None => (found, walked),
                Some((f, w)) => (found.or_less(f), walked.or_less(w)),
            });
        }
        let (found, walked) = best.ok_or_else(|| unexpected("nothing was measured"))?;
        lines.push(ReportLine {
            what: format!(
                "first match at the end of {} / chunks, {words}",
                stage.sizes.long_name()
            ),
            value: ratio(found.cpu, walked.cpu),
            unit: Unit::Ratio,
            bar: Bar::at_most(2.5),
            baseline: format!("walking the chunks: cpu {}", spoken(walked.cpu)),
            details: json!({ "match": found.to_json(), "chunks": walked.to_json() }),
        });
    }
    Ok(lines)
}

async fn find(stage: &Stage, record: LongRecord) -> Result<(), BenchError> {
    let q = NEEDLE.to_uppercase();
    let selector = WindowSelector::Match { q, before_chars: Some(100), after_chars: Some(20) };
    let answer = stage.large.agent.reader.field_window(window(record.id, selector)?).await?;
    let at_the_end = answer.window.total_chars - 100;
    if answer.window.match_start_chars.is_none_or(|start| start < at_the_end) {
        return Err(unexpected("the planted text was found in the wrong place"));
    }
    Ok(())
}

fn walk(walker: &ChunkWalker, record: LongRecord) -> Result<(), BenchError> {
    let walked = walker.walk(record.id)?;
    // The text stands in the store as it came, so that both sides touch the same bytes.
    if float(walked.bytes) < 0.99 * float(record.body_bytes) {
        return Err(unexpected("the baseline did not walk the whole field"));
    }
    Ok(())
}

/// What one of so many calls costs.
async fn cost(
    times: u32,
    call: impl AsyncFn() -> Result<(), BenchError>,
) -> Result<Cost, BenchError> {
    let (cpu, start) = (cpu_nanos()?, Instant::now());
    for _ in 0..times {
        call().await?;
    }
    let wall = start.elapsed() / times;
    Ok(Cost { cpu: Duration::from_nanos(cpu_nanos()?.saturating_sub(cpu)) / times, wall })
}

impl Cost {
    fn or_less(self, other: Self) -> Self {
        Self { cpu: self.cpu.min(other.cpu), wall: self.wall.min(other.wall) }
    }

    fn to_json(self) -> serde_json::Value {
        json!({ "cpu_us": micros(self.cpu), "wall_us": micros(self.wall) })
    }
}
