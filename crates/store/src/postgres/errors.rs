//! Postgres' errors in the store's words.

use std::time::Duration;

use tokio_postgres::error::SqlState;

use super::driver::Error;
use crate::error::StoreError;

/// What the server said, without the details in which it quotes rows.
#[derive(Debug, thiserror::Error)]
#[error("{message} ({code})")]
struct ServerFault {
    code: String,
    message: String,
}

/// The server cannot be reached.
#[derive(Debug, thiserror::Error)]
#[error("no connection to Postgres: {0}; check the database URL and that the server runs")]
struct Unreachable(String);

/// The server answers, and lets us in no further.
#[derive(Debug, thiserror::Error)]
#[error(
    "Postgres refuses the connection: {0}; check user, password and database in the database URL"
)]
struct NotLetIn(String);

/// Translates a driver's error; its type stays inside as a source.
pub(crate) fn from_driver(error: Error) -> StoreError {
    match error {
        Error::Server(error) => from_postgres(error),
        Error::Late => StoreError::DeadlineExceeded,
        Error::NoRow | Error::WrongType(_) => StoreError::Damaged(error.to_string().into()),
        Error::Closed | Error::Undone | Error::Unwanted | Error::Silent | Error::Unknown => {
            StoreError::unavailable(error)
        }
    }
}

/// Translates what the server said.
fn from_postgres(error: tokio_postgres::Error) -> StoreError {
    let Some(fault) = error.as_db_error() else {
        return StoreError::unavailable(error);
    };
    let said = || ServerFault {
        code: fault.code().code().to_owned(),
        message: fault.message().to_owned(),
    };
    match *fault.code() {
        SqlState::QUERY_CANCELED => StoreError::DeadlineExceeded,
        SqlState::DISK_FULL => StoreError::Full,
        SqlState::LOCK_NOT_AVAILABLE => {
            StoreError::Conflict("another writer holds the store; try again")
        }
        SqlState::UNIQUE_VIOLATION
        | SqlState::T_R_SERIALIZATION_FAILURE
        | SqlState::T_R_DEADLOCK_DETECTED => {
            StoreError::Conflict("another writer was faster; try again")
        }
        SqlState::PROGRAM_LIMIT_EXCEEDED
        | SqlState::STATEMENT_TOO_COMPLEX
        | SqlState::TOO_MANY_COLUMNS
        | SqlState::TOO_MANY_ARGUMENTS => StoreError::TooLarge(said().to_string().into()),
        SqlState::INSUFFICIENT_PRIVILEGE => StoreError::NotAllowed(said().to_string().into()),
        SqlState::UNDEFINED_TABLE
        | SqlState::UNDEFINED_COLUMN
        | SqlState::DATA_CORRUPTED
        | SqlState::INDEX_CORRUPTED => StoreError::Damaged(said().to_string().into()),
        _ => StoreError::unavailable(said()),
    }
}

/// Why no connection came about. A password is never part of it.
pub(super) fn unreachable(error: &tokio_postgres::Error) -> StoreError {
    if let Some(fault) = error.as_db_error() {
        return StoreError::unavailable(NotLetIn(fault.message().to_owned()));
    }
    let cause = std::error::Error::source(error).map(ToString::to_string);
    StoreError::unavailable(Unreachable(cause.unwrap_or_else(|| error.to_string())))
}

/// The server took the connection, or nobody did, and did not say anything in time.
pub(super) fn unanswered(limit: Duration) -> StoreError {
    let seconds = limit.as_secs_f64().ceil();
    StoreError::unavailable(Unreachable(format!("no answer within {seconds} s")))
}

/// Whether nothing was heard of the server; a refusal is an answer.
pub(super) fn is_unheard(error: &StoreError) -> bool {
    match error {
        StoreError::DeadlineExceeded => true,
        StoreError::Unavailable(cause) => {
            cause.is::<Unreachable>() || cause.is::<tokio_postgres::Error>() || cause.is::<Error>()
        }
        StoreError::NotAllowed(_)
        | StoreError::BadUrl(_)
        | StoreError::Full
        | StoreError::Damaged(_)
        | StoreError::Corrupt { .. }
        | StoreError::NotAStore
        | StoreError::NoStore
        | StoreError::Unfinished
        | StoreError::InUse
        | StoreError::TooNew { .. }
        | StoreError::TooWide { .. }
        | StoreError::TooLarge(_)
        | StoreError::Conflict(_) => false,
    }
}

/// Whether a rule of uniqueness was broken.
pub(crate) fn is_taken(error: &Error) -> bool {
    matches!(error, Error::Server(error) if error.code() == Some(&SqlState::UNIQUE_VIOLATION))
}

/// A stored value that breaks our own rules.
pub(crate) fn corrupt(table: &'static str, column: &'static str, row: i64) -> StoreError {
    StoreError::Corrupt { table, column, row }
}
