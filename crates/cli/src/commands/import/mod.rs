//! `pdpp import`: reads an export into a connection.

mod attached;
mod blobs;
mod export;
mod jsonl;
mod progress;
mod redeclaring;
pub mod report;
mod retry;
mod singer_state;
mod spool;
mod watch;

use clap::{ArgMatches, Args, Command, FromArgMatches, Subcommand};
use pdpp_import::format::Format;
use pdpp_import::formats::FORMATS;

use export::ExportArgs;

use crate::data_dir::DataDir;
use crate::failure::{Exit, Failure};
use crate::output::Output;

const AUTO: &str = "auto";
const JSONL: &str = "jsonl";
const RETRY: &str = "retry";

/// Import an export into an account; importing it again changes nothing
#[derive(Debug, Args)]
pub struct ImportArgs {
    #[command(subcommand)]
    command: ImportCommand,
}

/// What `import` is told to do.
#[derive(Debug)]
enum ImportCommand {
    /// Read an export; without a format the one that is recognised.
    Export(Option<&'static Format>, ExportArgs),
    Jsonl(jsonl::JsonlArgs),
    Retry(retry::RetryArgs),
}

/// Imports in the format that was named.
pub async fn run(args: ImportArgs, data_dir: DataDir, output: &Output) -> Result<Exit, Failure> {
    match args.command {
        ImportCommand::Export(format, args) => export::run(format, args, data_dir, output).await,
        ImportCommand::Jsonl(args) => jsonl::run(args, data_dir, output).await,
        ImportCommand::Retry(args) => retry::run(args, data_dir, output).await,
    }
}

/// By hand: the formats are a table, and each of its rows is a command.
impl Subcommand for ImportCommand {
    fn augment_subcommands(command: Command) -> Command {
        let export = |name, help| ExportArgs::augment_args(Command::new(name)).about(help);
        let formats = FORMATS.iter().map(|format| export(format.name, format.help));
        command
            .subcommand(export(AUTO, "Detect the format and import"))
            .subcommands(formats)
            .subcommand(jsonl::JsonlArgs::augment_args(Command::new(JSONL)))
            .subcommand(retry::RetryArgs::augment_args(Command::new(RETRY)))
    }

    fn augment_subcommands_for_update(command: Command) -> Command {
        Self::augment_subcommands(command)
    }

    fn has_subcommand(name: &str) -> bool {
        [AUTO, JSONL, RETRY].contains(&name) || Format::find(name).is_some()
    }
}

impl FromArgMatches for ImportCommand {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let Some((name, matches)) = matches.subcommand() else {
            return Err(clap::Error::new(clap::error::ErrorKind::MissingSubcommand));
        };
        match name {
            JSONL => jsonl::JsonlArgs::from_arg_matches(matches).map(Self::Jsonl),
            RETRY => retry::RetryArgs::from_arg_matches(matches).map(Self::Retry),
            name => {
                let args = ExportArgs::from_arg_matches(matches)?;
                Ok(Self::Export(Format::find(name), args))
            }
        }
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}
