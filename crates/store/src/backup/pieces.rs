//! The files of the pieces: `pieces/ab/cdef…`, whole or not there at all.

use std::collections::HashSet;
use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use super::manifest::is_name;
use super::seal::Seal;
use super::{BackupError, BackupResult};

/// The directory of the pieces.
pub(super) struct Pieces {
    directory: PathBuf,
}

impl Pieces {
    pub(super) fn new(directory: PathBuf) -> Self {
        Self { directory }
    }

    fn path(&self, name: &str) -> PathBuf {
        let (folder, rest) = name.split_at_checked(2).unwrap_or((name, ""));
        self.directory.join(folder).join(rest)
    }

    /// Keeps a piece unless it is there already; how many bytes were written. One that is there and
    /// damaged is written again.
    pub(super) fn keep(&self, name: &str, bytes: &[u8], seal: &Seal) -> BackupResult<u64> {
        if self.read(name, seal).is_ok() {
            return Ok(0);
        }
        let path = self.path(name);
        make_directory(path.parent().unwrap_or(&self.directory))?;
        let sealed = seal.seal(bytes)?;
        replace(&path, &sealed)?;
        Ok(u64::try_from(sealed.len()).unwrap_or(u64::MAX))
    }

    /// A piece, if it is what its name says.
    pub(super) fn read(&self, name: &str, seal: &Seal) -> BackupResult<Vec<u8>> {
        let path = self.path(name);
        let sealed = match fs::read(&path) {
            Ok(sealed) => sealed,
            Err(error) if error.kind() == ErrorKind::NotFound => {
                return Err(BackupError::piece(name));
            }
            Err(error) => return Err(BackupError::file(&path)(error)),
        };
        let bytes = seal.unseal(sealed).filter(|bytes| seal.name(bytes) == name);
        bytes.ok_or_else(|| BackupError::piece(name))
    }

    /// Removes what is not wanted; how many files.
    pub(super) fn retain(&self, wanted: &HashSet<&str>) -> BackupResult<u64> {
        let mut removed = 0;
        for folder in entries(&self.directory)? {
            let start = file_name(&folder);
            for file in entries(&folder)? {
                let name = format!("{start}{}", file_name(&file));
                if !is_name(&name) || !wanted.contains(name.as_str()) {
                    fs::remove_file(&file).map_err(BackupError::file(&file))?;
                    removed += 1;
                }
            }
        }
        Ok(removed)
    }
}

fn file_name(path: &Path) -> String {
    path.file_name().and_then(|name| name.to_str()).unwrap_or_default().to_owned()
}

/// What lies in a directory; nothing when it is not there.
pub(super) fn entries(directory: &Path) -> BackupResult<Vec<PathBuf>> {
    let list = match fs::read_dir(directory) {
        Ok(list) => list,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(BackupError::file(directory)(error)),
    };
    let entries: std::io::Result<Vec<PathBuf>> =
        list.map(|entry| entry.map(|entry| entry.path())).collect();
    entries.map_err(BackupError::file(directory))
}

/// Puts a file in its place in one step, and makes sure that it stays there.
pub(super) fn replace(path: &Path, bytes: &[u8]) -> BackupResult<()> {
    let growing = path.with_extension("new");
    let written = private().open(&growing).and_then(|mut file| {
        file.write_all(bytes)?;
        file.sync_all()
    });
    written.map_err(BackupError::file(&growing))?;
    fs::rename(&growing, path).map_err(BackupError::file(path))?;
    match path.parent() {
        // A rename survives a crash once its directory is on the disk. Windows has no such call.
        Some(parent) if cfg!(unix) => {
            let synced = File::open(parent).and_then(|directory| directory.sync_all());
            synced.map_err(BackupError::file(parent))
        }
        _ => Ok(()),
    }
}

fn private() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(0o600);
    }
    options
}

/// A directory that only its owner reads.
pub(super) fn make_directory(path: &Path) -> BackupResult<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::DirBuilderExt;
        builder.mode(0o700);
    }
    builder.create(path).map_err(BackupError::file(path))
}
