//! Postgres' errors in the store's words.

use tokio_postgres::Error;
use tokio_postgres::error::SqlState;

use crate::error::StoreError;

/// What the server said, without the details in which it quotes rows.
#[derive(Debug, thiserror::Error)]
#[error("{message} ({code})")]
struct ServerFault {
    code: String,
    message: String,
}

/// Translates a driver error; the driver's type stays inside as a source.
pub(super) fn from_postgres(error: Error) -> StoreError {
    let Some(fault) = error.as_db_error() else {
        return StoreError::unavailable(error);
    };
    match *fault.code() {
        SqlState::QUERY_CANCELED => StoreError::DeadlineExceeded,
        SqlState::DISK_FULL => StoreError::Full,
        SqlState::UNIQUE_VIOLATION | SqlState::T_R_SERIALIZATION_FAILURE => {
            StoreError::Conflict("another writer was faster; try again")
        }
        ref code => StoreError::unavailable(ServerFault {
            code: code.code().to_owned(),
            message: fault.message().to_owned(),
        }),
    }
}

/// A stored value that breaks our own rules.
pub(super) fn corrupt(table: &'static str, column: &'static str, row: i64) -> StoreError {
    StoreError::Corrupt { table, column, row }
}
