//! `pdpp account password`: gives an account a new password, after trying it.

use std::path::PathBuf;

use clap::Args;
use pdpp_store::connections::ConnectionRef;
use pdpp_sync::accounts::{AddAccount, settings_of};
use pdpp_sync::imap;
use pdpp_sync::settings::AccountSettings;
use serde_json::json;

use super::{accounts, fault, secret};
use crate::app::CliApp;
use crate::commands::connection::connection_ref;
use crate::data_dir::account_keys::KeyFile;
use crate::failure::{Exit, Failure};
use crate::output::Output;

/// Give an account a new password
#[derive(Debug, Args)]
pub struct AccountPasswordArgs {
    /// The account: its name or cin_ id
    #[arg(value_name = "NAME", value_parser = connection_ref)]
    account: ConnectionRef,
    /// File whose first line is the password, instead of typing it
    #[arg(long, value_name = "FILE")]
    password_file: Option<PathBuf>,
}

/// Tries and keeps it.
pub async fn run(
    args: AccountPasswordArgs,
    keys: &KeyFile,
    app: &CliApp,
    output: &Output,
) -> Result<Exit, Failure> {
    let (accounts, owner) = (accounts(app), app.owner());
    let found = accounts.find(&owner, &args.account).await;
    let account = found.map_err(|error| fault::failure(error, "NAME", &app.data_dir))?;
    let failed = |error| fault::failure(error, account.name.as_str(), &app.data_dir);
    let settings = settings_of(&account).map_err(failed)?;
    let AccountSettings::Imap(mailbox) = &settings;
    let secret = secret::read(args.password_file.as_deref(), &mailbox.user)?;
    imap::test(mailbox, &secret).await.map_err(failed)?;
    let keys = keys.read_or_make(app.entropy.as_ref())?;
    let add = AddAccount {
        name: account.name.clone(),
        display_name: None,
        new_id: account.connection.clone(),
        settings,
        secret,
        every_seconds: account.every_seconds,
    };
    accounts.add(&owner, &keys, add).await.map_err(failed)?;
    output.answer(&json!({ "name": account.name }), || {
        format!("{} has a new password and is due at once.\n", account.name)
    })?;
    Ok(Exit::Done)
}
