//! `pdpp import`: reads an export into a connection.

mod blobs;
mod jsonl;
mod progress;
pub mod report;

use clap::{Args, Subcommand};

use crate::data_dir::DataDir;
use crate::failure::{Exit, Failure};
use crate::output::Output;

/// Read an export into a connection; the same export twice changes nothing
#[derive(Debug, Args)]
pub struct ImportArgs {
    #[command(subcommand)]
    format: Format,
}

#[derive(Debug, Subcommand)]
enum Format {
    Jsonl(jsonl::JsonlArgs),
}

/// Imports in the format that was named.
pub async fn run(args: ImportArgs, data_dir: DataDir, output: &Output) -> Result<Exit, Failure> {
    match args.format {
        Format::Jsonl(args) => jsonl::run(args, data_dir, output).await,
    }
}
