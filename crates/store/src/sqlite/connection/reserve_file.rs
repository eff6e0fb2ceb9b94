//! Disk space that is kept for ending access, erasing and the audit log, so that a full disk stops none of
//! them: a file beside the store that is cut when they need it and filled again when there is room.
//!
//! While it is not whole, ordinary writes are refused: they would use up what was given free.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use crate::error::{StoreError, StoreResult};
use crate::opening::reserve::Reserve;

/// Room that a disk must have beside the reserve to count as one that takes writes.
const PROBE_BYTES: u64 = 64 * 1024;

/// The reserve of one store.
#[derive(Debug, Clone)]
pub(crate) struct ReserveFile {
    path: PathBuf,
    size_bytes: u64,
}

impl ReserveFile {
    /// The reserve beside a store; none when its size is zero.
    pub(crate) fn beside(store: &Path, size_bytes: u64) -> Self {
        let mut path = store.as_os_str().to_owned();
        path.push("-reserve");
        Self { path: path.into(), size_bytes }
    }

    /// Makes sure that the reserve is whole; `Full` when there is no room for it.
    pub(crate) fn ensure(&self) -> StoreResult<()> {
        if self.length() >= self.size_bytes { Ok(()) } else { self.grow(self.size_bytes) }
    }

    /// Fails when the disk has no room beside the reserve.
    pub(super) fn probe(&self) -> StoreResult<()> {
        if self.size_bytes == 0 {
            return Ok(());
        }
        self.ensure()?;
        self.grow(self.size_bytes + PROBE_BYTES)?;
        self.cut(self.size_bytes).map(drop)
    }

    /// Gives back what a write may use; whether that was anything.
    pub(crate) fn release(&self, reserve: Reserve) -> StoreResult<bool> {
        let half = self.size_bytes / 2;
        // In two steps: the second half stays for whoever comes next, if the first is enough.
        let given = self.cut(half)? || reserve == Reserve::Ending && self.cut(0)?;
        if given {
            tracing::warn!("the disk is full, and reserved space was used; make room on the disk");
        }
        Ok(given)
    }

    fn length(&self) -> u64 {
        std::fs::metadata(&self.path).map_or(0, |about| about.len())
    }

    fn cut(&self, length: u64) -> StoreResult<bool> {
        if self.length() <= length {
            return Ok(false);
        }
        let file =
            OpenOptions::new().write(true).open(&self.path).map_err(StoreError::unavailable)?;
        file.set_len(length).map(|()| true).map_err(StoreError::unavailable)
    }

    fn grow(&self, length: u64) -> StoreResult<()> {
        let before = self.length();
        let filled = open(&self.path).and_then(|file| {
            let filled = fill(&file, before, length);
            if filled.is_err() {
                // What it got so far would be missing elsewhere.
                let _ = file.set_len(before);
            }
            filled
        });
        match filled {
            Ok(()) => Ok(()),
            Err(error) if is_full(&error) => Err(StoreError::Full),
            // A store without a reserve is better than none.
            Err(error) => {
                tracing::warn!("no disk space can be reserved beside the store: {error}");
                Ok(())
            }
        }
    }
}

fn is_full(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded)
}

fn open(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(false);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(0o600);
    }
    options.open(path)
}

/// Gives a file real blocks up to a length.
#[cfg(target_os = "linux")]
fn fill(file: &File, from: u64, to: u64) -> io::Result<()> {
    use rustix::fs::{FallocateFlags, fallocate};
    match fallocate(file, FallocateFlags::empty(), from, to.saturating_sub(from)) {
        Ok(()) => Ok(()),
        Err(rustix::io::Errno::OPNOTSUPP) => write_out(file, from, to),
        Err(error) => Err(error.into()),
    }
}

#[cfg(not(target_os = "linux"))]
fn fill(file: &File, from: u64, to: u64) -> io::Result<()> {
    write_out(file, from, to)
}

/// The same by writing; not zeros, which some file systems do not keep.
fn write_out(mut file: &File, from: u64, to: u64) -> io::Result<()> {
    use std::io::{Seek, SeekFrom, Write};
    file.seek(SeekFrom::Start(from))?;
    let (mut state, mut at) = (0x9e37_79b9_7f4a_7c15_u64, from);
    let mut block = Vec::with_capacity(64 * 1024);
    while at < to {
        block.clear();
        while block.len() < 64 * 1024 {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            block.extend(state.to_le_bytes());
        }
        let left = usize::try_from(to - at).unwrap_or(usize::MAX).min(block.len());
        file.write_all(block.get(..left).unwrap_or_default())?;
        at += u64::try_from(left).unwrap_or(u64::MAX);
    }
    file.sync_data()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_audit_log_uses_half_of_it_and_ending_access_all() {
        let directory = tempfile::tempdir().unwrap();
        let reserve = ReserveFile::beside(&directory.path().join("store"), 1 << 20);
        assert!(!reserve.release(Reserve::Ending).unwrap(), "there is none yet");
        reserve.ensure().unwrap();
        assert_eq!(reserve.length(), 1 << 20);
        assert!(reserve.release(Reserve::Audit).unwrap());
        assert!(!reserve.release(Reserve::Audit).unwrap());
        assert_eq!(reserve.length(), 1 << 19);
        assert!(reserve.release(Reserve::Ending).unwrap());
        assert_eq!(reserve.length(), 0);
        reserve.probe().unwrap();
        assert_eq!(reserve.length(), 1 << 20);
    }

    #[test]
    fn written_blocks_are_as_long_as_asked() {
        let file = tempfile::tempfile().unwrap();
        write_out(&file, 0, 200_001).unwrap();
        assert_eq!(file.metadata().unwrap().len(), 200_001);
    }

    #[cfg(unix)]
    #[test]
    fn the_reserve_has_real_blocks() {
        use std::os::unix::fs::MetadataExt;
        let directory = tempfile::tempdir().unwrap();
        let reserve = ReserveFile::beside(&directory.path().join("store"), 1 << 20);
        reserve.ensure().unwrap();
        let about = std::fs::metadata(&reserve.path).unwrap();
        assert!(about.blocks() * 512 >= 1 << 20, "{} blocks", about.blocks());
    }
}
