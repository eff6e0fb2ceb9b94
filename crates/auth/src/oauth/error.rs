//! Refusals in OAuth's words, and refusals of a consent.

use crate::error::AuthError;
use pdpp_store::StoreError;

/// OAuth's own words for what went wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OauthCode {
    /// The owner said no.
    AccessDenied,
    /// The owner has not decided yet.
    AuthorizationPending,
    /// Nobody decided in time.
    ExpiredToken,
    /// The owner must be asked.
    InteractionRequired,
    /// The details cannot be read or met.
    InvalidAuthorizationDetails,
    /// The client is unknown or did not prove itself.
    InvalidClient,
    /// What the client says about itself cannot be used.
    InvalidClientMetadata,
    /// A code, device or refresh token that opens nothing.
    InvalidGrant,
    /// No address for answers can be used.
    InvalidRedirectUri,
    /// A parameter is missing or cannot be read.
    InvalidRequest,
    /// A resource that is not ours.
    InvalidTarget,
    /// A fault of ours.
    ServerError,
    /// A device asks too often.
    SlowDown,
    /// Not now.
    TemporarilyUnavailable,
    /// A way to tokens that is not offered.
    UnsupportedGrantType,
    /// A kind of answer that is not offered.
    UnsupportedResponseType,
}

impl OauthCode {
    /// The word on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::AccessDenied => "access_denied",
            Self::AuthorizationPending => "authorization_pending",
            Self::ExpiredToken => "expired_token",
            Self::InteractionRequired => "interaction_required",
            Self::InvalidAuthorizationDetails => "invalid_authorization_details",
            Self::InvalidClient => "invalid_client",
            Self::InvalidClientMetadata => "invalid_client_metadata",
            Self::InvalidGrant => "invalid_grant",
            Self::InvalidRedirectUri => "invalid_redirect_uri",
            Self::InvalidRequest => "invalid_request",
            Self::InvalidTarget => "invalid_target",
            Self::ServerError => "server_error",
            Self::SlowDown => "slow_down",
            Self::TemporarilyUnavailable => "temporarily_unavailable",
            Self::UnsupportedGrantType => "unsupported_grant_type",
            Self::UnsupportedResponseType => "unsupported_response_type",
        }
    }
}

/// A refusal on the wire. The description is a fixed text of ours, never the caller's.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}: {description}", code.as_str())]
pub struct OauthError {
    /// OAuth's word.
    pub code: OauthCode,
    /// What to do about it.
    pub description: &'static str,
}

impl OauthError {
    pub(super) const fn new(code: OauthCode, description: &'static str) -> Self {
        Self { code, description }
    }

    pub(super) const fn invalid_grant(description: &'static str) -> Self {
        Self::new(OauthCode::InvalidGrant, description)
    }

    pub(super) const fn invalid_request(description: &'static str) -> Self {
        Self::new(OauthCode::InvalidRequest, description)
    }

    /// A fault of ours; what it is stands in the log.
    pub(super) fn internal(error: &AuthError) -> Self {
        tracing::error!("the authorization server cannot do its work: {error}");
        let is_passing = error.is_passing();
        let code =
            if is_passing { OauthCode::TemporarilyUnavailable } else { OauthCode::ServerError };
        Self::new(code, "the server cannot answer now; try again later")
    }
}

impl From<StoreError> for OauthError {
    fn from(error: StoreError) -> Self {
        Self::internal(&error.into())
    }
}

/// Why a consent cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum ConsentError {
    /// No such request, or its time is over.
    #[error("this request has expired; start again from the app")]
    Gone,
    /// It was decided, and its answer was fetched or cannot be shown again.
    #[error("this request was already completed; you can close this page")]
    Finished,
    /// What would be granted is no longer what was shown.
    #[error("this has changed since it was shown; review it again")]
    Stale,
    /// Nothing was chosen.
    #[error("choose at least one stream")]
    Empty,
    /// The owner must sign in again first.
    #[error("sign in again to decide this")]
    NotFresh,
    /// The app wants to train models, and the owner did not say yes to that.
    #[error("the app wants to train AI models on what it reads; agree to that too, or refuse")]
    Training,
    /// More than the app asked for.
    #[error("{0}")]
    BeyondRequest(String),
    /// The choice cannot be resolved.
    #[error(transparent)]
    Refused(#[from] AuthError),
}

impl From<StoreError> for ConsentError {
    fn from(error: StoreError) -> Self {
        Self::Refused(error.into())
    }
}
