//! The secret of an account: typed, or read from a file; never an argument.

use std::path::Path;

use pdpp_sync::credential::AccountSecret;

use crate::failure::{Exit, Failure};
use crate::output::prompt::SecretPrompt;

/// Reads it from the first line of a file, else asks for it.
pub fn read(file: Option<&Path>, user: &str) -> Result<AccountSecret, Failure> {
    let text = match file {
        Some(path) => {
            let text = std::fs::read_to_string(path);
            let text = text.map_err(|error| Failure::input(path, &error))?;
            text.lines().next().unwrap_or_default().to_owned()
        }
        None => {
            let label = format!("Password or app password of {user}");
            SecretPrompt { name: "password", label: &label, is_new: false }.read()?
        }
    };
    if text.is_empty() {
        let message = "no password given; type one, or name a file with --password-file";
        return Err(Failure::new(Exit::NoCredential, "password", message));
    }
    Ok(AccountSecret::new(text))
}
