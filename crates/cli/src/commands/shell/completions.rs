//! `pdpp completions SHELL`: what a shell needs to complete our words.

use clap::{Args, CommandFactory};
use clap_complete::Shell;

use crate::cli::Cli;
use crate::failure::{Exit, Failure};
use crate::output;

/// Print the completion script of a shell
#[derive(Debug, Args)]
pub struct CompletionsArgs {
    /// The shell
    shell: Shell,
}

/// Prints the script.
pub fn run(args: &CompletionsArgs) -> Result<Exit, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "pdpp", &mut script);
    output::text(&String::from_utf8_lossy(&script))?;
    Ok(Exit::Done)
}
