//! The files of the pieces: `pieces/ab/cdef…`, whole or not there at all.

use std::collections::HashSet;
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use super::BackupError;
use super::BackupResult;
use super::manifest::{is_hex, is_name};
use super::seal::Seal;

/// No file of a backup is longer: a piece holds whole rows, and the largest row is a record.
const MOST_BYTES: u64 = 256 * 1024 * 1024;

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
        let sealed = read_plain(&self.path(name))?.ok_or_else(|| BackupError::piece(name))?;
        let bytes = seal.unseal(sealed).filter(|bytes| seal.name(bytes) == name);
        bytes.ok_or_else(|| BackupError::piece(name))
    }

    /// Every file, with the name of its piece. `None` when something lies there that is not ours:
    /// links, other names, folders that a person made.
    fn files(&self) -> BackupResult<Option<Vec<(String, PathBuf)>>> {
        let mut files = Vec::new();
        if !is_plain(&self.directory, Metadata::is_dir)? {
            return Ok(None);
        }
        for folder in entries(&self.directory)? {
            let start = file_name(&folder);
            if start.len() != 2 || !is_hex(&start) || !is_plain(&folder, Metadata::is_dir)? {
                return Ok(None);
            }
            for file in entries(&folder)? {
                // What is growing was left by a process that ended in the middle.
                let rest = file_name(&file);
                let name = format!("{start}{}", rest.strip_suffix(".new").unwrap_or(&rest));
                if !is_name(&name) || !is_plain(&file, Metadata::is_file)? {
                    return Ok(None);
                }
                files.push((format!("{start}{rest}"), file));
            }
        }
        Ok(Some(files))
    }

    /// Whether nothing but pieces lies there.
    pub(super) fn are_ours(&self) -> BackupResult<bool> {
        Ok(self.files()?.is_some())
    }

    /// Removes pieces that are not wanted; how many. Where anything else lies, nothing is removed.
    pub(super) fn retain(&self, wanted: &HashSet<&str>) -> BackupResult<u64> {
        let mut removed = 0;
        for (name, file) in self.files()?.unwrap_or_default() {
            if !wanted.contains(name.as_str()) {
                fs::remove_file(&file).map_err(BackupError::file(&file))?;
                removed += 1;
            }
        }
        Ok(removed)
    }
}

/// Whether a path is such a thing itself and no link to one. What is not there is not foreign.
pub(super) fn is_plain(path: &Path, is_such: fn(&Metadata) -> bool) -> BackupResult<bool> {
    match fs::symlink_metadata(path) {
        Ok(found) => Ok(is_such(&found)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(true),
        Err(error) => Err(BackupError::file(path)(error)),
    }
}

/// The bytes of a file; none when it is not there, is no plain file, or is larger than any of ours.
pub(super) fn read_plain(path: &Path) -> BackupResult<Option<Vec<u8>>> {
    let found = match fs::symlink_metadata(path) {
        Ok(found) => found,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(BackupError::file(path)(error)),
    };
    if !found.is_file() || found.len() > MOST_BYTES {
        return Ok(None);
    }
    fs::read(path).map(Some).map_err(BackupError::file(path))
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
    let written = private().truncate(true).open(&growing).and_then(|mut file| {
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

/// How a file is opened that only its owner reads.
pub(super) fn private() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true).create(true);
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
