//! What an owner sets for an account, without its secret.

use serde::{Deserialize, Serialize};

/// The settings of one account.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum AccountSettings {
    /// A mailbox on a mail server.
    Imap(ImapSettings),
}

impl AccountSettings {
    /// The word of its kind.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Imap(_) => "imap",
        }
    }

    /// Where it is, for its owner.
    pub fn place(&self) -> String {
        match self {
            Self::Imap(imap) => format!("{} at {}:{}", imap.user, imap.host, imap.port),
        }
    }
}

/// The settings of a mailbox.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ImapSettings {
    /// The server.
    pub host: String,
    /// Its port.
    pub port: u16,
    /// How the connection is encrypted.
    pub security: ImapSecurity,
    /// The name to sign in with.
    pub user: String,
    /// How the secret is presented.
    pub auth: ImapAuth,
    /// The folders to read; without any, all but junk and trash.
    #[serde(default)]
    pub folders: Vec<String>,
    /// Whether what the source deletes is deleted here, too.
    #[serde(default)]
    pub mirror_deletions: bool,
    /// Certificates that are trusted instead of the system's, as PEM.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ca_pem: Option<String>,
}

/// How a connection to a mail server is encrypted. There is no way without.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ImapSecurity {
    /// From the first byte.
    Tls,
    /// From the server's consent on, before anything else is sent.
    Starttls,
}

/// How the secret of a mailbox is presented.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ImapAuth {
    /// A password, or an app password.
    Password,
    /// An OAuth access token.
    Xoauth2,
}
