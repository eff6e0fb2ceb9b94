//! MCP clients that we did not write: installed by lock file, run against the program just built.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::{needs, run};

/// Where the scripts and the lock file are kept, and where the packages go.
const SCRIPTS: &str = "tests/clients";
const INSTALLED: &str = "target/clients";
/// What is copied beside the packages, so that the scripts find them.
const COPIED: [&str; 4] = ["js", "mjs", "py", "yml"];

/// Makes sure that the clients are there: Node packages by lock file, the Python kit by version.
pub fn bring() -> Result<()> {
    bring_clients().context(
        "tests need MCP clients from npm and PyPI: see CONTRIBUTING.md, or pass \
         `--without clients`",
    )
}

fn bring_clients() -> Result<()> {
    std::fs::create_dir_all(INSTALLED)?;
    for name in ["package.json", "package-lock.json", ".npmrc", "requirements.txt"] {
        std::fs::copy(Path::new(SCRIPTS).join(name), Path::new(INSTALLED).join(name))?;
    }
    if run::output_of(Command::new("npm").arg("--version")).is_err() {
        needs::install("npm")?;
    }
    if is_stale("package-lock.json", "node_modules")? {
        run::step(Command::new("npm").args(["ci", "--no-audit", "--no-fund"]).current_dir(INSTALLED))?;
        mark("node_modules")?;
    }
    if is_stale("requirements.txt", "python")? {
        bring_python()?;
        mark("python")?;
    }
    Ok(())
}

fn bring_python() -> Result<()> {
    let venv = Path::new(INSTALLED).join("python");
    let make = || run::step(Command::new("python3").args(["-m", "venv"]).arg(&venv));
    if make().is_err() {
        needs::install("python3-venv")?;
        make()?;
    }
    let requirements = Path::new(INSTALLED).join("requirements.txt");
    run::step(Command::new(python()).args(["-m", "pip", "install", "--quiet", "-r"]).arg(requirements))
}

/// Plays every client against the program that the tests were built with.
pub fn run() -> Result<()> {
    run::step(&mut run::cargo(&["build", "--locked", "--package", "pdpp"]))?;
    for entry in std::fs::read_dir(SCRIPTS)? {
        let path = entry?.path();
        let copied = path.extension().is_some_and(|kind| COPIED.iter().any(|known| kind == *known));
        if let (true, Some(name)) = (copied, path.file_name()) {
            std::fs::copy(&path, Path::new(INSTALLED).join(name))?;
        }
    }
    let here = std::env::current_dir()?;
    let node = here.join(INSTALLED).join("node_modules/node/bin/node");
    let mut clients = Command::new(node);
    clients.arg(Path::new(INSTALLED).join("run.mjs")).arg(here.join("target/debug/pdpp"));
    run::step(clients.env("PDPP_CLIENTS_PYTHON", here.join(python())))
}

fn python() -> PathBuf {
    Path::new(INSTALLED).join("python/bin/python")
}

/// Whether what was installed belongs to another version of `list`.
fn is_stale(list: &str, what: &str) -> Result<bool> {
    let wanted = std::fs::read(Path::new(INSTALLED).join(list))?;
    let installed = std::fs::read(mark_of(what)).unwrap_or_default();
    let there = Path::new(INSTALLED).join(what).exists();
    Ok(!there || installed != wanted)
}

/// Remembers which list was installed.
fn mark(what: &str) -> Result<()> {
    let list = if what == "python" { "requirements.txt" } else { "package-lock.json" };
    std::fs::copy(Path::new(INSTALLED).join(list), mark_of(what))?;
    Ok(())
}

fn mark_of(what: &str) -> PathBuf {
    Path::new(INSTALLED).join(format!("{what}.installed"))
}
