//! The benchmark: makes its own data, measures the product on it, holds the numbers against the bars.

mod bar;
pub mod child;
mod data;
mod fixture;
mod http;
mod measured;
pub mod plot;
mod process;
pub mod quality;
mod report;
mod requests;
mod sizes;
mod stage;
mod timing;
mod world;
mod writer;

use std::path::PathBuf;
use std::time::Instant;

use clap::ValueEnum;

pub use measured::Subject;
pub use report::Report;
pub use sizes::Sizes;

use crate::failure::Failure;
use crate::output::note;
use stage::Stage;

/// What a run is to do.
#[derive(Debug)]
pub struct Plan {
    /// A tenth of the data.
    pub quick: bool,
    /// Where sample stores are kept; a temporary directory when absent.
    pub directory: Option<PathBuf>,
    /// What to measure; everything when empty.
    pub only: Vec<Subject>,
}

/// Measures and reports.
pub async fn run(plan: Plan) -> Result<Report, Failure> {
    let sizes = if plan.quick { Sizes::QUICK } else { Sizes::FULL };
    let start = Instant::now();
    let stage = Stage::set(sizes, plan.directory).await?;
    let mut lines = Vec::new();
    for subject in Subject::value_variants() {
        if plan.only.is_empty() || plan.only.contains(subject) {
            note(&format!("{:>4} s  {subject:?}", start.elapsed().as_secs()));
            lines.extend(subject.measure(&stage).await?);
        }
    }
    Ok(Report {
        quick: plan.quick,
        records: [sizes.small_records, sizes.large_records],
        long_bytes: sizes.long_bytes,
        lines,
    })
}
