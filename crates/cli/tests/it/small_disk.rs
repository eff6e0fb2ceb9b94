//! A disk of a few megabytes for one test: a file system in memory that only this test sees.
//!
//! The test runs itself again inside a mount namespace, which root may make everywhere and other users
//! where the system lets them have one of their own (`unshare --user`). Where neither is possible the test
//! fails and says so: a full disk that was not tried proves nothing.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Set for the run inside.
const INSIDE: &str = "PDPP_TEST_SMALL_DISK";

/// Runs `body` with temporary files on a disk of its own; `name` is the test's full name.
#[expect(
    clippy::disallowed_methods,
    reason = "a variable tells the run inside from the one outside"
)]
pub fn on_small_disk(name: &str, megabytes: u32, body: impl FnOnce(&Disk)) {
    if let Some(directory) = std::env::var_os(INSIDE) {
        return body(&Disk(directory.into()));
    }
    let directory = tempfile::tempdir().unwrap();
    let script = format!("mount -t tmpfs -o size={megabytes}m none \"$0\" && exec \"$@\"");
    let is_root = rustix::process::geteuid().is_root();
    let own: &[&str] = if is_root { &[] } else { &["--user", "--map-root-user"] };
    let output = Command::new("unshare")
        .arg("--mount")
        .args(own)
        .args(["sh", "-c", &script])
        .arg(directory.path())
        .arg(std::env::current_exe().unwrap())
        .args(["--exact", name, "--nocapture"])
        .env(INSIDE, directory.path())
        .env("TMPDIR", directory.path())
        .output()
        .unwrap_or_else(|error| panic!("a small disk needs unshare (util-linux): {error}"));
    let said = String::from_utf8_lossy(&output.stderr);
    let told = String::from_utf8_lossy(&output.stdout);
    assert!(told.contains("running 1 test"), "a small disk needs a mount namespace: {said}");
    assert!(output.status.success(), "{told}\n{said}");
}

/// The disk.
pub struct Disk(PathBuf);

impl Disk {
    fn filler(&self) -> PathBuf {
        self.0.join("filler")
    }

    /// Uses up what is left of it.
    pub fn fill(&self) {
        let mut file =
            std::fs::OpenOptions::new().append(true).create(true).open(self.filler()).unwrap();
        for length in [1 << 20, 1 << 14, 1 << 10, 1] {
            while file.write_all(&vec![b'x'; length]).is_ok() {}
        }
    }

    /// Makes room for so many bytes on a full disk.
    pub fn leave(&self, bytes: u64) {
        let file = std::fs::OpenOptions::new().write(true).open(self.filler()).unwrap();
        let length = file.metadata().unwrap().len();
        file.set_len(length - bytes).unwrap();
    }

    /// Makes room again.
    pub fn free(&self) {
        std::fs::remove_file(self.filler()).unwrap();
    }

    /// From now on nothing can be written, or it can again.
    pub fn set_writable(&self, writable: bool) {
        let option = if writable { "remount,rw" } else { "remount,ro" };
        let done = Command::new("mount").args(["-o", option]).arg::<&Path>(&self.0).status();
        assert!(done.unwrap().success());
    }
}
