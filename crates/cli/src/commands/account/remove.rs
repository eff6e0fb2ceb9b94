//! `pdpp account remove`: stops syncing and deletes the credential; the records stay.

use clap::Args;
use pdpp_store::connections::ConnectionRef;
use serde_json::json;

use super::{accounts, fault};
use crate::app::CliApp;
use crate::commands::connection::connection_ref;
use crate::failure::{Exit, Failure};
use crate::output::Output;

/// Stop syncing an account and delete its password; its records stay
#[derive(Debug, Args)]
pub struct RemoveAccountArgs {
    /// The account: its name or cin_ id
    #[arg(value_name = "NAME", value_parser = connection_ref)]
    account: ConnectionRef,
}

/// Removes it.
pub async fn run(args: RemoveAccountArgs, app: &CliApp, output: &Output) -> Result<Exit, Failure> {
    let (accounts, owner) = (accounts(app), app.owner());
    let failed = |error| fault::failure(error, "NAME", &app.data_dir);
    let account = accounts.find(&owner, &args.account).await.map_err(failed)?;
    accounts.remove(&owner, &account.connection).await.map_err(failed)?;
    app.note("account_remove", account.connection.clone(), 0).await?;
    let document = json!({ "name": account.name, "connection_id": account.connection });
    output.answer(&document, || {
        let name = &account.name;
        let erase = app.data_dir.advice(&format!("connection remove {name}"));
        format!(
            "{name} is not synced any more and its password is deleted. Its records stay; erase them \
             with: {erase}\n"
        )
    })?;
    Ok(Exit::Done)
}
