//! `pdpp import`: reads exports into connections.

mod attached;
mod blobs;
mod everything;
mod export;
mod job;
mod jsonl;
mod progress;
pub mod read_text;
mod redeclaring;
pub mod report;
mod retry;
mod singer_state;
mod spool;
pub mod text_process;
mod watch;

use clap::{ArgMatches, Args, Command, FromArgMatches, Subcommand};
use pdpp_import::format::Format;
use pdpp_import::formats::FORMATS;

use everything::EverythingArgs;
use export::ExportArgs;

use crate::data_dir::DataDir;
use crate::failure::{Exit, Failure};
use crate::output::Output;

const AUTO: &str = "auto";
const JSONL: &str = "jsonl";
const RETRY: &str = "retry";

/// Import everything that is found in files, folders and archives
///
/// Every export inside is found and shown in a plan: what goes to which account, and what is not
/// read. Importing it again changes nothing. Name a format to read the paths as one export.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
#[command(subcommand_value_name = "FORMAT", subcommand_help_heading = "Formats and commands")]
pub struct ImportArgs {
    #[command(flatten)]
    everything: EverythingArgs,
    #[command(subcommand)]
    command: Option<ImportCommand>,
}

/// What `import` is told to do, where it is not told to find out.
#[derive(Debug)]
enum ImportCommand {
    /// Find out: the earlier name of giving no format.
    Auto(EverythingArgs),
    /// Read an export of a format.
    Export(&'static Format, ExportArgs),
    Jsonl(jsonl::JsonlArgs),
    Retry(retry::RetryArgs),
}

/// Imports in the format that was named, or everything that is found.
pub async fn run(args: ImportArgs, data_dir: DataDir, output: &Output) -> Result<Exit, Failure> {
    match args.command {
        None => everything::run(args.everything, data_dir, output).await,
        Some(ImportCommand::Auto(args)) => everything::run(args, data_dir, output).await,
        Some(ImportCommand::Export(format, args)) => {
            export::run(format, args, data_dir, output).await
        }
        Some(ImportCommand::Jsonl(args)) => jsonl::run(args, data_dir, output).await,
        Some(ImportCommand::Retry(args)) => retry::run(args, data_dir, output).await,
    }
}

/// By hand: the formats are a table, and each of its rows is a command.
impl Subcommand for ImportCommand {
    fn augment_subcommands(command: Command) -> Command {
        let export = |name, help| ExportArgs::augment_args(Command::new(name)).about(help);
        let formats = FORMATS.iter().map(|format| export(format.name, format.help));
        command
            .subcommand(
                EverythingArgs::augment_args(Command::new(AUTO)).about("The same as no format"),
            )
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
            AUTO => EverythingArgs::from_arg_matches(matches).map(Self::Auto),
            name => {
                let unknown = clap::Error::new(clap::error::ErrorKind::InvalidSubcommand);
                let format = Format::find(name).ok_or(unknown)?;
                Ok(Self::Export(format, ExportArgs::from_arg_matches(matches)?))
            }
        }
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}
