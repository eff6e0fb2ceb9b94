//! Who works on a store. Every process holds a lock on a file beside it together with all others, as long
//! as it lives; whoever fills the store holds it alone, so that nobody goes on with the keys of what was
//! there before.

use std::fs::{File, OpenOptions, TryLockError};
use std::path::Path;
use std::sync::Arc;

use rusqlite::Connection;

use super::Backend;
use crate::error::{StoreError, StoreResult};

/// The lock of one process.
#[derive(Clone)]
pub(super) struct Presence(Arc<File>);

impl Presence {
    /// Joins those who work on the store of this path.
    pub(super) fn join(store: &Path) -> StoreResult<Self> {
        let mut path = store.as_os_str().to_owned();
        path.push("-use");
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        #[cfg(unix)]
        {
            use std::os::unix::fs::OpenOptionsExt;
            options.mode(0o600);
        }
        let file = options.open(path).map_err(StoreError::unavailable)?;
        locked(file.try_lock_shared(), StoreError::BeingFilled)?;
        Ok(Self(Arc::new(file)))
    }

    /// Has the store alone from now on; `InUse` when others work on it.
    pub(super) fn begin_alone(&self, _: &Connection) -> StoreResult<()> {
        // One lock does not become the other: what then happens differs from system to system.
        self.0.unlock().map_err(StoreError::unavailable)?;
        let alone = locked(self.0.try_lock(), StoreError::InUse);
        if alone.is_err() {
            locked(self.0.try_lock_shared(), StoreError::InUse)?;
        }
        alone
    }

    /// Lets others in again.
    pub(super) fn end_alone(&self, _: &Connection) -> StoreResult<()> {
        self.0.unlock().map_err(StoreError::unavailable)?;
        locked(self.0.try_lock_shared(), StoreError::BeingFilled)
    }
}

impl Backend {
    pub(super) fn presence(&self) -> Presence {
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
