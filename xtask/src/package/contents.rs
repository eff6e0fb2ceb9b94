//! What every package carries: the program and what it says about itself.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::run;

/// Where packages are put together.
const STAGE: &str = "target/package";
/// Shells and the name under which each looks for completions.
const SHELLS: [(&str, &str); 3] = [("bash", "pdpp"), ("zsh", "_pdpp"), ("fish", "pdpp.fish")];

/// The program with its manual pages and completions.
pub struct PackageContents {
    pub version: String,
    pub program: PathBuf,
    /// One file per manual page.
    pub manual: PathBuf,
    /// One file per shell, in the order and with the names of `SHELLS`.
    pub completions: Vec<(&'static str, PathBuf)>,
    /// The moment that files get: the commit's, so that the same commit gives the same packages.
    pub epoch: String,
}

impl PackageContents {
    pub fn gather(program: &Path, version: String) -> Result<Self> {
        let program = program.canonicalize().with_context(|| {
            format!("there is no program at {}; build it first", program.display())
        })?;
        let manual = fresh("manual")?;
        run::output_of(Command::new(&program).args(["man", "--directory"]).arg(&manual))?;
        let directory = fresh("completions")?;
        let mut completions = Vec::new();
        for (shell, name) in SHELLS {
            let script = run::output_of(Command::new(&program).args(["completions", shell]))?;
            let path = directory.join(name);
            std::fs::write(&path, script)?;
            completions.push((shell, path));
        }
        let program = stripped(&program)?;
        let epoch = run::output_of(Command::new("git").args(["log", "-1", "--format=%ct"]))?;
        let epoch = epoch.trim().to_owned();
        Ok(Self { version, program, manual, completions, epoch })
    }

    /// The manual pages, in order.
    pub fn pages(&self) -> Result<Vec<PathBuf>> {
        let mut pages = Vec::new();
        for entry in std::fs::read_dir(&self.manual)? {
            pages.push(entry?.path());
        }
        pages.sort();
        Ok(pages)
    }
}

/// A copy of the program without the names of its functions: a quarter of its size, which only a
/// developer's stack shows.
fn stripped(program: &Path) -> Result<PathBuf> {
    let copy = fresh("program")?.join("pdpp");
    install(program, &copy, "755")?;
    let strip = run::output_of(Command::new("strip").arg("--strip-unneeded").arg(&copy));
    strip.context("needs the Debian package `binutils`")?;
    Ok(copy.canonicalize()?)
}

/// An empty directory to put something together in.
pub fn fresh(name: &str) -> Result<PathBuf> {
    let directory = Path::new(STAGE).join(name);
    if directory.exists() {
        std::fs::remove_dir_all(&directory)?;
    }
    std::fs::create_dir_all(&directory)?;
    Ok(directory)
}

/// Puts a file into a tree with the rights that an installed file has.
pub fn install(from: &Path, to: &Path, mode: &str) -> Result<()> {
    run::output_of(Command::new("install").args(["-D", "-m", mode]).arg(from).arg(to))?;
    Ok(())
}

/// The machine that packages are for, as Rust calls it.
pub fn machine() -> String {
    format!("{}-{}", std::env::consts::OS, std::env::consts::ARCH)
}
