//! What a person does in a browser: Debian's Chromium and Firefox, driven by scripts, on the program
//! just built.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};

use crate::{clients, needs, run};

/// Where the scripts and the lock file are kept, and where they are copied to and run.
const SCRIPTS: &str = "tests/browser";
const INSTALLED: &str = "target/browser";
/// Browsers by package: the variable that names another one, and where Debian puts it.
const BROWSERS: [(&str, &str, &str); 2] = [
    ("chromium", "PDPP_CHROMIUM", "/usr/bin/chromium"),
    ("firefox-esr", "PDPP_FIREFOX", "/usr/bin/firefox-esr"),
];

/// Makes sure that the browser and what drives it are there.
pub fn bring() -> Result<()> {
    bring_all().context(
        "tests need Chromium and Firefox (Debian packages `chromium` and `firefox-esr`) and three \
         packages from npm: see CONTRIBUTING.md, or pass `--without browser`",
    )
}

#[expect(clippy::disallowed_methods, reason = "a variable names another browser")]
fn bring_all() -> Result<()> {
    for (package, variable, place) in BROWSERS {
        if std::env::var_os(variable).is_none() && !Path::new(place).exists() {
            needs::install(package)?;
        }
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
