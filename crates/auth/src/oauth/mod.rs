//! The authorization server: who asks, what the owner says, and the tokens that come of it.
//!
//! Nothing here speaks HTTP: questions come in as parameters, answers go out as values. A request is
//! kept from the first question on (`request`, `pending`), the owner drafts and reviews what is
//! granted (`draft`, `review`), decides once (`decide`), and the client redeems the answer (`code`,
//! `device`, `refresh`).

mod address;
mod assertion;
mod cleaned;
mod client_auth;
mod clients;
mod code;
mod decide;
mod details;
mod device;
mod draft;
mod error;
mod events;
mod form;
mod introspect;
mod issue;
mod jws;
mod metadata;
mod outside;
mod pending;
mod published;
mod pushed;
mod redirect;
mod refresh;
mod request;
mod resource;
mod review;
mod revoke;
mod seal;
mod session;
mod token_request;

use std::sync::Arc;

pub use client_auth::ClientProof;
pub use decide::{Decision, ReturnKind, ReturnTarget};
pub use details::{DETAILS_TYPE, RequestedAccess, RequestedStream};
pub use device::{DeviceAnswer, DeviceQuestion};
pub use draft::{ConsentDraft, DraftEntry};
pub use error::{ConsentError, OauthCode, OauthError};
pub use form::Form;
pub use introspect::Introspection;
pub use metadata::{ClientMetadata, RegisteredClient};
pub use outside::{DocumentFetcher, FetchFault, Fetched, is_public_address};
pub use pending::{ClientIdentity, PendingAuthorization, RequestState, Verified};
pub use redirect::RedirectKind;
pub use request::{AuthorizeFault, AuthorizeQuestion, Authorized};
pub use review::{ReviewedConsent, ReviewedGrant};
pub use session::OwnerSession;
pub use token_request::{TokenAnswer, TokenQuestion};

/// The one scope there is: the grant, not the scope, is the authority.
pub const SCOPE: &str = "pdpp:read";
/// Asked for by clients that want to refresh; every continuous sign-in can.
pub const OFFLINE: &str = "offline_access";

/// How the authorization server behaves.
#[derive(Clone, Default)]
pub struct OauthOptions {
    /// Fetches documents that clients publish about themselves; without it such clients are unknown.
    pub fetcher: Option<Arc<dyn DocumentFetcher>>,
}

impl std::fmt::Debug for OauthOptions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("OauthOptions").field("fetches", &self.fetcher.is_some()).finish()
    }
}
