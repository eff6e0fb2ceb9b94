//! `pdpp bench`: measures this program on this machine, and says whether it keeps its bars.

mod host;

use std::path::PathBuf;
use std::sync::Arc;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Subcommand};
use pdpp_bench::{BenchPlan, Measurement, Report, child, plot, quality};

use crate::data_dir::{DataDir, create_private};
use crate::failure::{Exit, Failure};
use crate::output::table::TextTable;
use crate::output::{Output, Style};
use host::{Program, located};

/// Measure performance on this machine
///
/// Creates sample stores of 100,000 and 1,000,000 records, reads and writes them as agents and imports
/// do, and compares the results with the targets. Takes a while and several gigabytes. The exit code is
/// 1 when a target is missed. With --database-url it measures reads on Postgres, in separate schemas that
/// are removed afterwards unless --dir is given.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, disable_help_subcommand = true)]
pub struct BenchArgs {
    #[command(subcommand)]
    command: Option<BenchCommand>,
    /// Use a tenth of the data; takes a minute or two
    #[arg(long)]
    quick: bool,
    /// Keep the sample stores here for the next run [default: a temporary directory]
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
    /// Write a chart of cost by size to an SVG file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Measure only this; can be repeated
    #[arg(long, value_parser = measurements(), value_name = "WHAT")]
    only: Vec<Measurement>,
}

/// Benchmarks of their own.
#[derive(Debug, Subcommand)]
pub enum BenchCommand {
    Quality(QualityArgs),
}

/// Measure search quality on a set of judged records
///
/// Imports the records into a temporary store, runs every judged query through the search and the tools
/// that agents use, and prints the means: nDCG@10 (linear gain, log2 discount), recall@5, @10 and @20, MRR,
/// and how much of what answers can be read in the result (readable@text, readable@data) in how many
/// bytes, for a default call and for one with a limit of 10.
#[derive(Debug, Args)]
pub struct QualityArgs {
    /// A directory with docs.jsonl, queries.jsonl and qrels.jsonl, or with records/NAME.jsonl,
    /// declarations/KIND.json and questions*.jsonl
    #[arg(value_name = "DIR", required_unless_present = "docs", conflicts_with = "docs")]
    set: Option<PathBuf>,
    /// Only these queries of the directory
    #[arg(long, value_name = "FILE", requires = "set")]
    questions: Option<PathBuf>,
    /// Documents, one JSON object per line: id, title, text
    #[arg(long, value_name = "FILE", requires_all = ["queries", "qrels"])]
    docs: Option<PathBuf>,
    /// Queries, one JSON object per line: id, text
    #[arg(long, value_name = "FILE", requires = "docs")]
    queries: Option<PathBuf>,
    /// Judgements, one JSON object per line: query, doc, grade
    #[arg(long, value_name = "FILE", requires = "docs")]
    qrels: Option<PathBuf>,
}

impl QualityArgs {
    fn files(self) -> Result<quality::SetFiles, Failure> {
        match self {
            Self { set: Some(path), questions, .. } => {
                Ok(quality::SetFiles::Directory { path, questions })
            }
            Self { docs: Some(docs), queries: Some(queries), qrels: Some(qrels), .. } => {
                Ok(quality::SetFiles::Documents { docs, queries, qrels })
            }
            _ => Err(Failure::usage("name a directory, or --docs, --queries and --qrels")),
        }
    }
}

/// One task of the benchmark in a new process; used internally
#[derive(Debug, Args)]
pub struct BenchChildArgs {
    /// What to do, as JSON
    errand: String,
}

/// Measures and answers with the table.
pub async fn run(args: BenchArgs, data_dir: &DataDir, output: &Output) -> Result<Exit, Failure> {
    if let Some(BenchCommand::Quality(args)) = args.command {
        let quality = quality::measure(&Program, &args.files()?).await?;
        output.answer(&quality.to_json(), || quality.words())?;
        return Ok(Exit::Done);
    }
    if let Some(directory) = &args.dir {
        create_private(directory).map_err(|error| Failure::file("create", directory, &error))?;
    }
    let database = data_dir.database().cloned();
    let plan = BenchPlan { quick: args.quick, directory: args.dir, only: args.only, database };
    let report = pdpp_bench::run(Arc::new(Program), plan).await?;
    if let Some(path) = &args.svg {
        std::fs::write(path, plot::svg(&report))
            .map_err(|error| Failure::file("write", path, &error))?;
    }
    output.answer(&report.to_json(), || words(&report, output))?;
    Ok(if report.passes() { Exit::Done } else { Exit::Other })
}

/// Does one errand of a benchmark and tells what it found.
pub async fn run_child(
    args: BenchChildArgs,
    data_dir: &DataDir,
    output: &Output,
) -> Result<Exit, Failure> {
    let errand = serde_json::from_str(&args.errand)
        .map_err(|_| Failure::usage("this command is internal; run pdpp bench"))?;
    let found = child::run(&Program, errand, &located(data_dir)).await?;
    output.answer(&found, || found.to_string())?;
    Ok(Exit::Done)
}

/// What can be measured, by name.
fn measurements() -> impl TypedValueParser<Value = Measurement> {
    PossibleValuesParser::new(Measurement::ALL.map(Measurement::name)).try_map(|name| {
        let found = Measurement::ALL.into_iter().find(|measurement| measurement.name() == name);
        found.ok_or("unknown measurement")
    })
}

/// A table for people, one line per bar.
fn words(report: &Report, output: &Output) -> String {
    let mut table = TextTable::new(&["measurement", "#value", "#target", "", "baseline"]);
    for row in report.rows() {
        table.row(row);
    }
    let verdict = match report.missed() {
        0 => "All targets met.\n".to_owned(),
        n => output.styled(Style::Wrong, &format!("Targets missed: {n}.\n")),
    };
    format!("{}\n{} {verdict}", table.render(output), report.setting())
}
