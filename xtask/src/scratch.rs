//! Where tests keep their temporary files: in memory when there is plenty of it, because a store waits
//! for the disk at every commit, and thousands of stores are made and thrown away.

#![expect(clippy::disallowed_methods, reason = "the environment may name another place")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::run;

/// Memory as a directory; in a container it may be tiny.
const MEMORY: &str = "/dev/shm";
const PREFIX: &str = "pdpp-tests-";
/// What must be free there, and in the machine, many times what the tests keep at any moment.
const FREE_BYTES: u64 = 4 << 30;
const AVAILABLE_BYTES: u64 = 6 << 30;

/// A directory of this run, if it has one of its own; it is removed with this value.
pub struct Scratch(Option<PathBuf>);

impl Scratch {
    /// Chooses the place. One that the caller chose stays.
    pub fn new() -> Result<Self> {
        if std::env::var_os("TMPDIR").is_some() || !is_roomy() {
            return Ok(Self(None));
        }
        remove_abandoned(Path::new(MEMORY));
        let own = Path::new(MEMORY).join(format!("{PREFIX}{}", std::process::id()));
        fs::create_dir(&own).with_context(|| format!("{} cannot be made", own.display()))?;
        Ok(Self(Some(own)))
    }

    /// Makes a command use the place.
    pub fn give_to(&self, command: &mut Command) {
        if let Some(own) = &self.0 {
            command.env("TMPDIR", own);
        }
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        if let Some(own) = &self.0 {
            // What cannot be removed now is removed by the next run.
            let _ = fs::remove_dir_all(own);
        }
    }
}

fn is_roomy() -> bool {
    let free =
        run::output_of(Command::new("df").args(["--output=avail", "--block-size=1", MEMORY]));
    let free = free.ok().and_then(|table| table.lines().nth(1)?.trim().parse().ok());
    let machine = fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let roomy = |found: Option<u64>, wanted| found.is_some_and(|bytes| bytes >= wanted);
    roomy(free, FREE_BYTES) && roomy(available_bytes(&machine), AVAILABLE_BYTES)
}

/// What the machine could give without swapping.
fn available_bytes(meminfo: &str) -> Option<u64> {
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    line.trim().strip_suffix(" kB")?.parse::<u64>().ok()?.checked_mul(1024)
}

/// A run that was broken off leaves its directory, and with it memory, to nobody.
fn remove_abandoned(memory: &Path) {
    for entry in fs::read_dir(memory).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let Some(process) = name.to_str().and_then(|name| name.strip_prefix(PREFIX)) else {
            continue;
        };
        if process.parse::<u32>().is_ok() && !Path::new("/proc").join(process).exists() {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn available_memory_is_read_in_bytes() {
        let machine = "MemTotal:       24000000 kB\nMemAvailable:    2048 kB\n";
        assert_eq!(available_bytes(machine), Some(2_097_152));
        assert_eq!(available_bytes("MemTotal: 1 kB"), None);
    }

    #[test]
    fn what_a_dead_run_left_is_removed_and_what_a_living_one_has_is_not() {
        let parent = std::env::temp_dir().join(format!("xtask-scratch-{}", std::process::id()));
        let own = parent.join(format!("{PREFIX}{}", std::process::id()));
        // No process has a number this high.
        let dead = parent.join(format!("{PREFIX}4294967295"));
        let other = parent.join(format!("{PREFIX}notes"));
        for directory in [&own, &dead, &other] {
            fs::create_dir_all(directory.join("deep")).unwrap();
        }
        remove_abandoned(&parent);
        assert_eq!([own.exists(), dead.exists(), other.exists()], [true, false, true]);
        fs::remove_dir_all(&parent).unwrap();
    }
}
