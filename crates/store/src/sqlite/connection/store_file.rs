//! The file of an open store: it must stay the one that was opened.
//!
//! A file that is deleted or replaced under a running program would still take writes that nobody finds
//! again, and whoever opens the new file would meet the old one's log.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use crate::error::{StoreError, StoreResult};
use crate::opening::file_id::FileId;

/// A file that was opened.
#[derive(Debug)]
pub(crate) struct StoreFile {
    path: PathBuf,
    opened: FileId,
    /// Once it was another one, nothing is believed any more until the store is opened anew.
    moved: AtomicBool,
}

impl StoreFile {
    /// The file at a path, which has just been opened.
    pub(crate) fn opened(path: &Path) -> StoreResult<Self> {
        let opened = FileId::of(path).map_err(StoreError::unavailable)?;
        Ok(Self { path: path.to_owned(), opened, moved: AtomicBool::new(false) })
    }

    /// Fails once the path leads to another file than the one that is open.
    pub(crate) fn check(&self) -> StoreResult<()> {
        if self.moved.load(Ordering::Relaxed) {
            return Err(StoreError::Moved);
        }
        match FileId::of(&self.path) {
            Ok(found) if found == self.opened => Ok(()),
            Err(error) if error.kind() != ErrorKind::NotFound => {
                Err(StoreError::unavailable(error))
            }
            Ok(_) | Err(_) => {
                if !self.moved.swap(true, Ordering::Relaxed) {
                    tracing::error!("{}: {}", self.path.display(), StoreError::Moved);
                }
                Err(StoreError::Moved)
            }
        }
    }
}

/// Both files of a store as they were last seen together: the database and its log.
pub(super) fn pair(store: &Path) -> String {
    let text = |id: io::Result<FileId>| id.map_or_else(|_| "-".to_owned(), FileId::to_text);
    format!("{} {}\n", text(FileId::of(store)), text(FileId::of(&log(store))))
}

/// Whether the log beside a store belongs to another database file: the log is the one that was last
/// seen here, the database is not. Opening it would mix the two.
pub(super) fn has_foreign_log(store: &Path, last_seen: &str) -> bool {
    let has_pages = std::fs::metadata(log(store)).is_ok_and(|about| about.len() > 0);
    let now = pair(store);
    let both = |pair: &str| {
        let (database, log) = pair.trim_end().split_once(' ')?;
        Some((database.to_owned(), log.to_owned()))
    };
    match (both(last_seen), both(&now)) {
        (Some(before), Some(now)) => {
            has_pages && before.1 == now.1 && before.0 != now.0 && now.1 != "-" && before.0 != "-"
        }
        _ => false,
    }
}

fn log(store: &Path) -> PathBuf {
    let mut log = store.as_os_str().to_owned();
    log.push("-wal");
    log.into()
}
