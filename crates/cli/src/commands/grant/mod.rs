//! `pdpp grant`: what agents may read.

mod create;
mod describe;
mod earlier;
mod list;
mod revoke;
mod show;

use clap::{Args, Subcommand};

pub use describe::{standing, status};

use crate::app::CliApp;
use crate::failure::{Exit, Failure};
use crate::output::Output;
use crate::setup::ClientPaths;

/// Give agents access, list it and revoke it
#[derive(Debug, Args)]
pub struct GrantArgs {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    Create(create::CreateArgs),
    /// List the access of all agents
    List,
    Show(show::ShowGrantArgs),
    Revoke(revoke::RevokeArgs),
}

/// Runs one of the actions.
pub async fn run(
    args: GrantArgs,
    places: &ClientPaths,
    app: &CliApp,
    output: &Output,
) -> Result<Exit, Failure> {
    match args.action {
        Action::Create(args) => create::run(args, app, output).await,
        Action::List => list::run(app, output).await,
        Action::Show(args) => show::run(args, app, output).await,
        Action::Revoke(args) => revoke::run(args, places, app, output).await,
    }
}
