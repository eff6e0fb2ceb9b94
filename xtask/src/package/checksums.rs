//! `SHA256SUMS`: what `sha256sum --check` reads.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use super::DIST;
use crate::run;

pub fn write(files: &[PathBuf]) -> Result<PathBuf> {
    let mut sums = String::new();
    for file in files {
        let name = file.file_name().context("a path without a name")?;
        sums.push_str(&format!("{}  {}\n", sha256(file)?, name.display()));
    }
    let made = Path::new(DIST).join("SHA256SUMS");
    std::fs::write(&made, sums)?;
    Ok(made)
}

/// The digest of a file in hexadecimal.
pub fn sha256(file: &Path) -> Result<String> {
    let said = run::output_of(Command::new("sha256sum").arg("--binary").arg(file))?;
    let digest = said.split_whitespace().next().context("sha256sum said nothing")?;
    Ok(digest.trim_start_matches('\\').to_owned())
}
