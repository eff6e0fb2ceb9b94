//! SQLite's errors in the store's words.

use rusqlite::{Error, ErrorCode, ffi};

use crate::error::StoreError;

/// How SQLite begins to say that a table or index of ours is not what it should be.
const BROKEN_SCHEMA: [&str; 4] =
    ["no such table", "no such column", "vtable constructor failed", "malformed"];

/// Translates a driver error; the driver's type stays inside as a source.
pub(crate) fn from_driver(error: Error) -> StoreError {
    match error.sqlite_error_code() {
        Some(ErrorCode::DiskFull) => StoreError::Full,
        _ if has_no_room_to_share(&error) => StoreError::Full,
        Some(ErrorCode::OperationInterrupted) => StoreError::DeadlineExceeded,
        Some(ErrorCode::TooBig) => StoreError::TooLarge(first_line(&error).into()),
        Some(ErrorCode::NotADatabase) => StoreError::NotAStore,
        _ if is_damage(&error) => StoreError::Damaged(first_line(&error).into()),
        _ => StoreError::unavailable(error),
    }
}

/// Whether a file that readers and writers share could not grow.
fn has_no_room_to_share(error: &Error) -> bool {
    error.sqlite_error().is_some_and(|error| error.extended_code == ffi::SQLITE_IOERR_SHMSIZE)
}

/// What the driver says, without the statement it says it about.
fn first_line(error: &Error) -> String {
    let words = error.to_string();
    let line = words.lines().next().unwrap_or_default().trim_end();
    line.strip_suffix(" in").unwrap_or(line).to_owned()
}

/// Whether an error means that the file holds something else than we wrote. A row that may be
/// absent is asked for as an option, so one that is missing here must have been there.
fn is_damage(error: &Error) -> bool {
    if error.sqlite_error_code() == Some(ErrorCode::DatabaseCorrupt) {
        return true;
    }
    match error {
        Error::QueryReturnedNoRows
        | Error::FromSqlConversionFailure(..)
        | Error::IntegralValueOutOfRange(..)
        | Error::InvalidColumnType(..)
        | Error::Utf8Error(..) => true,
        other => {
            let words = other.to_string();
            BROKEN_SCHEMA.iter().any(|known| words.starts_with(known))
        }
    }
}

/// Whether a rule of uniqueness was broken.
pub(crate) fn is_taken(error: &Error) -> bool {
    error.sqlite_error_code() == Some(ErrorCode::ConstraintViolation)
}

/// A stored value that breaks our own rules.
pub(crate) fn corrupt(
    table: &'static str,
    column: &'static str,
    row: impl Into<i64>,
) -> StoreError {
    StoreError::Corrupt { table, column, row: row.into() }
}

#[cfg(test)]
mod tests {
    use pdpp_contract::NextStep;

    use super::*;

    #[test]
    fn a_missing_row_another_type_and_a_missing_table_are_damage() {
        let db = rusqlite::Connection::open_in_memory().unwrap();
        db.execute_batch("CREATE TABLE t (a); INSERT INTO t VALUES ('x')").unwrap();
        let ask =
            |sql: &str| from_driver(db.query_row(sql, [], |row| row.get::<_, i64>(0)).unwrap_err());
        for sql in ["SELECT 1 WHERE 0", "SELECT a FROM t", "SELECT a FROM gone", "SELECT b FROM t"]
        {
            let error = ask(sql);
            assert!(error.damage().is_some(), "{sql}: {error:?}");
            let next = NextStep::run_then(["verify"], "restore a backup");
            assert_eq!(error.next(), Some(next), "{error}");
        }
        assert!(matches!(ask("SELECT nonsense("), StoreError::Unavailable(_)));
    }

    #[test]
    fn what_is_too_large_is_not_tried_again() {
        let db = rusqlite::Connection::open_in_memory().unwrap();
        let ask = |sql| db.query_row(sql, [], |row| row.get::<_, Vec<u8>>(0)).unwrap_err();
        let error = from_driver(ask("SELECT zeroblob(2000000000)"));
        assert!(matches!(error, StoreError::TooLarge(_)), "{error:?}");
    }
}
