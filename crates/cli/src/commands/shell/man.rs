//! `pdpp man`: the manual, from the same definition as the parser.

use std::path::PathBuf;

use clap::{Args, CommandFactory};

use crate::cli::Cli;
use crate::failure::{Exit, Failure};
use crate::output;

/// Print a manual page
#[derive(Debug, Args)]
pub struct ManArgs {
    /// The command, such as `grant create` [default: the main page]
    command: Vec<String>,
    /// Write all pages into this directory instead
    #[arg(long, value_name = "DIR", conflicts_with = "command")]
    directory: Option<PathBuf>,
}

/// Prints one page in the format that `man` reads.
pub fn run(args: &ManArgs) -> Result<Exit, Failure> {
    if let Some(directory) = &args.directory {
        let written = std::fs::create_dir_all(directory)
            .and_then(|()| clap_mangen::generate_to(Cli::command(), directory));
        written.map_err(|error| Failure::file("write manual pages into", directory, &error))?;
        return Ok(Exit::Done);
    }
    let mut page = Cli::command();
    page.build();
    for word in &args.command {
        let inner = page.find_subcommand(word).cloned();
        page = inner
            .ok_or_else(|| Failure::usage(format!("no command named {word}; see: pdpp --help")))?;
    }
    let mut text = Vec::new();
    let written = clap_mangen::Man::new(page).render(&mut text);
    written.map_err(|error| Failure::new(Exit::Other, "output", error.to_string()))?;
    output::text(&String::from_utf8_lossy(&text))?;
    Ok(Exit::Done)
}
