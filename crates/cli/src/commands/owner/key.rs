//! `pdpp owner key`: the keys that passwords of live accounts are sealed under.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use serde_json::json;

use crate::app::CliApp;
use crate::commands::account::{KEY_FILE_HELP, accounts};
use crate::config::Environment;
use crate::data_dir::DataDir;
use crate::failure::{Exit, Failure};
use crate::output::Output;
use crate::output::table::counted;
use crate::platform;

/// Manage the key that passwords of live accounts are sealed under
#[derive(Debug, Args)]
pub struct KeyArgs {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Seal all passwords under a new key and forget the old one
    Rotate {
        #[arg(long, value_name = "FILE", help = KEY_FILE_HELP)]
        key_file: Option<PathBuf>,
        /// Use the first key of the file instead of making one
        #[arg(long)]
        reseal: bool,
    },
}

/// Runs the action.
pub async fn run(
    args: KeyArgs,
    environment: &Environment,
    data_dir: DataDir,
    output: &Output,
) -> Result<Exit, Failure> {
    platform::forbid_core_dumps();
    let Action::Rotate { key_file, reseal } = args.action;
    let file = environment.key_file(key_file, &data_dir);
    let app = CliApp::open_existing(data_dir).await?;
    let before = file.read()?;
    // Both keys stand in the file until everything is sealed under the new one.
    let keys = if reseal { before } else { before.with_new_key(app.entropy.as_ref()) };
    if !reseal {
        file.write(&keys)?;
    }
    let sealed = accounts(&app).reseal(&app.owner(), &keys).await;
    let sealed = sealed
        .map_err(|error| crate::commands::account::fault::failure(error, "NAME", &app.data_dir))?;
    if !reseal {
        file.write(&keys.newest())?;
    }
    let document = json!({ "sealed": sealed, "key": keys.fingerprint() });
    output.answer(&document, || {
        let passwords = counted(sealed, "password", "passwords");
        format!(
            "Sealed {passwords} under key {}. Copies of the old key file open nothing any more.\n",
            keys.fingerprint()
        )
    })?;
    Ok(Exit::Done)
}
