//! What can go wrong in a store. Absence is `Option`, never an error; driver types never escape.

use pdpp_contract::NextStep;

use crate::postgres::NoConnection;

/// A store's answer.
pub type StoreResult<T> = Result<T, StoreError>;

/// Why a store could not do what was asked. Nothing was changed, with two exceptions: when a connection
/// ends during a commit (`Unavailable`) the change may have been kept, as a whole; and an erasure that
/// fails afterwards, while the old pages, rows or files are cleared, has been kept and is to be asked
/// for again.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The database cannot be reached or used now.
    #[error("the store cannot be used now")]
    Unavailable(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// The database's server takes no session under this name, or with this password.
    #[error("Postgres refuses the session: {0}")]
    NotLetIn(String),
    /// The database cannot hold a store as it is; trying again does not help.
    #[error("the database cannot hold a store: {what}")]
    Unfit {
        /// What it lacks.
        what: &'static str,
        /// What to change about it.
        advice: &'static str,
    },
    /// The database does not let its user do this; trying again does not help.
    #[error("the database refuses: {0}")]
    NotAllowed(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// What was given is no URL of a database.
    #[error("the database URL cannot be read: {0}")]
    BadUrl(String),
    /// The disk is full.
    #[error("the disk is full")]
    Full,
    /// The read took longer than its deadline.
    #[error("the read took longer than its deadline")]
    DeadlineExceeded,
    /// The database itself is broken: its pages, a row that must be there, a value of another type.
    #[error("the store is damaged: {0}")]
    Damaged(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// A stored value breaks the store's own rules.
    #[error("the store is damaged: {table}.{column}, row {row}")]
    Corrupt {
        /// The table.
        table: &'static str,
        /// The column.
        column: &'static str,
        /// The row's number.
        row: i64,
    },
    /// The file or the database exists and is something else.
    #[error("this is not a pdpp store")]
    NotAStore,
    /// There is no store, and none was to be made.
    #[error("there is no pdpp store yet")]
    NoStore,
    /// A move or a restore into the store is under way, or broke off.
    #[error("a move or restore into this store is not finished")]
    Unfinished,
    /// The database file is not the one that was opened. Nothing is read or written any more.
    #[error(
        "the database file was deleted, moved or replaced while it was in use, so nothing is read or \
         written any more"
    )]
    Moved,
    /// The log beside the database file was written for another one.
    #[error(
        "the database file was replaced, and the write-ahead log next to it (-wal) belongs to the \
         previous file"
    )]
    ForeignLog,
    /// The store can be read here and not written.
    #[error("the data directory is not writable, so the store is read-only")]
    ReadOnly,
    /// Somebody fills the store just now, and has it alone.
    #[error("a move or restore into this store is in progress")]
    BeingFilled,
    /// Others have the store open, and whoever fills it must have it alone.
    #[error("a server or another command is using this store")]
    InUse,
    /// The store was written by a newer version.
    #[error("the store was written by a newer version (schema {found}, this one reads {known})")]
    TooNew {
        /// The schema number in the file.
        found: i64,
        /// The newest number this version knows.
        known: i64,
    },
    /// A stream declares more typed fields than a row of typed copies surely holds.
    #[error(
        "{stream} has {typed} fields that can be compared, sorted, grouped or measured, and the limit is \
         {limit}"
    )]
    TooWide {
        /// The stream.
        stream: String,
        /// Its typed fields.
        typed: usize,
        /// How many there may be.
        limit: usize,
    },
    /// More than the database takes into one row, table or statement; trying again does not help.
    #[error("the database cannot take this: {0}")]
    TooLarge(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// A move came to its end because the store at its other end did; that one knows why.
    #[error("{0}")]
    BrokenOff(&'static str),
    /// A file that records refer to went away while they were read, or is lost.
    #[error("a file that records refer to was erased meanwhile, or is lost; try again")]
    LostFile,
    /// Two writers wanted the same name, key or number.
    #[error("{0}")]
    Conflict(&'static str),
}

/// Nobody who reads was done in time; nothing was read.
#[derive(Debug, thiserror::Error)]
#[error("all sessions for reading are busy")]
pub(crate) struct AllBusy;

impl StoreError {
    /// Wraps a driver's error.
    pub(crate) fn unavailable(error: impl std::error::Error + Send + Sync + 'static) -> Self {
        Self::Unavailable(Box::new(error))
    }

    /// What to do about it, where something can be done.
    pub fn next(&self) -> Option<NextStep> {
        Some(match self {
            Self::Damaged(_) | Self::Corrupt { .. } => {
                NextStep::run_then(["verify"], "restore a backup")
            }
            Self::LostFile => NextStep::run(["verify"]),
            Self::Unavailable(cause) => cause.downcast_ref::<NoConnection>()?.next(),
            Self::Unfit { advice, .. } => NextStep::advice(*advice),
            Self::NotLetIn(_) => {
                NextStep::advice("check user, password and sslmode in the database URL")
            }
            Self::NotAllowed(_) => NextStep::advice("make its user the owner of the tables"),
            Self::BadUrl(_) => NextStep::advice(
                "write it like postgres://user:password@host/database, with %40 for an @ in the \
                 password and %2F for a /",
            ),
            Self::Unfinished => NextStep::advice(
                "wait until it is done, or run the same command again if it was interrupted",
            ),
            Self::Moved => NextStep::advice("put the file back and start again"),
            Self::ForeignLog => NextStep::advice(
                "put that file back, or move the -wal and -shm files away to use this one",
            ),
            Self::BeingFilled => NextStep::advice("wait until it is done"),
            Self::InUse => NextStep::advice("stop it first"),
            Self::TooWide { .. } => NextStep::advice(
                "import with a declaration that names fewer of them in its query, then try again",
            ),
            Self::TooLarge(_) => NextStep::advice(
                "declare fewer fields in the stream's query, or make the record or the request smaller",
            ),
            Self::Full
            | Self::DeadlineExceeded
            | Self::NotAStore
            | Self::NoStore
            | Self::ReadOnly
            | Self::TooNew { .. }
            | Self::BrokenOff(_)
            | Self::Conflict(_) => return None,
        })
    }

    /// What is broken, when the store is damaged.
    pub fn damage(&self) -> Option<String> {
        match self {
            Self::Damaged(cause) => Some(cause.to_string()),
            Self::Corrupt { table, column, row } => Some(format!("{table}.{column}, row {row}")),
            Self::Unavailable(_)
            | Self::NotLetIn(_)
            | Self::Unfit { .. }
            | Self::NotAllowed(_)
            | Self::BadUrl(_)
            | Self::Full
            | Self::DeadlineExceeded
            | Self::NotAStore
            | Self::NoStore
            | Self::Unfinished
            | Self::Moved
            | Self::ForeignLog
            | Self::ReadOnly
            | Self::BeingFilled
            | Self::BrokenOff(_)
            | Self::InUse
            | Self::TooNew { .. }
            | Self::TooWide { .. }
            | Self::TooLarge(_)
            | Self::LostFile
            | Self::Conflict(_) => None,
        }
    }
}
