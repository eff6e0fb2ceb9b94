//! The plain archive: unpack it anywhere and run it.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use super::DIST;
use super::contents::{PackageContents, fresh, install, machine};
use crate::run;

pub fn build(contents: &PackageContents) -> Result<PathBuf> {
    let name = format!("pdpp-{}-{}", contents.version, machine());
    let stage = fresh("archive")?;
    let root = stage.join(&name);
    install(&contents.program, &root.join("pdpp"), "755")?;
    for page in ["LICENSE", "README.md", "CHANGELOG.md"] {
        install(Path::new(page), &root.join(page), "644")?;
    }
    let file_name =
        |path: &Path| path.file_name().map(PathBuf::from).context("a path without a name");
    for page in contents.pages()? {
        install(&page, &root.join("man").join(file_name(&page)?), "644")?;
    }
    for (_, script) in &contents.completions {
        install(script, &root.join("completions").join(file_name(script)?), "644")?;
    }
    let made = Path::new(DIST).join(format!("{name}.tar.gz"));
    // The order, times and owners of this machine would make every build another file.
    run::output_of(
        Command::new("tar")
            .args(["--create", "--sort=name", "--owner=0", "--group=0", "--numeric-owner"])
            .arg(format!("--mtime=@{}", contents.epoch))
            .args(["--use-compress-program", "gzip -9n", "--file"])
            .arg(&made)
            .arg("--directory")
            .arg(&stage)
            .arg(&name),
    )?;
    Ok(made)
}
