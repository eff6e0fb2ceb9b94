//! `pdpp account`: live accounts, which keep themselves current.

mod add;
mod describe;
pub mod fault;
mod list;
mod password;
mod pause;
mod remove;
mod secret;
mod status;
mod sync;

use std::path::PathBuf;
use std::sync::Arc;

use clap::{Args, Subcommand};
use pdpp_sync::accounts::Accounts;

use crate::app::CliApp;
use crate::commands::import::text_process::text_reader;
use crate::config::Environment;
use crate::data_dir::DataDir;
use crate::failure::{Exit, Failure};
use crate::output::Output;
use crate::platform;

/// The help of `--key-file`, wherever it is taken.
pub const KEY_FILE_HELP: &str = "File with the keys that passwords of accounts are sealed under \
    [default: account-keys in the data directory] [env: PDPP_KEY_FILE]";

/// Add live accounts, which keep themselves current, and look after them
#[derive(Debug, Args)]
pub struct AccountArgs {
    #[arg(long, global = true, value_name = "FILE", help = KEY_FILE_HELP)]
    key_file: Option<PathBuf>,
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    Add(add::AddArgs),
    /// List all live accounts
    List,
    Status(status::StatusArgs),
    Sync(sync::SyncArgs),
    Pause(pause::PauseArgs),
    Password(password::AccountPasswordArgs),
    Remove(remove::RemoveAccountArgs),
}

/// Runs one of the actions.
pub async fn run(
    args: AccountArgs,
    environment: &Environment,
    data_dir: DataDir,
    output: &Output,
) -> Result<Exit, Failure> {
    platform::forbid_core_dumps();
    let keys = environment.key_file(args.key_file, &data_dir);
    if let Action::Add(args) = args.action {
        return add::run(args, &keys, &CliApp::open(data_dir).await?, output).await;
    }
    let app = CliApp::open_existing(data_dir).await?;
    match args.action {
        Action::Add(_) => Ok(Exit::Done),
        Action::List => list::run(&app, output).await,
        Action::Status(args) => status::run(args, &app, output).await,
        Action::Sync(args) => sync::run(args, &keys, &app, output).await,
        Action::Pause(args) => pause::run(args, &app, output).await,
        Action::Password(args) => password::run(args, &keys, &app, output).await,
        Action::Remove(args) => remove::run(args, &app, output).await,
    }
}

/// What works on the accounts of this store.
pub fn accounts(app: &CliApp) -> Accounts {
    let (store, clock) = (Arc::clone(&app.store), Arc::clone(&app.clock));
    let texts = Arc::new(text_reader);
    Accounts::new(store, app.engine.clone(), clock, Arc::clone(&app.entropy), texts)
}
