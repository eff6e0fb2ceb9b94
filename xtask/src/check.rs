//! `cargo xtask check`: everything that can be said about the code without running it.

use anyhow::Result;

use crate::{deny, run, tidy};

/// Cheapest first, so that a slip is reported before the long steps begin.
pub fn check() -> Result<()> {
    run::step(&mut run::cargo(&["fmt", "--all", "--check"]))?;
    tidy::tidy()?;
    deny::deny()?;
    run::step(&mut run::cargo(&[
        "clippy",
        "--locked",
        "--workspace",
        "--all-targets",
        "--",
        "--deny",
        "warnings",
    ]))?;
    run::step(
        run::cargo(&["doc", "--locked", "--workspace", "--no-deps"])
            .env("RUSTDOCFLAGS", "--deny warnings"),
    )
}
