//! Asks before something cannot be undone.

use std::io::{self, BufRead, IsTerminal, Write};

use crate::failure::Failure;

/// Asks a person to agree; fails when nobody is there to be asked.
pub fn agreed(question: &str) -> Result<bool, Failure> {
    if !(io::stdin().is_terminal() && io::stderr().is_terminal()) {
        return Err(Failure::usage(
            "this cannot be undone and nobody is here to be asked; add --yes to do it anyway",
        ));
    }
    let mut answer = String::new();
    let asked = write!(io::stderr().lock(), "{question} [y/N] ");
    let read = asked.and_then(|()| io::stdin().lock().read_line(&mut answer));
    Ok(read.is_ok() && matches!(answer.trim(), "y" | "Y" | "yes"))
}
