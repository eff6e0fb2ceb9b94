//! The bill of materials: every crate inside the program, in the `CycloneDX` format.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::DIST;
use super::goods::Goods;
use crate::run;

/// Its version is part of what makes a release repeatable.
const TOOL: &str = "0.5.9";

pub fn write(goods: &Goods) -> Result<PathBuf> {
    let name = format!("pdpp-{}.cdx", goods.version);
    // Only what the program is built from: no development tools, no other system's crates.
    run::step(
        run::cargo(&["cyclonedx", "--format", "json", "--spec-version", "1.5", "--target"])
            .arg(format!("{}-unknown-linux-gnu", std::env::consts::ARCH))
            .args(["--manifest-path", "crates/cli/Cargo.toml", "--no-build-deps"])
            .args(["--override-filename", &name])
            .env("SOURCE_DATE_EPOCH", &goods.epoch),
    )
    .with_context(|| format!("needs `cargo install --locked cargo-cyclonedx --version {TOOL}`"))?;
    let file = format!("{name}.json");
    let made = Path::new(DIST).join(&file);
    std::fs::rename(Path::new("crates/cli").join(&file), &made)?;
    // The tool writes one beside every crate of the workspace; the program's names them all.
    for entry in std::fs::read_dir("crates")? {
        remove(&entry?.path().join(&file))?;
    }
    remove(&Path::new("xtask").join(&file))?;
    Ok(made)
}

fn remove(file: &Path) -> Result<()> {
    if file.exists() {
        std::fs::remove_file(file)?;
    }
    Ok(())
}
