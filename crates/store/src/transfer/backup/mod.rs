//! A store in a directory: every row and every file in pieces that are named by what they hold.
//!
//! A piece that is there already is not written again, so a later backup into the same directory writes
//! what has changed. The manifest lists the pieces in order; it is replaced as the last step, and what no
//! manifest names any more is removed after that. Decision 0043 says why it looks like this.

mod cutting;
mod folder;
mod manifest;
pub(crate) mod piece;
mod pieces;
mod seal;

pub use folder::{BackupFolder, Contents, Written};

use std::path::{Path, PathBuf};

use crate::error::StoreError;

/// What a backup answers.
pub type BackupResult<T> = Result<T, BackupError>;

/// Why a backup could not be written or read. What was there before is still there.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    /// The directory is something else.
    #[error("{0} is not a backup; use another directory")]
    NotABackup(PathBuf),
    /// The directory keeps another store.
    #[error("the directory holds a backup of another store; use another directory")]
    OtherStore,
    /// A version that this one does not know wrote it, with other tables.
    #[error("the backup was written by pdpp {0}; restore it with that version, then upgrade")]
    OtherVersion(String),
    /// Something in it is not what was written.
    #[error("the backup is damaged: {0}; use another copy")]
    Damaged(String),
    /// It is encrypted, and no passphrase was given.
    #[error("the backup is encrypted; enter its passphrase")]
    NoPassphrase,
    /// The passphrase does not open it.
    #[error("wrong passphrase for this backup; try again")]
    WrongPassphrase,
    /// It is not encrypted, and a passphrase was given.
    #[error("the backup in this directory is not encrypted; use another directory")]
    NotEncrypted,
    /// Another process works on it.
    #[error("another process is using this backup; try again when it is done")]
    InUse,
    /// The store ended before everything had come.
    #[error("the store was interrupted; the previous backup is unchanged")]
    BrokenOff,
    /// A file of it cannot be read or written.
    #[error("cannot use {path}: {cause}")]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        cause: std::io::Error,
    },
    /// The store that it goes into.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl BackupError {
    /// For `map_err`: a file that cannot be used.
    fn file(path: &Path) -> impl FnOnce(std::io::Error) -> Self + '_ {
        move |cause| Self::File { path: path.to_path_buf(), cause }
    }

    /// A piece that is not what was written.
    fn piece(name: &str) -> Self {
        Self::Damaged(format!("piece {name}"))
    }
}

/// What a person knows and a thief of the directory does not.
pub struct Passphrase(age::secrecy::SecretString);

impl Passphrase {
    /// Takes a text; none when it is empty.
    pub fn new(text: String) -> Option<Self> {
        (!text.is_empty()).then(|| Self(text.into()))
    }
}
