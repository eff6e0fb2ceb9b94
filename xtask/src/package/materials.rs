//! The bill of materials: every crate inside the program, in the `CycloneDX` format.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::DIST;
use super::contents::PackageContents;
use crate::run;

/// Its version is part of what makes a release repeatable.
const TOOL: &str = "0.5.9";

pub fn write(contents: &PackageContents) -> Result<PathBuf> {
    let name = format!("pdpp-{}.cdx", contents.version);
    // Only what the program is built from: no development tools, no other system's crates.
    run::step(
        run::cargo(&["cyclonedx", "--format", "json", "--spec-version", "1.5", "--target"])
            .arg(format!("{}-unknown-linux-gnu", std::env::consts::ARCH))
            .args(["--manifest-path", "crates/cli/Cargo.toml", "--no-build-deps"])
            .args(["--override-filename", &name])
            .env("SOURCE_DATE_EPOCH", &contents.epoch),
    )
    .with_context(|| format!("needs `cargo install --locked cargo-cyclonedx --version {TOOL}`"))?;
    let file = format!("{name}.json");
    let made = Path::new(DIST).join(&file);
    let written = Path::new("crates/cli").join(&file);
    std::fs::write(&made, without_places(&std::fs::read_to_string(&written)?))?;
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

/// The tool names our own crates by the directory they were built in. That is nobody's business, and
/// would make every machine's list another one.
fn without_places(list: &str) -> String {
    let mut parts = list.split("\"path+file://");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        // `/directory#name@version`, or `/name#version` where both have one name.
        let (place, rest) = part.split_once('#').unwrap_or((part, ""));
        let named = rest.split_once('"').is_some_and(|(name, _)| name.contains('@'));
        let directory = place.rsplit('/').next().unwrap_or_default();
        let name = if named { String::new() } else { format!("{directory}@") };
        text.push_str(&format!("\"pkg:cargo/{name}{rest}"));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_in_the_list_holds_the_directory_it_was_made_in() {
        let list = r#"{"bom-ref": "path+file:///a/b/crates/cli#pdpp@0.1.0 bin-target-0",
            "ref": "path+file:///a/b/xtask#0.1.0",
            "dependsOn": ["registry+https://github.com/rust-lang/crates.io-index#serde@1.0.228"]}"#;
        let wanted = r#"{"bom-ref": "pkg:cargo/pdpp@0.1.0 bin-target-0",
            "ref": "pkg:cargo/xtask@0.1.0",
            "dependsOn": ["registry+https://github.com/rust-lang/crates.io-index#serde@1.0.228"]}"#;
        assert_eq!(without_places(list), wanted);
        assert_eq!(without_places("no path+file here"), "no path+file here");
    }
}
