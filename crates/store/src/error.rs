//! What can go wrong in a store. Absence is `Option`, never an error; driver types never escape.

/// A store's answer.
pub type StoreResult<T> = Result<T, StoreError>;

/// Why a store could not do what was asked. Nothing was changed.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The database cannot be reached or used now.
    #[error("the store cannot be used now")]
    Unavailable(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// The disk is full.
    #[error("the disk is full")]
    Full,
    /// The read took longer than its deadline.
    #[error("the read took longer than its deadline")]
    DeadlineExceeded,
    /// A stored value breaks the store's own rules.
    #[error("the store holds a damaged value in {table}.{column}, row {row}")]
    Corrupt {
        /// The table.
        table: &'static str,
        /// The column.
        column: &'static str,
        /// The row's number.
        row: i64,
    },
    /// The file exists and is something else.
    #[error("the file is not a pdpp store")]
    NotAStore,
    /// The store was written by a newer version.
    #[error("the store was written by a newer version (schema {found}, this one reads {known})")]
    TooNew {
        /// The schema number in the file.
        found: i64,
        /// The newest number this version knows.
        known: i64,
    },
    /// Two writers wanted the same name, key or number.
    #[error("{0}")]
    Conflict(&'static str),
}

impl StoreError {
    /// Wraps a driver's error.
    pub(crate) fn unavailable(error: impl std::error::Error + Send + Sync + 'static) -> Self {
        Self::Unavailable(Box::new(error))
    }
}
