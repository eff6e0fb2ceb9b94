//! The command line: what can be typed. A contract, because people's scripts call it.

#[cfg(test)]
mod documented;
pub mod past_time;
pub mod unknown_command;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

use crate::commands::data::{export, search, show};
use crate::commands::maintenance::{backup, compact, history, migrate_store, restore, verify};
use crate::commands::shell::{completions, man};
use crate::commands::{
    account, audit, bench, connect, connection, demo, doctor, grant, health, import, mcp, owner,
    serve, setup,
};

const DATA_DIR_HELP: &str =
    "Directory of the store [default: pdpp in your data directory] [env: PDPP_DATA_DIR]";
const DATABASE_HELP: &str =
    "Use a Postgres database instead of the embedded store [env: PDPP_DATABASE_URL]";
const DATABASE_FILE_HELP: &str =
    "File with the database URL, to keep it off the command line [env: PDPP_DATABASE_URL_FILE]";

/// The help of `--cache-root`, wherever it is taken.
pub const CACHE_HELP: &str = "Directory of the credentials for providers [default: providers in the \
    data directory] [env: PDPP_CACHE_ROOT]";

/// A personal data server for AI agents.
///
/// Stores your data from many accounts in one place and gives each agent narrow, revocable access to
/// it.
#[derive(Debug, Parser)]
#[command(
    name = "pdpp",
    version,
    subcommand_required = true,
    arg_required_else_help = true,
    disable_help_subcommand = true,
    after_help = "Try it with sample data first: pdpp demo\n\n\
        Exit codes: 0 success, 64 usage error, 65 invalid input data, 69 unavailable, \
        77 credential refused, 78 no usable credential, 1 any other error."
)]
pub struct Cli {
    #[command(flatten)]
    pub global: GlobalOptions,
    #[command(subcommand)]
    pub command: Command,
}

/// Options of every command, before or after its name.
#[derive(Debug, Args)]
#[command(next_help_heading = "Options for every command")]
pub struct GlobalOptions {
    #[arg(long, global = true, value_name = "DIR", help = DATA_DIR_HELP)]
    pub data_dir: Option<PathBuf>,
    #[arg(long, global = true, value_name = "URL", help = DATABASE_HELP)]
    pub database_url: Option<String>,
    #[arg(
        long,
        global = true,
        value_name = "FILE",
        conflicts_with = "database_url",
        help = DATABASE_FILE_HELP
    )]
    pub database_url_file: Option<PathBuf>,
    /// Print one JSON document to standard output
    #[arg(long, global = true)]
    pub json: bool,
}

/// What the program can do.
#[derive(Debug, Subcommand)]
pub enum Command {
    Demo(demo::DemoArgs),
    Serve(serve::ServeArgs),
    Mcp(mcp::McpArgs),
    Connect(connect::ConnectArgs),
    Setup(setup::SetupArgs),
    Doctor(doctor::DoctorArgs),
    Import(import::ImportArgs),
    Account(account::AccountArgs),
    Search(search::SearchArgs),
    Show(show::ShowArgs),
    Export(export::DataExportArgs),
    Connection(connection::ConnectionArgs),
    Grant(grant::GrantArgs),
    Owner(owner::OwnerArgs),
    Audit(audit::AuditArgs),
    Verify(verify::VerifyArgs),
    Backup(backup::BackupArgs),
    Restore(restore::RestoreArgs),
    MigrateStore(migrate_store::MigrateStoreArgs),
    History(history::HistoryArgs),
    Compact(compact::CompactArgs),
    Bench(bench::BenchArgs),
    #[command(hide = true)]
    BenchChild(bench::BenchChildArgs),
    #[command(hide = true)]
    ReadText(import::read_text::ReadTextArgs),
    #[command(hide = true)]
    Health(health::HealthArgs),
    #[command(hide = true)]
    Completions(completions::CompletionsArgs),
    #[command(hide = true)]
    Man(man::ManArgs),
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_definition_is_sound() {
        Cli::command().debug_assert();
    }
}
