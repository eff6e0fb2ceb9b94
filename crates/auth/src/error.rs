//! Why somebody was refused, as causes that a caller can act on.

use pdpp_contract::access::TokenKind;
use pdpp_contract::{ApiError, ConnectionId, ErrorCode, FieldName, NextStep, StreamName};
use pdpp_store::StoreError;

use crate::allow::SpecFault;

/// A refusal.
#[derive(Debug, thiserror::Error)]
pub enum AuthError {
    /// Not one of our tokens, or one that was never issued.
    #[error("the token is not known here; ask the owner for a new one")]
    NoSuchToken,
    /// The token's time is over.
    #[error("the token has expired; ask the owner for a new one")]
    TokenExpired,
    /// The owner ended the token.
    #[error("the token was revoked; ask the owner for a new one")]
    TokenRevoked,
    /// The token is good for another door of this server.
    #[error("the token is for another address of this server; sign in at this one")]
    WrongResource,
    /// The owner ended everything the token opened.
    #[error("the owner ended this access; ask for a new grant")]
    GrantRevoked,
    /// The time of everything the token opened is over.
    #[error("the grant has expired; ask the owner for a new one")]
    GrantExpired,
    /// A stored grant that this version cannot read, or that does not belong where it stands.
    #[error("the stored grant cannot be used; ask the owner for a new one")]
    GrantInvalid,
    /// A token of another kind than is wanted here, or than it claims to be.
    #[error("a token of kind '{}' is not accepted here", presented.as_str())]
    WrongKind {
        /// What the token is.
        presented: TokenKind,
    },
    /// No connection is called that.
    #[error("no connection named '{name}'")]
    UnknownConnection {
        /// The name or id that was given.
        name: String,
    },
    /// The connection declares no such stream.
    #[error("connection '{connection}' has no stream '{stream}'")]
    UnknownStream {
        /// The connection as it was named.
        connection: String,
        /// The stream.
        stream: StreamName,
    },
    /// The stream declares no such field.
    #[error(
        "stream '{stream}' of connection '{connection}' has no field '{field}'{}",
        space_hint(field.as_str())
    )]
    UnknownField {
        /// The connection as it was named.
        connection: String,
        /// The stream.
        stream: StreamName,
        /// The field.
        field: FieldName,
    },
    /// A time range on streams that have no time to compare.
    #[error(
        "these streams of connection '{connection}' have no time field, so a time range cannot limit them: {}; allow them one by one, without a range",
        names(streams)
    )]
    NotTimeBound {
        /// The connection as it was named.
        connection: String,
        /// The streams without a time field.
        streams: Vec<StreamName>,
    },
    /// A spec that cannot be read, or that contradicts another one.
    #[error(transparent)]
    BadSpec(#[from] SpecFault),
    /// Nothing of this kind goes by that name.
    #[error("no {} named '{what}'", kind.as_str())]
    NothingMatches {
        /// What was asked for.
        what: String,
        /// What it was looked for among.
        kind: NamedKind,
    },
    /// Something should end before it begins, or after a hundred years.
    #[error("the end lies in the past or more than a hundred years away; write another date")]
    NoSuchEnd,
    /// A fault of ours.
    #[error("{0}")]
    Internal(#[source] InternalFault),
}

/// What the owner ends by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NamedKind {
    /// Grants, by client, package or id.
    Grant,
    /// The owner's own tokens.
    OwnerToken,
}

impl NamedKind {
    fn as_str(self) -> &'static str {
        match self {
            Self::Grant => "grant",
            Self::OwnerToken => "owner token",
        }
    }
}

/// What went wrong on our side.
#[derive(Debug, thiserror::Error)]
pub enum InternalFault {
    /// The store could not do it.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The store holds no readable declaration for a connection.
    #[error("the declaration of connection {0} cannot be read")]
    Declaration(ConnectionId),
    /// A value of our own making broke a rule of ours.
    #[error("{0}")]
    Rule(&'static str),
}

impl From<StoreError> for AuthError {
    fn from(error: StoreError) -> Self {
        Self::Internal(InternalFault::Store(error))
    }
}

impl AuthError {
    /// A fault of ours that no caller can mend.
    pub(crate) fn rule(words: &'static str) -> Self {
        Self::Internal(InternalFault::Rule(words))
    }

    /// Whether it is a fault of ours and not of what was asked.
    pub fn is_internal(&self) -> bool {
        matches!(self, Self::Internal(_))
    }

    /// Whether it is a fault that goes away by itself: the store cannot be reached now, or is busy.
    pub fn is_passing(&self) -> bool {
        let passing = [ErrorCode::Unavailable, ErrorCode::DeadlineExceeded, ErrorCode::Conflict];
        self.is_internal() && passing.contains(&self.code())
    }

    /// What to do about it, where a command of the program helps.
    pub fn next(&self) -> Option<NextStep> {
        match self {
            Self::UnknownConnection { .. } => Some(NextStep::see(["connection", "list"])),
            Self::UnknownStream { connection, .. } | Self::UnknownField { connection, .. } => {
                Some(NextStep::see(["connection", "show", connection]))
            }
            Self::NothingMatches { kind: NamedKind::Grant, .. } => {
                Some(NextStep::see(["grant", "list"]))
            }
            Self::NothingMatches { kind: NamedKind::OwnerToken, .. } => {
                Some(NextStep::see(["owner", "token", "list"]))
            }
            Self::Internal(InternalFault::Store(error)) => error.next(),
            Self::NoSuchToken
            | Self::TokenExpired
            | Self::TokenRevoked
            | Self::WrongResource
            | Self::GrantRevoked
            | Self::GrantExpired
            | Self::GrantInvalid
            | Self::WrongKind { .. }
            | Self::NotTimeBound { .. }
            | Self::BadSpec(_)
            | Self::NoSuchEnd
            | Self::Internal(_) => None,
        }
    }

    /// Why a token was refused, in one word for the audit log. More exact than the code, which tells
    /// a caller no more than it should know.
    pub(crate) fn reason(&self) -> &'static str {
        match self {
            Self::NoSuchToken => "unknown_token",
            Self::TokenExpired => "token_expired",
            Self::TokenRevoked => "token_revoked",
            Self::WrongResource => "wrong_resource",
            other => other.code().as_str(),
        }
    }

    /// The code that stands for this cause on the wire and in the audit log.
    pub fn code(&self) -> ErrorCode {
        match self {
            Self::NoSuchToken | Self::TokenExpired | Self::TokenRevoked | Self::WrongResource => {
                ErrorCode::AuthenticationError
            }
            Self::GrantRevoked => ErrorCode::GrantRevoked,
            Self::GrantExpired => ErrorCode::GrantExpired,
            Self::GrantInvalid => ErrorCode::GrantInvalid,
            Self::WrongKind { presented: TokenKind::Owner } => ErrorCode::OwnerCredentialRefused,
            Self::WrongKind { presented: TokenKind::Client | TokenKind::Metrics } => {
                ErrorCode::PermissionError
            }
            Self::UnknownConnection { .. } => ErrorCode::ConnectionNotFound,
            Self::UnknownStream { .. } | Self::NothingMatches { .. } => ErrorCode::NotFound,
            Self::UnknownField { .. } => ErrorCode::UnknownField,
            Self::NotTimeBound { .. } | Self::BadSpec(_) | Self::NoSuchEnd => {
                ErrorCode::InvalidArgument
            }
            Self::Internal(fault) => fault.code(),
        }
    }
}

impl InternalFault {
    fn code(&self) -> ErrorCode {
        match self {
            Self::Store(
                StoreError::Unavailable(_)
                | StoreError::NotLetIn(_)
                | StoreError::BeingFilled
                | StoreError::Moved
                | StoreError::ForeignLog
                | StoreError::ReadOnly
                | StoreError::TooNew { .. },
            ) => ErrorCode::Unavailable,
            Self::Store(StoreError::Full) => ErrorCode::StorageFull,
            Self::Store(StoreError::DeadlineExceeded) => ErrorCode::DeadlineExceeded,
            Self::Store(StoreError::Conflict(_) | StoreError::LostFile | StoreError::InUse) => {
                ErrorCode::Conflict
            }
            Self::Store(
                StoreError::Damaged(_)
                | StoreError::Corrupt { .. }
                | StoreError::NotAllowed(_)
                | StoreError::Unfit { .. }
                | StoreError::BadUrl(_)
                | StoreError::NotAStore
                | StoreError::NoStore
                | StoreError::Unfinished
                | StoreError::BrokenOff(_)
                | StoreError::TooWide { .. }
                | StoreError::TooLarge(_),
            )
            | Self::Declaration(_)
            | Self::Rule(_) => ErrorCode::ApiFault,
        }
    }
}

impl From<AuthError> for ApiError {
    fn from(error: AuthError) -> Self {
        Self::new(error.code(), error.to_string())
    }
}

/// `subject, from` is a field with a space in its name, and seldom meant.
fn space_hint(field: &str) -> &'static str {
    if field.trim() == field { "" } else { " (write the fields with ',' and no space between)" }
}

fn names(streams: &[StreamName]) -> String {
    streams.iter().map(StreamName::as_str).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dead_token_is_401_and_a_dead_grant_is_403() {
        let status = |error: AuthError| ApiError::from(error).code.status();
        assert_eq!(status(AuthError::NoSuchToken), 401);
        assert_eq!(status(AuthError::TokenExpired), 401);
        assert_eq!(status(AuthError::TokenRevoked), 401);
        assert_eq!(status(AuthError::GrantRevoked), 403);
        assert_eq!(status(AuthError::GrantExpired), 403);
        assert_eq!(status(AuthError::WrongKind { presented: TokenKind::Owner }), 403);
        assert_eq!(status(AuthError::from(StoreError::Full)), 507);
    }
}
