//! Why a command failed: words for a person, a code for a script, a number for its caller.

mod exit_codes;
mod next_step;
pub mod panics;

use std::borrow::Cow;

use pdpp_contract::{DeclarationFault, ErrorCode, NextStep};
use serde_json::{Value, json};

use crate::data_dir::DataDir;

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
    /// The cause for people. One line.
    pub message: String,
    /// What to do about it; people read it behind the message.
    pub next: Option<NextStep>,
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
        Self { exit, code, message: message.into(), next: None, faults: Vec::new() }
    }

    /// The same with what to do about it.
    #[must_use]
    pub fn with_next(self, next: Option<NextStep>) -> Self {
        Self { next, ..self }
    }

    /// The same with what to do about it in words.
    #[must_use]
    pub fn with_advice(self, advice: impl Into<Cow<'static, str>>) -> Self {
        self.with_next(Some(NextStep::advice(advice)))
    }

    /// The same with commands that find this store.
    #[must_use]
    pub fn located(self, store: &DataDir) -> Self {
        let next = self.remedy(store).map(NextStep::advice);
        self.with_next(next)
    }

    /// What to do about it, with commands that find this store.
    pub fn remedy(&self, store: &DataDir) -> Option<String> {
        self.next.as_ref().map(|step| next_step::words(step, |command| store.advice(command)))
    }

    /// The cause and what to do about it, on one line.
    pub fn sentence(&self) -> String {
        match &self.next {
            None => self.message.clone(),
            Some(step) => {
                let next = next_step::words(step, |command| format!("pdpp {command}"));
                format!("{}; {next}", self.message)
            }
        }
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
            message: "the declaration is invalid; nothing was imported".to_owned(),
            next: None,
            faults: faults.into_iter().map(fault).collect(),
        }
    }

    /// The failure as one JSON object.
    pub fn to_json(&self) -> Value {
        let mut error = json!({
            "code": self.code,
            "message": self.sentence(),
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

#[cfg(test)]
pub mod tests {
    use pdpp_auth::{AuthError, InternalFault, NamedKind, SpecFault};
    use pdpp_contract::{ApiError, ConnectionId};
    use pdpp_store::StoreError;
    use pdpp_store::backup::BackupError;

    use super::*;

    /// One failure for every cause that the rooms below know.
    pub fn every_failure() -> Vec<Failure> {
        let api = ErrorCode::ALL.iter().map(|code| ApiError::new(*code, code.as_str()).into());
        let store = store_errors().map(Failure::from);
        let through_auth = store_errors().map(|error| Failure::from(AuthError::from(error)));
        let through_backup = store_errors().map(|error| Failure::from(BackupError::from(error)));
        let auth = auth_errors().map(Failure::from);
        let backup = backup_errors().map(Failure::from);
        api.chain(store)
            .chain(through_auth)
            .chain(through_backup)
            .chain(auth)
            .chain(backup)
            .collect()
    }

    fn store_errors() -> impl Iterator<Item = StoreError> {
        let cause = || "a cause".into();
        [
            StoreError::Unavailable(cause()),
            StoreError::NotLetIn("words".to_owned()),
            StoreError::Unfit { what: "it is old", advice: "use a newer one" },
            StoreError::NotAllowed(cause()),
            StoreError::BadUrl("words".to_owned()),
            StoreError::Full,
            StoreError::DeadlineExceeded,
            StoreError::Damaged(cause()),
            StoreError::Corrupt { table: "records", column: "data", row: 1 },
            StoreError::NotAStore,
            StoreError::NoStore,
            StoreError::Unfinished,
            StoreError::Moved,
            StoreError::ForeignLog,
            StoreError::ReadOnly,
            StoreError::BeingFilled,
            StoreError::InUse,
            StoreError::TooNew { found: 2, known: 1 },
            StoreError::TooWide { stream: "orders".to_owned(), typed: 460, limit: 300 },
            StoreError::TooLarge(cause()),
            StoreError::BrokenOff("words"),
            StoreError::LostFile,
            StoreError::Conflict("words"),
        ]
        .into_iter()
    }

    fn auth_errors() -> impl Iterator<Item = AuthError> {
        let (stream, field) = ("messages".parse().unwrap(), "subject".parse().unwrap());
        let connection = || "work-mail".to_owned();
        let spec = SpecFault { spec: String::new(), position: None, reason: String::new() };
        let id = ConnectionId::new("cin_1").unwrap();
        [
            AuthError::NoSuchToken,
            AuthError::TokenExpired,
            AuthError::TokenRevoked,
            AuthError::WrongResource,
            AuthError::GrantRevoked,
            AuthError::GrantExpired,
            AuthError::GrantInvalid,
            AuthError::WrongKind { presented: pdpp_contract::access::TokenKind::Owner },
            AuthError::UnknownConnection { name: connection() },
            AuthError::UnknownStream { connection: connection(), stream },
            AuthError::UnknownField {
                connection: connection(),
                stream: "messages".parse().unwrap(),
                field,
            },
            AuthError::NotTimeBound { connection: connection(), streams: Vec::new() },
            AuthError::BadSpec(spec),
            AuthError::NothingMatches { what: "x".to_owned(), kind: NamedKind::Grant },
            AuthError::NothingMatches { what: "x".to_owned(), kind: NamedKind::OwnerToken },
            AuthError::NoSuchEnd,
            AuthError::Internal(InternalFault::Declaration(id)),
            AuthError::Internal(InternalFault::Rule("words")),
        ]
        .into_iter()
    }

    fn backup_errors() -> impl Iterator<Item = BackupError> {
        [
            BackupError::NotABackup("d".into()),
            BackupError::OtherStore,
            BackupError::OtherVersion("9".to_owned()),
            BackupError::Damaged("piece".to_owned()),
            BackupError::NoPassphrase,
            BackupError::WrongPassphrase,
            BackupError::NotEncrypted,
            BackupError::InUse,
            BackupError::BrokenOff,
            BackupError::File { path: "d".into(), cause: std::io::Error::other("words") },
        ]
        .into_iter()
    }

    #[test]
    fn a_command_is_shown_with_the_options_that_find_the_store() {
        let store = DataDir::new("my data".into()).named();
        let unknown = AuthError::UnknownConnection { name: "mail".to_owned() };
        let failure = Failure::from(unknown).located(&store);
        assert!(
            failure.sentence().ends_with("; see: pdpp connection list --data-dir 'my data'"),
            "{}",
            failure.sentence()
        );
        assert_eq!(
            failure.clone().located(&store).sentence(),
            failure.sentence(),
            "once is enough"
        );
        let damaged = Failure::from(StoreError::Damaged("page 4".into())).located(&store);
        let run = "; run: pdpp verify --data-dir 'my data', then restore a backup";
        assert!(damaged.sentence().ends_with(run), "{}", damaged.sentence());
        assert_eq!(damaged.to_json()["error"]["message"], damaged.sentence());
    }

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
}
