//! `cargo xtask package` and `cargo xtask release`: the program as people install it.

mod archive;
mod bundle;
mod checksums;
mod contents;
mod deb;
mod materials;
mod registry;

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::run;
use contents::PackageContents;

/// Where finished packages lie.
const DIST: &str = "target/dist";
const KINDS: &[&str] = &["archive", "deb", "mcpb"];
/// Where the program is published when nobody says otherwise: nowhere that exists.
const NO_HOME: &str = "https://github.com/example/pdpp";

/// What was asked for.
#[derive(Debug, PartialEq, Eq)]
struct Wish {
    kinds: Vec<String>,
    /// A program that is built already.
    program: Option<PathBuf>,
    /// Another version than Cargo's, to try an upgrade.
    version: Option<String>,
    /// Where releases are published.
    home: String,
}

/// `cargo xtask package [KIND…]`: one or all of the packages.
pub fn package(arguments: &[String]) -> Result<()> {
    let wish = wish(arguments)?;
    let contents = contents(&wish)?;
    for kind in &wish.kinds {
        let made = match kind.as_str() {
            "archive" => archive::build(&contents),
            "deb" => deb::build(&contents),
            _ => bundle::build(&contents),
        }?;
        println!("{}", made.display());
    }
    Ok(())
}

/// `cargo xtask release`: every package, what is in them, how to list them, and their checksums.
pub fn release(arguments: &[String]) -> Result<()> {
    let wish = wish(arguments)?;
    // What a release is made from must be what its tag will name.
    let changed = run::output_of(Command::new("git").args(["status", "--porcelain"]))?;
    if !changed.is_empty() {
        bail!("commit or put away these changes first:\n{changed}");
    }
    if Path::new(DIST).exists() {
        std::fs::remove_dir_all(DIST)?;
    }
    let contents = contents(&wish)?;
    let bundle = bundle::build(&contents)?;
    let mut made = vec![archive::build(&contents)?, deb::build(&contents)?, bundle.clone()];
    made.push(materials::write(&contents)?);
    made.push(registry::write(&contents, &bundle, &wish.home)?);
    made.push(checksums::write(&made)?);
    for path in made {
        println!("{}", path.display());
    }
    Ok(())
}

fn contents(wish: &Wish) -> Result<PackageContents> {
    std::fs::create_dir_all(DIST)?;
    let program = match &wish.program {
        Some(program) => program.clone(),
        None => {
            run::step(&mut run::cargo(&["build", "--locked", "--release", "--package", "pdpp"]))?;
            PathBuf::from("target/release/pdpp")
        }
    };
    let version = wish.version.clone();
    let version =
        version.map_or_else(|| version_in(&std::fs::read_to_string("Cargo.toml")?), Ok)?;
    PackageContents::gather(&program, version)
}

fn wish(arguments: &[String]) -> Result<Wish> {
    let mut wish =
        Wish { kinds: Vec::new(), program: None, version: None, home: NO_HOME.to_owned() };
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        let mut value = || rest.next().with_context(|| format!("`{argument}` wants a value"));
        match argument.as_str() {
            "--program" => wish.program = Some(value()?.into()),
            "--version" => wish.version = Some(value()?.clone()),
            "--home" => wish.home.clone_from(value()?),
            kind if KINDS.contains(&kind) => wish.kinds.push(kind.to_owned()),
            other => bail!("no package is called `{other}`: choose from {}", KINDS.join(", ")),
        }
    }
    if wish.kinds.is_empty() {
        wish.kinds = KINDS.iter().map(ToString::to_string).collect();
    }
    Ok(wish)
}

/// The version of the workspace, in its manifest's text.
pub fn version_in(manifest: &str) -> Result<String> {
    let mut lines = manifest.lines().skip_while(|line| *line != "[workspace.package]");
    let line = lines.find_map(|line| line.strip_prefix("version = "));
    let version = line.context("Cargo.toml names no version for the workspace")?;
    Ok(version.trim().trim_matches('"').to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wished(arguments: &[&str]) -> Result<Wish> {
        let owned: Vec<String> = arguments.iter().map(ToString::to_string).collect();
        wish(&owned)
    }

    #[test]
    fn everything_is_packed_unless_something_is_named() {
        assert_eq!(wished(&[]).unwrap().kinds, KINDS);
        let one = wished(&["deb", "--program", "a/pdpp", "--version", "9.9.9"]).unwrap();
        assert_eq!(
            (one.kinds.as_slice(), one.version.as_deref()),
            (&["deb".to_owned()][..], Some("9.9.9"))
        );
    }

    #[test]
    fn an_unknown_kind_and_a_missing_value_are_refused() {
        assert!(wished(&["rpm"]).unwrap_err().to_string().contains("archive, deb, mcpb"));
        assert!(wished(&["--program"]).is_err());
    }

    #[test]
    fn the_version_is_the_workspace_s() {
        let manifest = "[workspace]\nversion = \"9\"\n\n[workspace.package]\nversion = \"0.1.0\"\n";
        assert_eq!(version_in(manifest).unwrap(), "0.1.0");
        assert!(version_in("[package]\nversion = \"1\"\n").is_err());
    }
}
