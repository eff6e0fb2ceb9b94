//! Importing records with all indexes, against a loop that inserts the same rows and nothing else.

use std::sync::Arc;
use std::time::{Duration, Instant};

use pdpp_store::baseline::{BareStore, Rows, read_rows};
use serde_json::{Value, json};

use crate::bar::Bar;
use crate::data::mail::{self, ImportLine};
use crate::error::BenchError;
use crate::host::StoreLocation;
use crate::process::cpu_nanos;
use crate::report::{ReportLine, Unit, float};
use crate::sizes::Sizes;
use crate::stage::Stage;
use crate::timing::{ratio, spoken};
use crate::world::{World, unexpected};

/// Rounds of which the best counts.
const ROUNDS: usize = 3;

#[derive(Clone, Copy)]
struct Run {
    wall: Duration,
    cpu: Duration,
}

/// Imports as many records as the small store has into one connection, and inserts the rows that
/// came of it.
pub async fn measure(stage: &Stage) -> Result<Vec<ReportLine>, BenchError> {
    let records = stage.sizes.small_records;
    let (mut import, mut bare) = (Run::LONGEST, Run::LONGEST);
    let mut rows: Option<Arc<Rows>> = None;
    for round in 0..ROUNDS {
        let (imported, location) = import_all(stage, round).await?;
        import = import.or_less(imported);
        let rows = match &rows {
            Some(rows) => rows,
            None => rows.insert(Arc::new(read_rows(&location.store_file)?)),
        };
        remove(&location);
        bare = bare.or_less(insert_all(stage, round, rows).await?);
    }
    let rate = |run: Run| float(records) / run.wall.as_secs_f64();
    Ok(vec![ReportLine {
        what: format!("import / inserting the same rows, {} records", Sizes::records_name(records)),
        value: ratio(bare.wall, import.wall),
        unit: Unit::Ratio,
        bar: Bar::at_least(0.8).when_quick(0.25),
        baseline: format!(
            "import {:.0}, bare loop {:.0} records/s (cpu {} and {})",
            rate(import),
            rate(bare),
            spoken(import.cpu),
            spoken(bare.cpu)
        ),
        details: json!({
            "records": records,
            "import": import.to_json(),
            "bare_loop": bare.to_json(),
        }),
    }])
}

/// Lines are made before the clock runs; importing them is what is measured.
async fn import_all(stage: &Stage, round: usize) -> Result<(Run, StoreLocation), BenchError> {
    let location = stage.scratch(&format!("import-{round}"));
    let world = World::open(&*stage.host, &location).await?;
    let numbers = 0..stage.sizes.small_records;
    let lines: Vec<ImportLine> = numbers.map(|number| mail::line(number, &stage.words)).collect();
    let cpu = cpu_nanos()?;
    let imported = world.import(0, lines.into_iter()).await?;
    let cpu = Duration::from_nanos(cpu_nanos()?.saturating_sub(cpu));
    Ok((Run { wall: imported.took, cpu }, location))
}

async fn insert_all(stage: &Stage, round: usize, rows: &Arc<Rows>) -> Result<Run, BenchError> {
    let location = stage.scratch(&format!("bare-{round}"));
    // An empty store has the same tables and settings; rows are all it lacks.
    drop(World::open(&*stage.host, &location).await?);
    let (rows, path) = (Arc::clone(rows), location.store_file.clone());
    let inserting = tokio::task::spawn_blocking(move || -> Result<Run, BenchError> {
        let mut bare = BareStore::open(&path, &rows)?;
        let (cpu, start) = (cpu_nanos()?, Instant::now());
        bare.insert(&rows)?;
        let wall = start.elapsed();
        Ok(Run { wall, cpu: Duration::from_nanos(cpu_nanos()?.saturating_sub(cpu)) })
    });
    let run = inserting.await.map_err(|_| unexpected("a thread stopped"))??;
    remove(&location);
    Ok(run)
}

fn remove(location: &StoreLocation) {
    // What stays goes with the scratch directory.
    let _ = std::fs::remove_dir_all(&location.directory);
}

impl Run {
    const LONGEST: Self = Self { wall: Duration::MAX, cpu: Duration::MAX };

    fn or_less(self, other: Self) -> Self {
        Self { wall: self.wall.min(other.wall), cpu: self.cpu.min(other.cpu) }
    }

    fn to_json(self) -> Value {
        json!({ "wall_s": self.wall.as_secs_f64(), "cpu_s": self.cpu.as_secs_f64() })
    }
}
