//! Importing records with all indexes, against a loop that inserts the same rows and nothing else.

use std::sync::Arc;
use std::time::{Duration, Instant};

use pdpp_store::baseline::{BareStore, Rows, read_rows};
use serde_json::{Value, json};

use crate::bench::bar::Bar;
use crate::bench::data::mail::{self, Line as MailLine};
use crate::bench::process::cpu_nanos;
use crate::bench::report::{Line, Unit, float};
use crate::bench::sizes::Sizes;
use crate::bench::stage::Stage;
use crate::bench::timing::{ratio, spoken};
use crate::bench::world::{World, unexpected};
use crate::data_dir::DataDir;
use crate::failure::Failure;

/// Rounds of which the best counts.
const ROUNDS: usize = 3;

#[derive(Clone, Copy)]
struct Run {
    wall: Duration,
    cpu: Duration,
}

/// Imports as many records as the small store has into one connection, and inserts the rows that
/// came of it.
pub async fn measure(stage: &Stage) -> Result<Vec<Line>, Failure> {
    let records = stage.sizes.small_records;
    let (mut import, mut bare) = (Run::LONGEST, Run::LONGEST);
    let mut rows: Option<Arc<Rows>> = None;
    for round in 0..ROUNDS {
        let (imported, data_dir) = import_all(stage, round).await?;
        import = import.or_less(imported);
        let rows = match &rows {
            Some(rows) => rows,
            None => rows.insert(Arc::new(read_rows(&data_dir.store())?)),
        };
        remove(&data_dir);
        bare = bare.or_less(insert_all(stage, round, rows).await?);
    }
    let rate = |run: Run| float(records) / run.wall.as_secs_f64();
    Ok(vec![Line {
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
async fn import_all(stage: &Stage, round: usize) -> Result<(Run, DataDir), Failure> {
    let data_dir = stage.scratch(&format!("import-{round}"));
    let world = World::open(data_dir.clone()).await?;
    let numbers = 0..stage.sizes.small_records;
    let lines: Vec<MailLine> = numbers.map(|number| mail::line(number, &stage.words)).collect();
    let cpu = cpu_nanos()?;
    let imported = world.import(0, lines.into_iter()).await?;
    let cpu = Duration::from_nanos(cpu_nanos()?.saturating_sub(cpu));
    Ok((Run { wall: imported.took, cpu }, data_dir))
}

async fn insert_all(stage: &Stage, round: usize, rows: &Arc<Rows>) -> Result<Run, Failure> {
    let data_dir = stage.scratch(&format!("bare-{round}"));
    // An empty store has the same tables and settings; rows are all it lacks.
    drop(World::open(data_dir.clone()).await?);
    let (rows, path) = (Arc::clone(rows), data_dir.store());
    let inserting = tokio::task::spawn_blocking(move || -> Result<Run, Failure> {
        let mut bare = BareStore::open(&path, &rows)?;
        let (cpu, start) = (cpu_nanos()?, Instant::now());
        bare.insert(&rows)?;
        let wall = start.elapsed();
        Ok(Run { wall, cpu: Duration::from_nanos(cpu_nanos()?.saturating_sub(cpu)) })
    });
    let run = inserting.await.map_err(|_| unexpected("a thread stopped"))??;
    remove(&data_dir);
    Ok(run)
}

fn remove(data_dir: &DataDir) {
    // What stays goes with the scratch directory.
    let _ = std::fs::remove_dir_all(data_dir.path());
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
