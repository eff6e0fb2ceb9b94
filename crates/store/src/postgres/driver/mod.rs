//! Postgres under the names that the shared bodies use: a session that waits for its answers.
//!
//! The bodies are written for a driver that is called and returns, as SQLite's is. A session owns its
//! connection and a small runtime and drives both while somebody waits; between calls nothing runs.
//! Statements whose outcome nobody waits for are sent ahead and looked at with the next answer; rows that
//! are only added are collected and copied.

mod bulk;
mod ending;
mod params;
mod rows;
mod session;
mod statement;
mod transaction;
mod translate;
mod values;
mod waiting;

pub(super) use bulk::{add_numbered, add_row};
pub(super) use params::{Params, params, params_from_iter};
pub(super) use rows::Row;
pub(super) use session::Connection;
pub(super) use statement::{insert, run, walk};
pub(super) use transaction::{Transaction, TransactionBehavior};
pub(super) use values::ToSql;
pub(super) use waiting::{Caller, Watch};

/// Values of any type.
pub(super) mod types {
    pub(in super::super) use super::values::{Value, ValueRef};
}

/// How many rows are worth reading with one question: each question is a round trip.
pub(super) const READ_AHEAD: usize = 256;

/// A condition that a number is among those of [`among`].
pub(super) const AMONG: &str = "= ANY (CAST(string_to_array(?1, ',') AS bigint[]))";

/// The same, where values are bound in the order in which they stand.
pub(super) const AMONG_NEXT: &str = "= ANY (CAST(string_to_array(?, ',') AS bigint[]))";

/// Numbers as the one value of a condition.
pub(super) fn among<N: ToString>(numbers: &[N]) -> types::Value {
    let each: Vec<String> = numbers.iter().map(N::to_string).collect();
    types::Value::Text(each.join(","))
}

/// What a call returns.
pub(crate) type Result<T> = std::result::Result<T, Error>;

/// Why a call failed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    /// The server or the way to it.
    #[error(transparent)]
    Server(#[from] tokio_postgres::Error),
    /// A row that must be there is not.
    #[error("a row is missing")]
    NoRow,
    /// A column holds something else than we wrote.
    #[error("column {0} is of another type")]
    WrongType(usize),
    /// The answer did not come in time.
    #[error("the deadline has passed")]
    Late,
    /// Whoever asked went away.
    #[error("nobody waits for the answer")]
    Unwanted,
    /// The server waits for us while we wait for the server, or cannot be reached anew.
    #[error("the server does not answer any more")]
    Silent,
    /// The answer to a commit got lost.
    #[error("the connection ended during the commit; whether the change was kept is not known")]
    Unknown,
    /// A statement failed earlier in the transaction.
    #[error("the transaction was undone by an earlier failure")]
    Undone,
    /// The session cannot be used any more.
    #[error("the connection to Postgres is closed")]
    Closed,
}

/// Turns a missing row into `None`.
pub(crate) trait OptionalExtension<T> {
    fn optional(self) -> Result<Option<T>>;
}

impl<T> OptionalExtension<T> for Result<T> {
    fn optional(self) -> Result<Option<T>> {
        match self {
            Ok(value) => Ok(Some(value)),
            Err(Error::NoRow) => Ok(None),
            Err(error) => Err(error),
        }
    }
}
