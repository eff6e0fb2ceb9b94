//! A store in a directory that cannot be written: reading it needs no lock, no log and no copy.

use std::ffi::OsString;
use std::fs::{File, OpenOptions};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use rusqlite::{Connection, OpenFlags};

use crate::error::StoreResult;
use crate::sqlite::errors::from_driver;

/// How a file is opened for reading.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Access {
    /// Beside writers.
    Shared,
    /// Nobody can write it, and no log stands beside it: SQLite needs no file to tell readers apart.
    Immutable,
}

/// How a store has to be opened that can be read here and not written; `None` when it can be written.
pub(crate) fn access(store: &Path) -> Option<Access> {
    // A pipe would keep us waiting.
    let is_file = std::fs::metadata(store).is_ok_and(|about| about.is_file());
    if !is_file || File::open(store).is_err() || can_write(store) {
        return None;
    }
    let stands = |ending: &str| beside(store, ending).exists();
    Some(if stands("-wal") || stands("-shm") { Access::Shared } else { Access::Immutable })
}

/// Opens a file for reading.
pub(crate) fn open(path: &Path, access: Access) -> StoreResult<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let opened = match access {
        Access::Shared => Connection::open_with_flags(path, flags),
        Access::Immutable => {
            Connection::open_with_flags(address(path), flags | OpenFlags::SQLITE_OPEN_URI)
        }
    };
    opened.map_err(from_driver)
}

/// A file beside a store.
pub(crate) fn beside(store: &Path, ending: &str) -> PathBuf {
    let mut path: OsString = store.as_os_str().to_owned();
    path.push(ending);
    path.into()
}

fn can_write(store: &Path) -> bool {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(0o600);
    }
    match options.open(beside(store, "-use")) {
        Ok(_) => true,
        Err(error) => {
            !matches!(error.kind(), ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem)
        }
    }
}

/// The path as an address that says that nothing changes it.
fn address(path: &Path) -> String {
    use std::fmt::Write;
    let mut address = String::from("file:");
    for byte in path.as_os_str().as_encoded_bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' | b'~' => {
                address.push(char::from(*byte));
            }
            // Writing to a text cannot fail.
            other => drop(write!(address, "%{other:02X}")),
        }
    }
    address.push_str("?immutable=1");
    address
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_of_any_letters_is_an_address() {
        assert_eq!(address(Path::new("/a b?c#d%/é")), "file:/a%20b%3Fc%23d%25/%C3%A9?immutable=1");
    }
}
