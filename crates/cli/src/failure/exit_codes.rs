//! The one table of exit codes: what each refusal of the rooms below answers a command's caller with.

use pdpp_auth::{AuthError, InternalFault};
use pdpp_contract::{ApiError, ErrorCode, InvalidName};
use pdpp_mcp::remote::InvalidProviderUrl;
use pdpp_store::StoreError;
use pdpp_store::backup::BackupError;

use crate::failure::{Exit, Failure, NO_STORE, NOT_A_STORE, STORE_DAMAGED, STORE_IN_USE};

/// The one place where a refusal becomes an exit code.
fn exit_of(code: ErrorCode) -> Exit {
    use ErrorCode as E;
    match code {
        E::InvalidRequest
        | E::InvalidArgument
        | E::InvalidCursor
        | E::InvalidFilter
        | E::InvalidSort
        | E::InvalidExpand
        | E::InvalidWindow
        | E::InvalidFieldPath
        | E::UnknownField
        | E::UnsupportedVersion => Exit::Usage,
        E::InvalidDeclaration
        | E::MalformedRecord
        | E::InvalidRecord
        | E::InvalidRecordIdentity
        | E::InvalidText
        | E::KeyTooLong
        | E::AppendOnlyConflict
        | E::PayloadTooLarge
        | E::FieldTooLarge
        | E::UnsupportedMediaType => Exit::Data,
        E::Unavailable | E::DeadlineExceeded | E::RateLimitExceeded => Exit::Unreachable,
        E::AuthenticationError
        | E::PermissionError
        | E::OwnerCredentialRefused
        | E::GrantRevoked
        | E::GrantExpired
        | E::GrantInvalid => Exit::Refused,
        E::GrantStreamNotAllowed
        | E::FieldNotGranted
        | E::OriginNotAllowed
        | E::NotFound
        | E::ConnectionNotFound
        | E::FieldNotFound
        | E::QueryNotFound
        | E::BlobNotFound
        | E::MethodNotAllowed
        | E::AmbiguousConnection
        | E::AmbiguousSchemaDetail
        | E::StaleCursor
        | E::Conflict
        | E::CursorExpired
        | E::MisdirectedRequest
        | E::FieldNotText
        | E::ApiFault
        | E::Unsupported
        | E::FieldWindowUnsupported
        | E::StorageFull => Exit::Other,
    }
}

impl From<ApiError> for Failure {
    fn from(error: ApiError) -> Self {
        let message = match error.param {
            Some(param) => format!("{} ({param})", error.message),
            None => error.message,
        };
        Self::new(exit_of(error.code), error.code.as_str(), message)
    }
}

impl From<AuthError> for Failure {
    fn from(error: AuthError) -> Self {
        let (code, next) = (error.code(), error.next());
        let message = match &error {
            AuthError::UnknownConnection { name } => format!("no account named '{name}'"),
            other => other.to_string(),
        };
        let exit = match error {
            // A name that fits nothing ends alike in every command.
            AuthError::UnknownConnection { .. }
            | AuthError::UnknownStream { .. }
            | AuthError::UnknownField { .. }
            | AuthError::NothingMatches { .. } => Exit::Other,
            AuthError::Internal(InternalFault::Store(error)) => return Self::from(error),
            AuthError::NoSuchToken
            | AuthError::TokenExpired
            | AuthError::TokenRevoked
            | AuthError::GrantRevoked
            | AuthError::GrantExpired
            | AuthError::GrantInvalid
            | AuthError::WrongKind { .. }
            | AuthError::WrongResource
            | AuthError::NotTimeBound { .. }
            | AuthError::BadSpec(_)
            | AuthError::NoSuchEnd
            | AuthError::Internal(_) => exit_of(code),
        };
        Self::new(exit, code.as_str(), message).with_next(next)
    }
}

impl From<InvalidName> for Failure {
    fn from(fault: InvalidName) -> Self {
        Self::usage(fault.to_string())
    }
}

impl From<InvalidProviderUrl> for Failure {
    fn from(fault: InvalidProviderUrl) -> Self {
        Self::usage(fault.to_string())
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        let (exit, code) = match &error {
            StoreError::Unavailable(_) => (Exit::Unreachable, "store_unavailable"),
            StoreError::DeadlineExceeded => (Exit::Unreachable, "deadline_exceeded"),
            StoreError::Full => (Exit::Other, "storage_full"),
            StoreError::Damaged(_) | StoreError::Corrupt { .. } => (Exit::Other, STORE_DAMAGED),
            StoreError::NotLetIn(_) => (Exit::Refused, "store_refused"),
            StoreError::Unfit { .. } => (Exit::Other, "store_unfit"),
            StoreError::NotAllowed(_) => (Exit::Other, "store_not_allowed"),
            StoreError::BadUrl(_) => (Exit::Usage, "usage"),
            StoreError::NotAStore => (Exit::Other, NOT_A_STORE),
            StoreError::NoStore => (Exit::Other, NO_STORE),
            StoreError::Unfinished => (Exit::Other, "store_unfinished"),
            StoreError::BeingFilled => (Exit::Unreachable, "store_being_filled"),
            StoreError::Moved => (Exit::Unreachable, "store_moved"),
            StoreError::ForeignLog => (Exit::Other, "foreign_log"),
            StoreError::ReadOnly => (Exit::Other, "store_read_only"),
            StoreError::InUse => (Exit::Unreachable, STORE_IN_USE),
            StoreError::TooNew { .. } => (Exit::Other, "store_too_new"),
            StoreError::TooWide { .. } => (Exit::Data, "stream_too_wide"),
            StoreError::TooLarge(_) => (Exit::Data, "store_too_large"),
            StoreError::BrokenOff(_) => (Exit::Other, "broken_off"),
            StoreError::LostFile | StoreError::Conflict(_) => (Exit::Other, "conflict"),
        };
        let message = match &error {
            StoreError::Unavailable(cause) => format!("{error}: {cause}"),
            _ => error.to_string(),
        };
        Self::new(exit, code, message).with_next(error.next())
    }
}

impl From<BackupError> for Failure {
    fn from(error: BackupError) -> Self {
        let message = error.to_string();
        let (exit, code) = match error {
            BackupError::Store(error) => return Self::from(error),
            BackupError::NotABackup(_) => (Exit::Data, "not_a_backup"),
            BackupError::OtherStore => (Exit::Data, "other_store"),
            BackupError::OtherVersion(_) => (Exit::Data, "other_version"),
            BackupError::Damaged(_) => (Exit::Data, "backup_damaged"),
            BackupError::NoPassphrase => (Exit::NoCredential, "passphrase"),
            BackupError::WrongPassphrase => (Exit::Refused, "passphrase"),
            BackupError::NotEncrypted => (Exit::Usage, "not_encrypted"),
            BackupError::InUse => (Exit::Unreachable, "backup_in_use"),
            BackupError::BrokenOff => (Exit::Other, "broken_off"),
            BackupError::File { .. } => (Exit::Other, "file"),
        };
        Self::new(exit, code, message)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_too_wide_or_too_large_is_wrong_data_and_not_tried_again() {
        let wide = StoreError::TooWide { stream: "orders".to_owned(), typed: 460, limit: 300 };
        for (error, code) in [
            (wide, "stream_too_wide"),
            (StoreError::TooLarge("row is too big".into()), "store_too_large"),
        ] {
            let failure = Failure::from(error);
            assert_eq!((failure.exit, failure.code), (Exit::Data, code));
            let said = failure.sentence();
            assert!(said.contains("fewer"), "{said}");
        }
    }

    #[test]
    fn a_refusal_keeps_its_code_and_names_the_parameter() {
        let refusal = ApiError::new(ErrorCode::InvalidArgument, "not a time").param("since");
        let failure = Failure::from(refusal);
        assert_eq!(failure.exit, Exit::Usage);
        assert_eq!(failure.message, "not a time (since)");
        let json = failure.to_json();
        assert_eq!(json["error"]["code"], "invalid_argument");
        assert_eq!(json["error"]["exit_code"], 64);
    }
}
