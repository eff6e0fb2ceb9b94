//! Asks for the passphrase of a backup.

use std::io::IsTerminal;

use pdpp_store::backup::Passphrase;

use crate::failure::{Exit, Failure};

/// Reads a passphrase: asks on a terminal, twice when it is a new one; otherwise the first line of
/// standard input is it.
pub fn read(is_new: bool) -> Result<Passphrase, Failure> {
    let unread = |error| {
        let message = format!("cannot read the passphrase: {error}");
        Failure::new(Exit::Other, "passphrase", message)
    };
    let mut text = String::new();
    if std::io::stdin().is_terminal() {
        text = rpassword::prompt_password("Passphrase: ").map_err(unread)?;
        if is_new && rpassword::prompt_password("The same again: ").map_err(unread)? != text {
            let message = "the two passphrases differ; nothing was written";
            return Err(Failure::new(Exit::Data, "passphrase", message));
        }
    } else {
        std::io::stdin().read_line(&mut text).map_err(unread)?;
    }
    Passphrase::new(text.trim_end_matches(['\r', '\n']).to_owned()).ok_or_else(|| {
        let message = "there is no passphrase; type one, or give it on standard input";
        Failure::new(Exit::NoCredential, "passphrase", message)
    })
}
