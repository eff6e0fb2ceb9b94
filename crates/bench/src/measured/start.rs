//! From starting the process to its answer: without a store, and with the large one.

use std::process::Stdio;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::bar::Bar;
use crate::child::{not_started, program};
use crate::error::BenchError;
use crate::report::{ReportLine, Unit};
use crate::stage::Stage;
use crate::timing::Timing;
use crate::world::unexpected;

const STARTS: usize = 20;

/// Measures both. The bar is for the agents' door, which is measured apart.
pub fn measure(stage: &Stage) -> Result<Vec<ReportLine>, BenchError> {
    let location = &stage.large.fixture.location.directory.display().to_string();
    let trivial = ["--version"];
    let with_store = ["connection", "list", "--json", "--data-dir", location.as_str()];
    let starts: [(&str, &[&str]); 2] = [
        ("start to the answer of --version", &trivial),
        ("start to the answer of connection list, large store", &with_store),
    ];
    let mut lines = Vec::new();
    for (what, arguments) in starts {
        let timing = timed(arguments)?;
        lines.push(ReportLine {
            what: what.to_owned(),
            value: timing.p50.as_secs_f64() * 1e3,
            unit: Unit::Milliseconds,
            bar: Bar::NONE,
            baseline: format!("least: {:.1} ms", timing.min.as_secs_f64() * 1e3),
            details: json!({ "wall": timing.to_json() }),
        });
    }
    Ok(lines)
}

fn timed(arguments: &[&str]) -> Result<Timing, BenchError> {
    let mut lengths = Vec::new();
    for _ in 0..STARTS {
        lengths.push(once(arguments)?);
    }
    Ok(Timing::of(lengths, 0))
}

fn once(arguments: &[&str]) -> Result<Duration, BenchError> {
    let mut command = program()?;
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::inherit());
    let start = Instant::now();
    let status = command.status().map_err(|error| not_started(&error))?;
    let length = start.elapsed();
    if status.success() { Ok(length) } else { Err(unexpected("a child process failed")) }
}
