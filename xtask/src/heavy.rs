//! `cargo xtask heavy`: the long runs, at full size and in release.
//!
//! A long test is an ordinary test that reads `PDPP_HEAVY` to choose its size, so its small version
//! runs in `cargo xtask test` every time and cannot rot.

use anyhow::Result;

use crate::{clients, corpora, run};

/// Packages with tests that grow under `PDPP_HEAVY=1`. Add yours here.
const PACKAGES: &[&str] = &["pdpp-store", "pdpp-engine", "pdpp-import", "pdpp-http", "pdpp"];

pub fn heavy() -> Result<()> {
    let mut tests = run::cargo(&["test", "--locked", "--release", "--no-fail-fast"]);
    for package in PACKAGES {
        tests.args(["--package", package]);
    }
    let corpora = corpora::fetch()?;
    run::step(tests.env("PDPP_HEAVY", "1").env("PDPP_CORPORA", corpora))?;
    clients::run_agents()?;
    run::step(&mut run::cargo(&[
        "run",
        "--locked",
        "--release",
        "--package",
        "pdpp",
        "--",
        "bench",
    ]))
}
