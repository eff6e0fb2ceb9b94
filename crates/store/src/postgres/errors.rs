//! Postgres' errors in the store's words.

use std::io;
use std::time::Duration;

use pdpp_contract::NextStep;
use tokio_postgres::error::SqlState;

use crate::error::StoreError;
use crate::postgres::driver::Error;

/// What the server said, without the details in which it quotes rows.
#[derive(Debug, thiserror::Error)]
#[error("{message} ({code})")]
struct ServerFault {
    code: String,
    message: String,
}

/// Why no connection came about.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NoConnection {
    #[error("no connection to Postgres: {0}")]
    Unheard(String),
    #[error("Postgres: {0}")]
    NoDatabase(String),
    #[error(
        "this Postgres is read-only: it is a replica, or its user may not write \
         (default_transaction_read_only)"
    )]
    NoWrites,
    #[error("Postgres accepts no connection now: {0}")]
    NotNow(String),
}

impl NoConnection {
    /// What to do about it.
    pub(crate) fn next(&self) -> NextStep {
        NextStep::advice(match self {
            Self::Unheard(_) => "check the database URL and that the server is running",
            Self::NoDatabase(_) => "create it, or name another one in the database URL",
            Self::NoWrites => "name the primary in the database URL",
            Self::NotNow(_) => "try again in a moment",
        })
    }
}

/// The server's one table of locks is full: a transaction over thousands of tables and indexes needs as many.
const FEW_LOCKS: StoreError = StoreError::Unfit {
    what: "its server has room for too few locks",
    advice: "raise max_locks_per_transaction there, and restart it",
};
const NO_SCHEMA: StoreError = StoreError::Unfit {
    what: "its user's search_path names no schema to create tables in",
    advice: "set one for that user",
};

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
        SqlState::INVALID_SCHEMA_NAME => NO_SCHEMA,
        SqlState::OUT_OF_MEMORY if fault.message().contains("shared memory") => FEW_LOCKS,
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
    let Some(fault) = error.as_db_error() else {
        return unheard(error);
    };
    let message = fault.message().to_owned();
    StoreError::unavailable(match fault.code() {
        code if is_about_us(code) => return StoreError::NotLetIn(message),
        code if *code == SqlState::INVALID_CATALOG_NAME => NoConnection::NoDatabase(message),
        _ => NoConnection::NotNow(message),
    })
}

/// The same where the server itself has said nothing.
fn unheard(error: &tokio_postgres::Error) -> StoreError {
    let cause = std::error::Error::source(error);
    let words = cause.map_or_else(|| error.to_string(), ToString::to_string);
    // The driver's own words; a test has it say them.
    if words == "password missing" {
        return StoreError::NotLetIn("it wants a password, and there is none".to_owned());
    }
    // What the system says about a socket has a number, what the driver says about a server has none.
    let is_of_the_driver = |error: &&io::Error| error.raw_os_error().is_none();
    let fault = cause.and_then(|cause| cause.downcast_ref::<io::Error>()).filter(is_of_the_driver);
    StoreError::unavailable(match fault.map(io::Error::kind) {
        Some(io::ErrorKind::PermissionDenied) => NoConnection::NoWrites,
        _ => NoConnection::Unheard(words),
    })
}

/// Whether it is the user or the password that is wrong.
fn is_about_us(code: &SqlState) -> bool {
    code.code().starts_with("28")
}

/// The server took the connection, or nobody did, and did not say anything in time.
pub(super) fn unanswered(limit: Duration) -> StoreError {
    let seconds = limit.as_secs_f64().ceil();
    StoreError::unavailable(NoConnection::Unheard(format!("no answer within {seconds} s")))
}

/// Whether nothing was heard of the server; a refusal is an answer.
pub(super) fn is_unheard(error: &StoreError) -> bool {
    match error {
        StoreError::DeadlineExceeded => true,
        StoreError::Unavailable(cause) => {
            let way = cause.downcast_ref::<NoConnection>();
            way.is_some_and(|way| matches!(way, NoConnection::Unheard(_)))
                || cause.is::<tokio_postgres::Error>()
                || cause.is::<Error>()
        }
        StoreError::NotLetIn(_)
        | StoreError::Unfit { .. }
        | StoreError::NotAllowed(_)
        | StoreError::BadUrl(_)
        | StoreError::Full
        | StoreError::Damaged(_)
        | StoreError::Corrupt { .. }
        | StoreError::NotAStore
        | StoreError::NoStore
        | StoreError::Unfinished
        | StoreError::Moved
        | StoreError::ForeignLog
        | StoreError::ReadOnly
        | StoreError::BeingFilled
        | StoreError::BrokenOff(_)
        | StoreError::InUse
        | StoreError::TooNew { .. }
        | StoreError::TooWide { .. }
        | StoreError::TooLarge(_)
        | StoreError::LostFile
        | StoreError::Conflict(_) => false,
    }
}

/// Whether a rule of uniqueness was broken.
pub(crate) fn is_taken(error: &Error) -> bool {
    matches!(error, Error::Server(error) if error.code() == Some(&SqlState::UNIQUE_VIOLATION))
}

/// A stored value that breaks our own rules.
pub(crate) fn corrupt(
    table: &'static str,
    column: &'static str,
    row: impl Into<i64>,
) -> StoreError {
    StoreError::Corrupt { table, column, row: row.into() }
}
