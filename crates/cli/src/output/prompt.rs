//! Asks the person at the terminal: to agree, or for a secret.

use std::io::{self, BufRead, IsTerminal, Write};

use crate::failure::{Exit, Failure};

/// Whether there is a person to ask.
pub fn is_possible() -> bool {
    io::stdin().is_terminal() && io::stderr().is_terminal()
}

/// Asks a person to agree; fails where nobody can be asked.
pub fn agreed(question: &str) -> Result<bool, Failure> {
    if !is_possible() {
        return Err(Failure::usage(
            "this cannot be undone, and this is not a terminal: pass --yes",
        ));
    }
    let mut answer = String::new();
    let asked = write!(io::stderr().lock(), "{question} [y/N] ");
    let read = asked.and_then(|()| io::stdin().lock().read_line(&mut answer));
    Ok(read.is_ok() && matches!(answer.trim(), "y" | "Y" | "yes"))
}

/// A secret to ask for.
pub struct SecretPrompt<'a> {
    /// What people call it, which is also the code of its failures.
    pub name: &'static str,
    /// What the prompt says.
    pub label: &'a str,
    /// Whether it is a new one, which is typed twice.
    pub is_new: bool,
}

impl SecretPrompt<'_> {
    /// Asks on a terminal; otherwise the first line of standard input is the secret.
    pub fn read(&self) -> Result<String, Failure> {
        let Self { name, label, is_new } = self;
        let unread =
            |error| Failure::new(Exit::Other, name, format!("cannot read the {name}: {error}"));
        if !io::stdin().is_terminal() {
            let mut line = String::new();
            io::stdin().read_line(&mut line).map_err(unread)?;
            return Ok(line.trim_end_matches(['\r', '\n']).to_owned());
        }
        let first = rpassword::prompt_password(format!("{label}: ")).map_err(unread)?;
        if *is_new
            && rpassword::prompt_password(format!("Repeat {name}: ")).map_err(unread)? != first
        {
            let message = format!("the {name}s do not match; nothing was changed");
            return Err(Failure::new(Exit::Data, name, message));
        }
        Ok(first)
    }
}
