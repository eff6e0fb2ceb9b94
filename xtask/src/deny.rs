//! `cargo xtask deny`: licences, sources and the walls around third-party crates (`deny.toml`).

use anyhow::{Result, bail};

use crate::run;

/// The version that `deny.toml` was written for; continuous integration installs the same one.
pub const VERSION: &str = "0.20.2";

pub fn deny() -> Result<()> {
    if run::output_of(&mut run::cargo(&["deny", "--version"])).is_err() {
        bail!(
            "cargo-deny is missing; install it once with \
             `cargo install --locked cargo-deny --version {VERSION}`"
        );
    }
    let mut command = run::cargo(&["deny", "--locked", "check", "--hide-inclusion-graph"]);
    // A wall around a crate that nobody uses yet is no fault.
    command.args(["--allow", "unused-wrapper"]);
    // `advisories` is left out: it downloads a database, and a check must not depend on the day.
    run::step(command.args(["bans", "licenses", "sources"]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everyone_installs_the_version_named_here() {
        for text in [include_str!("../../.ci/run"), include_str!("../../CONTRIBUTING.md")] {
            assert!(text.contains(VERSION), "{VERSION} is not named in: {text}");
        }
    }
}
