//! What a person does in a browser: Debian's Chromium, driven by scripts, on the program just built.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};

use crate::{clients, needs, run};

/// Where the scripts and the lock file are kept, and where they are copied to and run.
const SCRIPTS: &str = "tests/browser";
const INSTALLED: &str = "target/browser";
const CHROMIUM: &str = "/usr/bin/chromium";

/// Makes sure that the browser and what drives it are there.
pub fn bring() -> Result<()> {
    bring_all().context(
        "tests need Chromium (Debian package `chromium`) and two packages from npm: see \
         CONTRIBUTING.md, or pass `--without browser`",
    )
}

#[expect(clippy::disallowed_methods, reason = "the variable names another browser")]
fn bring_all() -> Result<()> {
    if std::env::var_os("PDPP_CHROMIUM").is_none() && !Path::new(CHROMIUM).exists() {
        needs::install("chromium")?;
    }
    if run::output_of(Command::new("npm").arg("--version")).is_err() {
        needs::install("npm")?;
    }
    let here = Path::new(INSTALLED);
    clients::copy(Path::new(SCRIPTS), here)?;
    clients::install_node(here)
}

/// Every journey against the program that the tests were built with.
pub fn journeys() -> Result<Command> {
    clients::copy(Path::new(SCRIPTS), Path::new(INSTALLED))?;
    let program = std::env::current_dir()?.join("target/debug/pdpp");
    let mut journeys = Command::new("node");
    journeys.arg(Path::new(INSTALLED).join("run.mjs")).arg(program);
    Ok(journeys)
}
