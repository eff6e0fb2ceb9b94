//! The benchmark: makes its own data, measures the product on it, holds the numbers against the bars.

mod bar;
pub mod child;
mod data;
mod error;
mod fixture;
mod host;
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
use std::sync::Arc;
use std::time::Instant;

use pdpp_store::Database;

pub use error::BenchError;
pub use host::{Host, OpenStore, StoreLocation};
pub use measured::Measurement;
pub use report::Report;

use sizes::Sizes;
use stage::Stage;

/// What a run is to do.
#[derive(Debug)]
pub struct BenchPlan {
    /// A tenth of the data.
    pub quick: bool,
    /// Where sample stores are kept, which must exist; a temporary directory when absent.
    pub directory: Option<PathBuf>,
    /// What to measure; everything when empty.
    pub only: Vec<Measurement>,
    /// The database to measure on instead of files.
    pub database: Option<Database>,
}

/// Measures and reports.
pub async fn run(host: Arc<dyn Host>, plan: BenchPlan) -> Result<Report, BenchError> {
    let mut sizes = if plan.quick { Sizes::QUICK } else { Sizes::FULL };
    if plan.database.is_some() {
        sizes.pace = sizes.pace.of_a_server();
    }
    let start = Instant::now();
    let on_postgres = plan.database.is_some();
    if let Some(measurement) = plan.only.iter().find(|only| on_postgres && !only.is_on_postgres()) {
        return Err(BenchError::Usage(format!(
            "{measurement:?} is measured on the embedded store only"
        )));
    }
    let kept = plan.directory.is_some();
    let stage =
        Stage::set(Arc::clone(&host), sizes, plan.directory, plan.database.as_ref()).await?;
    let mut lines = Vec::new();
    for measurement in &Measurement::ALL {
        let wanted = plan.only.is_empty() || plan.only.contains(measurement);
        if wanted && (!on_postgres || measurement.is_on_postgres()) {
            host.progress(&format!("{:>4} s  {measurement:?}", start.elapsed().as_secs()));
            lines.extend(measurement.measure(&stage).await?);
        }
    }
    drop(stage);
    if let Some(database) = plan.database {
        let kept_schemas: &[&str] = if kept { &[] } else { &stage::SCHEMAS };
        for schema in kept_schemas.iter().chain([&stage::OWN_SCHEMA]) {
            pdpp_store::erase_schema(database.clone().in_schema(schema)).await?;
        }
    }
    Ok(Report {
        quick: plan.quick,
        records: [sizes.small_records, sizes.large_records],
        long_bytes: sizes.long_bytes,
        lines,
    })
}
