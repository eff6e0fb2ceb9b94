//! Lets the linker pack the addresses that the loader fills in when the program starts.
//!
//! There are more than eighty thousand. As a plain list they are 2 MB that the loader reads from end to
//! end, so that they stay in the memory of each agent's adapter; packed they are 40 KB.

use std::process::Command;

/// The first version of the GNU C library that reads the packed form.
const FIRST_TO_UNPACK: (u32, u32) = (2, 36);

#[expect(
    clippy::disallowed_methods,
    reason = "Cargo tells a build script what it builds for this way"
)]
fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let asked = |name: &str| std::env::var(name).unwrap_or_default();
    let gnu = asked("CARGO_CFG_TARGET_OS") == "linux" && asked("CARGO_CFG_TARGET_ENV") == "gnu";
    // What another machine's library can do is not known here.
    let is_for_here = asked("HOST") == asked("TARGET");
    if gnu && is_for_here && library_version().is_some_and(|own| own >= FIRST_TO_UNPACK) {
        println!("cargo::rustc-link-arg-bins=-Wl,-z,pack-relative-relocs");
    }
}

/// The version of this machine's C library, which `getconf` tells as `glibc 2.36`.
fn library_version() -> Option<(u32, u32)> {
    let said = Command::new("getconf").arg("GNU_LIBC_VERSION").output().ok()?;
    let said = String::from_utf8(said.stdout).ok()?;
    let (major, minor) = said.trim().strip_prefix("glibc ")?.split_once('.')?;
    Some((major.parse().ok()?, minor.parse().ok()?))
}
