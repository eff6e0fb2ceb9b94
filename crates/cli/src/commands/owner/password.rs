//! `pdpp owner password`: sets the password of the owner's pages, from the machine itself.

use clap::Args;
use pdpp_auth::PasswordText;
use serde_json::json;

use crate::app::CliApp;
use crate::data_dir::DataDir;
use crate::failure::{Exit, Failure};
use crate::output::Output;
use crate::output::prompt::SecretPrompt;

/// Set the password of the owner pages
///
/// Asks for it twice; if standard input is not a terminal, the first line is the password. All browsers
/// are signed out.
#[derive(Debug, Args)]
pub struct PasswordArgs {}

/// Reads a password and sets it.
pub async fn run(_: &PasswordArgs, data_dir: DataDir, output: &Output) -> Result<Exit, Failure> {
    let prompt = SecretPrompt { name: "password", label: "New password", is_new: true };
    let password = PasswordText::new(prompt.read()?);
    let app = CliApp::open(data_dir).await?;
    let set = app.auth.set_owner_password(&app.owner(), password).await?;
    set.map_err(|fault| Failure::new(Exit::Data, "password", fault.to_string()))?;
    output.answer(&json!({ "password_set": true }), || {
        "Password set. Sign in on the owner page of the server.\n".to_owned()
    })?;
    Ok(Exit::Done)
}
