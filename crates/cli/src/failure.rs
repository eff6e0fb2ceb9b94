//! Why a command failed: words for a person, a code for a script, a number for its caller.

use pdpp_contract::{DeclarationFault, ErrorCode};
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
}
