//! Why an account could not be synced: one sentence for people, one code for programs.

use pdpp_contract::ApiError;
use pdpp_store::StoreError;

use crate::credential::KeyFault;

/// Why a run, or a test of a connection, failed.
#[derive(Debug, thiserror::Error)]
pub enum SyncFault {
    /// The server cannot be found or reached.
    #[error("cannot reach {host}:{port}: {why}")]
    Unreachable {
        /// The server.
        host: String,
        /// Its port.
        port: u16,
        /// What the system says.
        why: String,
    },
    /// The server's certificate is not believed, or it does not speak TLS.
    #[error("no secure connection to {host}:{port}: {why}")]
    Insecure {
        /// The server.
        host: String,
        /// Its port.
        port: u16,
        /// What is wrong with it.
        why: String,
    },
    /// The server does not accept this user with this secret.
    #[error("{host} does not accept the password of {user}")]
    Password {
        /// The server.
        host: String,
        /// The user.
        user: String,
    },
    /// The server does not let anybody in now.
    #[error("{host} is not available: {why}")]
    Unavailable {
        /// The server.
        host: String,
        /// What it says, cut.
        why: String,
    },
    /// A folder that was chosen is not there.
    #[error("the server has no folder {folder:?}")]
    NoFolder {
        /// The folder.
        folder: String,
    },
    /// The connection ended while it was needed.
    #[error("the connection to {host} was lost: {why}")]
    Lost {
        /// The server.
        host: String,
        /// What the system says.
        why: String,
    },
    /// The server said something that cannot be used.
    #[error("{host} answered something unexpected: {what}")]
    Protocol {
        /// The server.
        host: String,
        /// What was being done.
        what: String,
    },
    /// The credential cannot be opened.
    #[error("the stored credential cannot be opened: {0}")]
    Key(#[from] KeyFault),
    /// The stored settings cannot be read.
    #[error("the settings of the account cannot be read")]
    Settings,
    /// Another run has the account.
    #[error("another run of this account is in progress")]
    Busy,
    /// The account was removed, or another run took it over.
    #[error("the account was removed or taken over by another run")]
    TakenOver,
    /// There is no such account.
    #[error("no live account named '{0}'")]
    NoAccount(String),
    /// Records could not be written.
    #[error("{}", .0.message)]
    Write(ApiError),
    /// The store cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<ApiError> for SyncFault {
    fn from(error: ApiError) -> Self {
        Self::Write(error)
    }
}

/// What a fault asks its owner to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FaultAction {
    /// Nothing: the next run tries again.
    Wait,
    /// Check the address of the server.
    CheckServer,
    /// Give the right password.
    GivePassword,
    /// Choose other folders.
    ChooseFolders,
    /// Give the right key file.
    GiveKey,
}

impl SyncFault {
    /// The cause for programs.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Unreachable { .. } => "source_unreachable",
            Self::Insecure { .. } => "source_insecure",
            Self::Password { .. } => "credential_refused",
            Self::Unavailable { .. } => "source_unavailable",
            Self::NoFolder { .. } => "no_such_folder",
            Self::Lost { .. } => "connection_lost",
            Self::Protocol { .. } => "source_unexpected",
            Self::Key(_) => "key_missing",
            Self::Settings => "settings_unreadable",
            Self::Busy => "account_busy",
            Self::TakenOver => "account_taken_over",
            Self::NoAccount(_) => "no_such_account",
            Self::Write(error) => error.code.as_str(),
            Self::Store(_) => "store",
        }
    }

    /// What the owner can do.
    pub fn action(&self) -> FaultAction {
        match self {
            Self::Unreachable { .. } | Self::Insecure { .. } => FaultAction::CheckServer,
            Self::Password { .. } => FaultAction::GivePassword,
            Self::NoFolder { .. } => FaultAction::ChooseFolders,
            Self::Key(_) => FaultAction::GiveKey,
            Self::Unavailable { .. }
            | Self::Lost { .. }
            | Self::Protocol { .. }
            | Self::Settings
            | Self::Busy
            | Self::TakenOver
            | Self::NoAccount(_)
            | Self::Write(_)
            | Self::Store(_) => FaultAction::Wait,
        }
    }

    /// What the owner can do about a fault that was stored by its code.
    pub fn action_of(code: &str) -> FaultAction {
        match code {
            "source_unreachable" | "source_insecure" => FaultAction::CheckServer,
            "credential_refused" => FaultAction::GivePassword,
            "no_such_folder" => FaultAction::ChooseFolders,
            "key_missing" => FaultAction::GiveKey,
            _ => FaultAction::Wait,
        }
    }
}
