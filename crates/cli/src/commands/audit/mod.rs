//! `pdpp audit`: who read what, and whether the log is still as it was written.

mod list;
mod names;
mod verify;

use clap::{Args, Subcommand};

use crate::app::CliApp;
use crate::failure::{Exit, Failure};
use crate::output::Output;

/// Show what agents and you did, and verify the audit log
#[derive(Debug, Args)]
pub struct AuditArgs {
    #[command(subcommand)]
    action: Option<Action>,
    #[command(flatten)]
    list: list::ListArgs,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// List events, newest first (the default)
    List(list::ListArgs),
    /// Verify the hash chain of the audit log
    Verify,
}

impl AuditArgs {
    /// Refuses options that do not go together, before any store is opened.
    pub fn check(&self) -> Result<(), Failure> {
        match self.action {
            Some(Action::Verify) if self.list.is_given() => {
                Err(Failure::usage("verify checks the whole log; remove the other options"))
            }
            _ => Ok(()),
        }
    }
}

/// Runs one of the actions; listing when none is named.
pub async fn run(args: AuditArgs, app: &CliApp, output: &Output) -> Result<Exit, Failure> {
    match args.action {
        None => list::run(&args.list, app, output).await,
        Some(Action::List(inner)) => list::run(&args.list.overlaid(inner), app, output).await,
        Some(Action::Verify) => verify::run(app, output).await,
    }
}
