//! Which file a path leads to now, in the system's own numbers.

use std::io;
use std::path::Path;

/// Device and inode of a file. Where the system has no such numbers, every file has the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FileId {
    device: u64,
    inode: u64,
}

impl FileId {
    /// The file at a path.
    #[cfg(unix)]
    pub(crate) fn of(path: &Path) -> io::Result<Self> {
        use std::os::unix::fs::MetadataExt;
        let about = std::fs::metadata(path)?;
        Ok(Self { device: about.dev(), inode: about.ino() })
    }

    /// The file at a path, as far as this system can tell: whether there is one.
    #[cfg(not(unix))]
    pub(crate) fn of(path: &Path) -> io::Result<Self> {
        std::fs::metadata(path).map(|_| Self { device: 0, inode: 0 })
    }

    /// Both numbers as text.
    pub(crate) fn to_text(self) -> String {
        format!("{}:{}", self.device, self.inode)
    }
}
