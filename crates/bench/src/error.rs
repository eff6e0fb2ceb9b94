//! Why a run of the benchmark stopped.

use std::path::Path;

use pdpp_auth::AuthError;
use pdpp_contract::{ApiError, DeclarationFault, InvalidName};
use pdpp_store::StoreError;

/// A run that cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum BenchError {
    /// The arguments do not fit together.
    #[error("{0}")]
    Usage(String),
    /// A file that the caller named cannot be read or does not hold what it should.
    #[error("{0}")]
    Input(String),
    /// A file or directory of the benchmark's own cannot be used.
    #[error("{0}")]
    File(String),
    /// The operating system does not report what is measured.
    #[error("{0}")]
    Unsupported(String),
    /// Something that cannot happen with sample data did.
    #[error("the benchmark cannot go on: {0}")]
    Unexpected(String),
    /// A name is not valid.
    #[error(transparent)]
    Name(#[from] InvalidName),
    /// The store refused.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Issuing or checking access failed.
    #[error(transparent)]
    Auth(#[from] AuthError),
    /// A read or an import was refused.
    #[error("{}", .0.message)]
    Api(#[from] ApiError),
    /// The program that is measured failed; the error is its own.
    #[error(transparent)]
    Host(Box<dyn std::error::Error + Send + Sync>),
}

impl BenchError {
    /// A file or directory of the benchmark's own cannot be used.
    pub fn file(doing: &str, path: &Path, error: &std::io::Error) -> Self {
        Self::File(format!("cannot {doing} {}: {error}", path.display()))
    }

    /// A file that the caller named cannot be read.
    pub fn input(path: &Path, error: &std::io::Error) -> Self {
        Self::Input(format!("cannot read {}: {error}", path.display()))
    }

    /// A declaration of the benchmark's own breaks the rules.
    #[expect(clippy::needless_pass_by_value, reason = "fits map_err")]
    pub fn declaration(faults: Vec<DeclarationFault>) -> Self {
        let codes: Vec<&str> = faults.iter().map(|fault| fault.code.as_str()).collect();
        Self::Unexpected(format!("a declaration breaks its rules: {}", codes.join(", ")))
    }
}
