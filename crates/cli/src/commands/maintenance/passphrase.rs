//! The passphrase of an encrypted backup.

use pdpp_store::backup::Passphrase;

use crate::failure::{Exit, Failure};
use crate::output::prompt::SecretPrompt;

/// Asks for it; twice when it is a new one.
pub fn read(is_new: bool) -> Result<Passphrase, Failure> {
    let prompt = SecretPrompt { name: "passphrase", label: "Passphrase", is_new };
    Passphrase::new(prompt.read()?).ok_or_else(|| {
        let message = "no passphrase given; type one, or pass it on standard input";
        Failure::new(Exit::NoCredential, "passphrase", message)
    })
}
