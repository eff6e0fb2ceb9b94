//! SQLite's errors in the store's words.

use rusqlite::ErrorCode;

use crate::error::StoreError;

/// Translates a driver error; the driver's type stays inside as a source.
pub(crate) fn from_sqlite(error: rusqlite::Error) -> StoreError {
    match error.sqlite_error_code() {
        Some(ErrorCode::DiskFull) => StoreError::Full,
        Some(ErrorCode::OperationInterrupted) => StoreError::DeadlineExceeded,
        Some(ErrorCode::NotADatabase) => StoreError::NotAStore,
        _ => StoreError::unavailable(error),
    }
}

/// A stored value that breaks our own rules.
pub(crate) fn corrupt(table: &'static str, column: &'static str, row: i64) -> StoreError {
    StoreError::Corrupt { table, column, row }
}
