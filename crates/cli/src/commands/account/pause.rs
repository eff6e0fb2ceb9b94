//! `pdpp account pause`: stops or resumes the schedule of an account.

use clap::Args;
use pdpp_store::connections::ConnectionRef;
use serde_json::json;

use super::{accounts, fault};
use crate::app::CliApp;
use crate::commands::connection::connection_ref;
use crate::failure::{Exit, Failure};
use crate::output::Output;

/// Stop the schedule of an account, or resume it
#[derive(Debug, Args)]
pub struct PauseArgs {
    /// The account: its name or cin_ id
    #[arg(value_name = "NAME", value_parser = connection_ref)]
    account: ConnectionRef,
    /// Resume the schedule; the account is due at once
    #[arg(long)]
    resume: bool,
}

/// Pauses or resumes it.
pub async fn run(args: PauseArgs, app: &CliApp, output: &Output) -> Result<Exit, Failure> {
    let (accounts, owner) = (accounts(app), app.owner());
    let failed = |error| fault::failure(error, "NAME", &app.data_dir);
    let account = accounts.find(&owner, &args.account).await.map_err(failed)?;
    accounts.pause(&owner, &account.connection, !args.resume).await.map_err(failed)?;
    let document = json!({ "name": account.name, "paused": !args.resume });
    output.answer(&document, || {
        let name = &account.name;
        if args.resume {
            return format!("Resumed {name}. A running server syncs it within a minute.\n");
        }
        let resume = app.data_dir.advice(&format!("account pause {name} --resume"));
        format!("Paused {name}. Resume it with: {resume}\n")
    })?;
    Ok(Exit::Done)
}
