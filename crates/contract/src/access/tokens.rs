//! What is said of tokens: whose they are, and the names under which they are shown.

use crate::hex::hex;

/// How many hexadecimal digits name a token in lists and in the audit log.
const FINGERPRINT_DIGITS: usize = 12;

/// The public name of a token: twelve hexadecimal digits that may be shown and logged.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TokenFingerprint(String);

impl TokenFingerprint {
    /// The beginning of a digest in hexadecimal.
    pub fn of_digest(digest: &[u8; 32]) -> Self {
        let mut digits = hex(digest);
        digits.truncate(FINGERPRINT_DIGITS);
        Self(digits)
    }

    /// Reads a fingerprint back; `None` for anything but twelve lower-case hexadecimal digits.
    pub fn parse(text: &str) -> Option<Self> {
        let digits = text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        (digits && text.len() == FINGERPRINT_DIGITS).then(|| Self(text.to_owned()))
    }

    /// The digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Display for TokenFingerprint {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// Whose a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TokenKind {
    /// An agent's: it opens a package and nothing else.
    Client,
    /// The owner's: it opens the owner routes, never MCP.
    Owner,
    /// The owner's, for a monitor: it opens the metrics and nothing else.
    Metrics,
}

impl TokenKind {
    /// The kind as it stands in a token and in a store.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Client => "client",
            Self::Owner => "owner",
            Self::Metrics => "metrics",
        }
    }
}

/// What a token of the owner opens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OwnerTokenKind {
    /// The owner routes.
    Everything,
    /// The metrics alone.
    Metrics,
}

impl From<OwnerTokenKind> for TokenKind {
    fn from(kind: OwnerTokenKind) -> Self {
        match kind {
            OwnerTokenKind::Everything => Self::Owner,
            OwnerTokenKind::Metrics => Self::Metrics,
        }
    }
}

/// What a token is good for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Resource {
    /// Agents' own protocol.
    Mcp,
    /// The plain interface.
    V1,
}

impl Resource {
    /// As it stands in a store.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Mcp => "mcp",
            Self::V1 => "v1",
        }
    }
}

impl std::str::FromStr for Resource {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        match text {
            "mcp" => Ok(Self::Mcp),
            "v1" => Ok(Self::V1),
            _ => Err(()),
        }
    }
}
