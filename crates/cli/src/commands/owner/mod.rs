//! `pdpp owner`: credentials of the owner.

mod clock;
mod key;
mod password;
mod token;

use clap::{Args, Subcommand};

use crate::config::Environment;
use crate::data_dir::DataDir;
use crate::failure::{Exit, Failure};
use crate::output::Output;

/// Manage the owner's password, tokens, clock and keys
#[derive(Debug, Args)]
pub struct OwnerArgs {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    Password(password::PasswordArgs),
    Token(token::TokenArgs),
    Clock(clock::ClockArgs),
    Key(key::KeyArgs),
}

/// Runs one of the actions.
pub async fn run(
    args: OwnerArgs,
    environment: &Environment,
    data_dir: DataDir,
    output: &Output,
) -> Result<Exit, Failure> {
    match args.action {
        Action::Password(args) => password::run(&args, data_dir, output).await,
        Action::Token(args) => token::run(args, data_dir, output).await,
        Action::Clock(args) => clock::run(args, data_dir, output).await,
        Action::Key(args) => key::run(args, environment, data_dir, output).await,
    }
}
