//! MCP clients that we did not write: installed by lock file, run against the program just built.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::{needs, run};

/// Where the scripts and the lock files are kept, and where they are copied to and run.
const SCRIPTS: &str = "tests/clients";
const INSTALLED: &str = "target/clients";
/// The command lines of agents, which are large: only for long runs.
const AGENTS: &str = "agents";

/// Makes sure that the clients are there: Node packages by lock file, the Python kit by version.
pub fn bring() -> Result<()> {
    bring_clients().context(
        "tests need MCP clients from npm and PyPI: see CONTRIBUTING.md, or pass \
         `--without clients`",
    )
}

fn bring_clients() -> Result<()> {
    if run::output_of(Command::new("npm").arg("--version")).is_err() {
        needs::install("npm")?;
    }
    let here = Path::new(INSTALLED);
    copy(Path::new(SCRIPTS), here)?;
    install_node(here)?;
    if is_stale(here, "requirements.txt", "python")? {
        bring_python()?;
        mark(here, "requirements.txt")?;
    }
    Ok(())
}

/// Every client against the program that the tests were built with. Owners sign in with Chromium,
/// unless `without` says that there is none.
pub fn all(without: (&str, &str)) -> Result<Command> {
    copy(Path::new(SCRIPTS), Path::new(INSTALLED))?;
    let here = std::env::current_dir()?;
    let mut clients = node()?;
    clients.arg(Path::new(INSTALLED).join("run.mjs")).arg(here.join("target/debug/pdpp"));
    clients.env(without.0, without.1);
    clients.env("PDPP_CLIENTS_PYTHON", here.join(python()));
    Ok(clients)
}

/// Lets the command lines of agents look for a healthy server, in release.
pub fn run_agents() -> Result<()> {
    bring()?;
    let there = Path::new(INSTALLED).join(AGENTS);
    copy(&Path::new(SCRIPTS).join(AGENTS), &there)?;
    install_node(&there)?;
    run::step(&mut run::cargo(&["build", "--locked", "--release", "--package", "pdpp"]))?;
    let program = std::env::current_dir()?.join("target/release/pdpp");
    run::step(node()?.arg(there.join("run.mjs")).arg(program))
}

/// The Node that came with the packages: a machine's own may be too old for them.
fn node() -> Result<Command> {
    let directory = std::env::current_dir()?.join(INSTALLED).join("node_modules/node/bin");
    let mut command = Command::new(directory.join("node"));
    let others = run::output_of(Command::new("sh").args(["-c", "printf %s \"$PATH\""]))?;
    command.env("PATH", format!("{}:{others}", directory.display()));
    Ok(command)
}

/// Installs the packages of a lock file, when they are not there yet.
pub fn install_node(there: &Path) -> Result<()> {
    if is_stale(there, "package-lock.json", "node_modules")? {
        // Not `npm ci`: it insists on optional packages of other systems, which a mirror may lack.
        let quiet = ["install", "--no-audit", "--no-fund"];
        run::step(Command::new("npm").args(quiet).current_dir(there))?;
        mark(there, "package-lock.json")?;
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
    let pip = ["-m", "pip", "install", "--quiet", "--requirement"];
    run::step(Command::new(python()).args(pip).arg(requirements))
}

fn python() -> PathBuf {
    Path::new(INSTALLED).join("python/bin/python")
}

/// Copies the files of a directory, so that scripts find the packages beside them.
pub fn copy(from: &Path, to: &Path) -> Result<()> {
    std::fs::create_dir_all(to)?;
    for entry in std::fs::read_dir(from)? {
        let path = entry?.path();
        if let (true, Some(name)) = (path.is_file(), path.file_name()) {
            std::fs::copy(&path, to.join(name))?;
        }
    }
    Ok(())
}

/// Whether what was installed is missing or belongs to another version of its list.
fn is_stale(there: &Path, list: &str, what: &str) -> Result<bool> {
    let wanted = std::fs::read(there.join(list))?;
    let installed = std::fs::read(mark_of(there, list)).unwrap_or_default();
    Ok(!there.join(what).exists() || installed != wanted)
}

/// Remembers which list was installed.
fn mark(there: &Path, list: &str) -> Result<()> {
    std::fs::copy(there.join(list), mark_of(there, list))?;
    Ok(())
}

fn mark_of(there: &Path, list: &str) -> PathBuf {
    there.join(format!("{list}.installed"))
}
