//! `pdpp owner password`: sets the password of the owner's pages, from the machine itself.

use std::io::IsTerminal;

use clap::Args;
use pdpp_auth::PasswordText;
use serde_json::json;

use crate::app::App;
use crate::data_dir::DataDir;
use crate::failure::{Exit, Failure};
use crate::output::Output;

/// Set the password of the owner's pages
///
/// Asks for it twice; when standard input is not a terminal, its first line is the password. Every
/// browser that was signed in is signed out.
#[derive(Debug, Args)]
pub struct PasswordArgs {}

/// Reads a password and sets it.
pub async fn run(_: &PasswordArgs, data_dir: DataDir, output: &Output) -> Result<Exit, Failure> {
    let password = read()?;
    let app = App::open(data_dir).await?;
    let set = app.auth.set_owner_password(&app.owner(), password).await?;
    set.map_err(|fault| Failure::new(Exit::Data, "password", fault.to_string()))?;
    output.answer(&json!({ "password_set": true }), || {
        "The password is set. Sign in on the server's owner page.\n".to_owned()
    })?;
    Ok(Exit::Done)
}

fn read() -> Result<PasswordText, Failure> {
    let unread =
        |error| Failure::new(Exit::Other, "password", format!("cannot read the password: {error}"));
    if !std::io::stdin().is_terminal() {
        let mut line = String::new();
        std::io::stdin().read_line(&mut line).map_err(unread)?;
        return Ok(PasswordText::new(line.trim_end_matches(['\r', '\n']).to_owned()));
    }
    let first = rpassword::prompt_password("New password: ").map_err(unread)?;
    let again = rpassword::prompt_password("The same again: ").map_err(unread)?;
    if first != again {
        let message = "the two passwords differ; nothing was changed";
        return Err(Failure::new(Exit::Data, "password", message));
    }
    Ok(PasswordText::new(first))
}
