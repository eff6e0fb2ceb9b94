//! The store's failures in the words of the contract.

use pdpp_contract::{ApiError, ErrorCode, NextStep};
use pdpp_store::StoreError;

/// Translates a store failure. The cause is logged here, once; the caller learns what to do.
#[expect(clippy::needless_pass_by_value, reason = "the shape that map_err wants")]
pub(crate) fn from_store(error: StoreError) -> ApiError {
    let (code, message) = match &error {
        StoreError::DeadlineExceeded => (
            ErrorCode::DeadlineExceeded,
            "the read took too long; ask for fewer records or add a filter",
        ),
        StoreError::Full => (ErrorCode::StorageFull, "the disk is full; make room and try again"),
        StoreError::Conflict(what) => (ErrorCode::Conflict, *what),
        StoreError::LostFile => return told(ErrorCode::Conflict, &error),
        StoreError::InUse => (ErrorCode::Conflict, "others work on this store; stop them first"),
        StoreError::TooWide { .. } => return told(ErrorCode::InvalidDeclaration, &error),
        StoreError::TooLarge(_) => (
            ErrorCode::PayloadTooLarge,
            "the database cannot take a row or a question this large; declare fewer fields in the stream's query, or make it smaller",
        ),
        // Whoever keeps the server may be about to change its password.
        StoreError::Unavailable(_) | StoreError::NotLetIn(_) | StoreError::BeingFilled => {
            (ErrorCode::Unavailable, "the store cannot be used now; try again")
        }
        StoreError::Moved | StoreError::ForeignLog => (
            ErrorCode::Unavailable,
            "the database file was deleted, moved or replaced under the server; its owner should put it \
             back and start the server again",
        ),
        StoreError::TooNew { .. } => (
            ErrorCode::Unavailable,
            "a newer version of pdpp has changed the store; its owner should start the server again with \
             that version",
        ),
        StoreError::ReadOnly => {
            (ErrorCode::Unavailable, "the store cannot be written where it is; nothing was changed")
        }
        StoreError::Damaged(_) | StoreError::Corrupt { .. } => (
            ErrorCode::ApiFault,
            "the store is damaged; its owner should run pdpp verify, then restore a backup",
        ),
        // Static words, about the database and not about what is in it.
        StoreError::Unfit { .. } => return told(ErrorCode::ApiFault, &error),
        StoreError::NotAllowed(_) => (
            ErrorCode::ApiFault,
            "the database does not let its user do this; that user must own the store's tables",
        ),
        StoreError::NotAStore
        | StoreError::BadUrl(_)
        | StoreError::NoStore
        | StoreError::Unfinished
        | StoreError::BrokenOff(_) => {
            (ErrorCode::ApiFault, "the store could not be read; run pdpp verify")
        }
    };
    if matches!(code, ErrorCode::ApiFault | ErrorCode::Unavailable | ErrorCode::PayloadTooLarge) {
        tracing::error!(error = &error as &dyn std::error::Error, "store failure");
    }
    ApiError::new(code, message)
}

/// A refusal in the store's own words.
fn told(code: ErrorCode, error: &StoreError) -> ApiError {
    match error.next() {
        Some(NextStep::Advice(advice)) => ApiError::new(code, format!("{error}; {advice}")),
        _ => ApiError::new(code, error.to_string()),
    }
}
