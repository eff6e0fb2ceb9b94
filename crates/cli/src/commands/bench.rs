//! `pdpp bench`: measures this program on this machine, and says whether it keeps its bars.

use std::path::PathBuf;

use clap::Args;

use crate::bench::{self, Plan, Subject, child};
use crate::data_dir::DataDir;
use crate::failure::{Exit, Failure};
use crate::output::Output;

/// Measure this program on this machine
///
/// Makes sample stores of 100,000 and 1,000,000 invented records, reads and writes them as agents
/// and imports do, and compares the numbers with each other. Takes a while and some gigabytes.
/// The exit code is 1 when a bar is missed.
#[derive(Debug, Args)]
pub struct BenchArgs {
    /// A tenth of the data, in a minute or two
    #[arg(long)]
    quick: bool,
    /// Where to keep the sample stores for the next run [default: a temporary directory]
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
    /// Measure this alone; repeat for more
    #[arg(long, value_enum, value_name = "WHAT")]
    only: Vec<Subject>,
}

/// An errand for a fresh process; the benchmark calls this itself
#[derive(Debug, Args)]
pub struct BenchChildArgs {
    /// What to do, as JSON
    errand: String,
}

/// Measures and answers with the table.
pub async fn run(args: BenchArgs, output: &Output) -> Result<Exit, Failure> {
    let plan = Plan { quick: args.quick, directory: args.dir, only: args.only };
    let report = bench::run(plan).await?;
    output.answer(&report.to_json(), || report.words(output))?;
    Ok(if report.passes() { Exit::Done } else { Exit::Other })
}

/// Does one errand of a benchmark and tells what it found.
pub async fn run_child(
    args: BenchChildArgs,
    data_dir: DataDir,
    output: &Output,
) -> Result<Exit, Failure> {
    let errand = serde_json::from_str(&args.errand)
        .map_err(|_| Failure::usage("this command is for the benchmark alone; run pdpp bench"))?;
    let found = child::run(errand, data_dir).await?;
    output.answer(&found, || found.to_string())?;
    Ok(Exit::Done)
}
