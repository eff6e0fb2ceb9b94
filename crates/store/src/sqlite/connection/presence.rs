//! Who works on a store. Every process holds a lock on a file beside it together with all others, as long
//! as it lives; whoever fills the store holds it alone, so that nobody goes on with the keys of what was
//! there before.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::Arc;

use rusqlite::Connection;

use super::read_only::beside;
use super::store_file::{has_foreign_log, pair};
use crate::error::{StoreError, StoreResult};
use crate::sqlite::Backend;

/// The lock of one process.
#[derive(Clone)]
pub(crate) struct Presence(Option<Arc<File>>);

/// The length of what the file says: it is written over in place, which a full disk does not stop.
const NOTE_BYTES: usize = 128;

impl Presence {
    /// Joins those who work on the store of this path.
    pub(crate) fn join(store: &Path) -> StoreResult<Self> {
        let path = beside(store, "-use");
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        #[cfg(unix)]
        {
            use std::os::unix::fs::OpenOptionsExt;
            options.mode(0o600);
        }
        let file = options.open(path).map_err(StoreError::unavailable)?;
        locked(file.try_lock_shared(), StoreError::BeingFilled)?;
        Ok(Self(Some(Arc::new(file))))
    }

    /// Somebody who only reads where nobody can write.
    pub(crate) fn none() -> Self {
        Self(None)
    }

    /// Refuses a log that was written for another database file than the one that is there now.
    pub(crate) fn refuse_foreign_log(store: &Path) -> StoreResult<()> {
        let seen = std::fs::read_to_string(beside(store, "-use")).unwrap_or_default();
        if has_foreign_log(store, &seen) { Err(StoreError::ForeignLog) } else { Ok(()) }
    }

    /// Writes down which database and which log belong together. Where that cannot be kept, nobody is
    /// warned later.
    pub(crate) fn note_files(&self, store: &Path) {
        let Some(mut file) = self.0.as_deref() else { return };
        let note = format!("{:<width$}", pair(store).trim_end(), width = NOTE_BYTES);
        let _ = file.seek(SeekFrom::Start(0)).and_then(|_| file.write_all(note.as_bytes()));
    }

    fn file(&self) -> StoreResult<&File> {
        self.0.as_deref().ok_or(StoreError::ReadOnly)
    }

    /// Has the store alone from now on; `InUse` when others work on it.
    pub(crate) fn begin_alone(&self, _: &Connection) -> StoreResult<()> {
        // One lock does not become the other: what then happens differs from system to system.
        let file = self.file()?;
        file.unlock().map_err(StoreError::unavailable)?;
        let alone = locked(file.try_lock(), StoreError::InUse);
        if alone.is_err() {
            locked(file.try_lock_shared(), StoreError::InUse)?;
        }
        alone
    }

    /// Lets others in again.
    pub(crate) fn end_alone(&self, _: &Connection) -> StoreResult<()> {
        let file = self.file()?;
        file.unlock().map_err(StoreError::unavailable)?;
        locked(file.try_lock_shared(), StoreError::BeingFilled)
    }
}

impl Backend {
    pub(crate) fn presence(&self) -> Presence {
        self.presence.clone()
    }
}

fn locked(answer: Result<(), TryLockError>, refusal: StoreError) -> StoreResult<()> {
    match answer {
        Ok(()) => Ok(()),
        Err(TryLockError::WouldBlock) => Err(refusal),
        Err(TryLockError::Error(error)) => Err(StoreError::unavailable(error)),
    }
}
