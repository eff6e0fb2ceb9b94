//! Why a command failed: words for a person, a code for a script, and the one table of exit codes.

use pdpp_auth::{AuthError, InternalFault};
use pdpp_contract::{ApiError, DeclarationFault, ErrorCode, InvalidName};
use pdpp_store::StoreError;
use pdpp_store::backup::BackupError;
use serde_json::{Value, json};

/// What the process answers its caller with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// Everything was done.
    Done = 0,
    /// Anything that has no number of its own.
    Other = 1,
    /// The command line makes no sense.
    Usage = 64,
    /// Input data is wrong, or part of it was refused.
    Data = 65,
    /// A server, a store or a port cannot be had now.
    Unreachable = 69,
    /// A credential was refused.
    Refused = 77,
    /// There is no credential to use.
    NoCredential = 78,
}

impl From<Exit> for std::process::ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

/// The code of a store that is broken.
pub const STORE_DAMAGED: &str = "store_damaged";
/// The code of something else in a store's place.
pub const NOT_A_STORE: &str = "not_a_store";
/// The code of a store that is not there.
pub const NO_STORE: &str = "no_store";
/// The code of a store that others have open.
pub const STORE_IN_USE: &str = "store_in_use";

/// A command that could not do what it was asked.
#[derive(Debug, Clone)]
pub struct Failure {
    /// What the process answers.
    pub exit: Exit,
    /// The cause for scripts; a word of the product's error list where there is one.
    pub code: &'static str,
    /// The cause for people, ending with what to do next. One line.
    pub message: String,
    /// The places at fault, when there are several.
    pub faults: Vec<Fault>,
}

/// One place at fault.
#[derive(Debug, Clone)]
pub struct Fault {
    /// The rule that is broken.
    pub code: &'static str,
    /// Where, as a JSON pointer.
    pub path: String,
    /// What is wrong, in words.
    pub message: String,
}

impl Failure {
    /// A failure with nothing but its cause.
    pub fn new(exit: Exit, code: &'static str, message: impl Into<String>) -> Self {
        Self { exit, code, message: message.into(), faults: Vec::new() }
    }

    /// The command line makes no sense.
    pub fn usage(message: impl Into<String>) -> Self {
        Self::new(Exit::Usage, "usage", message)
    }

    /// A file or directory of ours cannot be used.
    pub fn file(doing: &str, path: &std::path::Path, error: &std::io::Error) -> Self {
        Self::new(Exit::Other, "file", format!("cannot {doing} {}: {error}", path.display()))
    }

    /// A file that the person named cannot be read.
    pub fn input(path: &std::path::Path, error: &std::io::Error) -> Self {
        Self::new(Exit::Data, "input", format!("cannot read {}: {error}", path.display()))
    }

    /// A declaration breaks its rules.
    pub fn declaration(faults: Vec<DeclarationFault>) -> Self {
        let fault = |fault: DeclarationFault| Fault {
            code: fault.code.as_str(),
            path: fault.path,
            message: format!("{}: {}", fault.code.meaning(), fault.reference),
        };
        Self {
            exit: Exit::Data,
            code: ErrorCode::InvalidDeclaration.as_str(),
            message: "the declaration breaks its rules; nothing was imported".to_owned(),
            faults: faults.into_iter().map(fault).collect(),
        }
    }

    /// The failure as one JSON object.
    pub fn to_json(&self) -> Value {
        let mut error = json!({
            "code": self.code,
            "message": self.message,
            "exit_code": self.exit as u8,
        });
        if let (Some(error), false) = (error.as_object_mut(), self.faults.is_empty()) {
            let fault = |fault: &Fault| json!({"code": fault.code, "path": fault.path, "message": fault.message});
            let faults = self.faults.iter().map(fault).collect();
            error.insert("faults".to_owned(), Value::Array(faults));
        }
        json!({ "error": error })
    }
}

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
        let (code, message) = (error.code(), error.to_string());
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
        Self::new(exit, code.as_str(), message)
    }
}

impl From<InvalidName> for Failure {
    fn from(fault: InvalidName) -> Self {
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
            StoreError::NotAllowed(_) => (Exit::Other, "store_not_allowed"),
            StoreError::BadUrl(_) => (Exit::Usage, "usage"),
            StoreError::NotAStore => (Exit::Other, NOT_A_STORE),
            StoreError::NoStore => (Exit::Other, NO_STORE),
            StoreError::Unfinished => (Exit::Other, "store_unfinished"),
            StoreError::InUse => (Exit::Unreachable, STORE_IN_USE),
            StoreError::TooNew { .. } => (Exit::Other, "store_too_new"),
            StoreError::TooWide { .. } => (Exit::Data, "stream_too_wide"),
            StoreError::TooLarge(_) => (Exit::Data, "store_too_large"),
            StoreError::Conflict(_) => (Exit::Other, "conflict"),
        };
        let message = match &error {
            StoreError::Unavailable(cause) => format!("{error}: {cause}"),
            _ => error.to_string(),
        };
        Self::new(exit, code, message)
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
    fn the_numbers_are_the_ones_scripts_know() {
        let numbers = [
            (Exit::Done, 0),
            (Exit::Other, 1),
            (Exit::Usage, 64),
            (Exit::Data, 65),
            (Exit::Unreachable, 69),
            (Exit::Refused, 77),
            (Exit::NoCredential, 78),
        ];
        for (exit, number) in numbers {
            assert_eq!(exit as u8, number);
        }
    }

    #[test]
    fn what_is_too_wide_or_too_large_is_wrong_data_and_not_tried_again() {
        let wide = StoreError::TooWide { stream: "orders".to_owned(), typed: 460, limit: 300 };
        for (error, code) in [
            (wide, "stream_too_wide"),
            (StoreError::TooLarge("row is too big".into()), "store_too_large"),
        ] {
            let failure = Failure::from(error);
            assert_eq!((failure.exit, failure.code), (Exit::Data, code));
            assert!(!failure.message.contains("try again"), "{}", failure.message);
            assert!(failure.message.contains("fewer"), "{}", failure.message);
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
