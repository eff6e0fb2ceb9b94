//! A request as the owner meets it.

use jiff::Timestamp;
use pdpp_contract::ClientName;
use pdpp_store::oauth::{
    ClientKind, RequestKey, RequestStatus, Resource, StoredClient, StoredRequest,
};

use super::address::WebAddress;
use super::details::{self, RequestedAccess};
use super::draft::ConsentDraft;
use super::error::ConsentError;
use super::metadata::ClientMetadata;
use super::redirect::{self, RedirectKind};
use crate::Auth;
use crate::error::AuthError;

/// Who asks, as far as anybody knows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClientIdentity {
    /// Its id.
    pub client_id: String,
    /// The name that its packages and the audit log carry.
    pub handle: ClientName,
    /// What it calls itself, cleaned. Still somebody else's words: escape them.
    pub name: String,
    /// What is known about who it is.
    pub verified: Verified,
    /// All its answers go to programs on the owner's machine.
    pub loopback_only: bool,
    /// Its home page, in its own words.
    pub client_uri: Option<String>,
}

/// How a client's identity is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verified {
    /// It publishes a document on this host.
    Published {
        /// The host.
        host: String,
    },
    /// It registered itself: nothing is known.
    SelfRegistered,
    /// The owner wrote it down.
    ByOwner,
}

/// What became of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RequestState {
    /// The owner can decide.
    Open,
    /// The owner said yes.
    Approved,
    /// The owner said no.
    Denied,
    /// Nobody decided in time.
    Expired,
}

/// A request that waits for the owner, or did.
#[derive(Debug, Clone)]
pub struct PendingAuthorization {
    /// Its id, `areq_…`.
    pub request_id: String,
    /// Who asks.
    pub client: ClientIdentity,
    /// Where the answer goes: address, host to show, kind. `None` for a device.
    pub redirect: Option<(String, String, RedirectKind)>,
    /// What the client asked for by name; empty when the owner picks freely.
    pub requested: Vec<RequestedAccess>,
    /// What the token will be good for.
    pub resource: Resource,
    /// What is asked for.
    pub scope: String,
    /// From where it was asked.
    pub requested_from: Option<String>,
    /// What became of it.
    pub state: RequestState,
    /// When it began.
    pub created_at: Timestamp,
    /// The first instant at which it is dead.
    pub expires_at: Timestamp,
    /// What the owner chose so far.
    pub draft: Option<ConsentDraft>,
    /// The digest of what the kept choice meant when it was kept.
    pub review_digest: Option<String>,
}

impl Auth {
    /// The request of this id, whatever became of it.
    pub async fn pending_authorization(
        &self,
        request_id: &str,
    ) -> Result<PendingAuthorization, ConsentError> {
        let stored = self.stored_request(request_id).await?;
        Ok(pending(&stored, self.clock.now()))
    }

    /// Who stands behind a package's client name; `None` for an agent of the command line.
    pub async fn oauth_client(
        &self,
        handle: &ClientName,
    ) -> Result<Option<ClientIdentity>, AuthError> {
        let found = self.store.find_client_by_handle(handle).await?;
        Ok(found.as_ref().map(identity))
    }

    pub(super) async fn stored_request(&self, id: &str) -> Result<StoredRequest, ConsentError> {
        let found = self.store.find_request(RequestKey::Id(id.to_owned())).await?;
        found.ok_or(ConsentError::Gone)
    }

    /// A request that the owner can still decide.
    pub(super) async fn open_request(&self, id: &str) -> Result<StoredRequest, ConsentError> {
        let stored = self.stored_request(id).await?;
        match state(&stored, self.clock.now()) {
            RequestState::Open => Ok(stored),
            RequestState::Expired => Err(ConsentError::Gone),
            RequestState::Approved | RequestState::Denied => Err(ConsentError::Finished),
        }
    }
}

/// What became of a request by now.
pub(super) fn state(stored: &StoredRequest, now: Timestamp) -> RequestState {
    match stored.status {
        RequestStatus::Approved => RequestState::Approved,
        RequestStatus::Denied => RequestState::Denied,
        RequestStatus::Open if stored.expires_at <= now => RequestState::Expired,
        RequestStatus::Open => RequestState::Open,
    }
}

/// What the client asked for by name. It was checked when it came.
pub(super) fn requested(stored: &StoredRequest) -> Vec<RequestedAccess> {
    let details = stored.details_json.as_deref().map(details::parse);
    details.and_then(Result::ok).unwrap_or_default()
}

fn pending(stored: &StoredRequest, now: Timestamp) -> PendingAuthorization {
    let place = |uri: &String| {
        redirect::kind_of(uri).map(|kind| (uri.clone(), redirect::host_of(uri), kind))
    };
    PendingAuthorization {
        request_id: stored.request_id.clone(),
        client: identity(&stored.client),
        redirect: stored.redirect_uri.as_ref().and_then(place),
        requested: requested(stored),
        resource: stored.resource,
        scope: stored.scope.clone(),
        requested_from: stored.requested_from.clone(),
        state: state(stored, now),
        created_at: stored.created_at,
        expires_at: stored.expires_at,
        draft: stored.draft_json.as_deref().and_then(ConsentDraft::read),
        review_digest: stored.review_digest.map(super::review::hex),
    }
}

/// Who a stored client is.
pub(super) fn identity(client: &StoredClient) -> ClientIdentity {
    let said: Option<ClientMetadata> = serde_json::from_str(&client.metadata_json).ok();
    let host =
        WebAddress::parse(&client.client_id).map(|address| address.host.to_ascii_lowercase());
    ClientIdentity {
        client_id: client.client_id.clone(),
        handle: client.handle.clone(),
        name: said
            .as_ref()
            .map_or_else(|| client.handle.to_string(), |said| said.client_name.clone()),
        verified: match (client.kind, host) {
            (ClientKind::Published, Some(host)) => Verified::Published { host },
            (ClientKind::Manual, _) => Verified::ByOwner,
            (ClientKind::Registered | ClientKind::Published, _) => Verified::SelfRegistered,
        },
        loopback_only: said.as_ref().is_some_and(ClientMetadata::loopback_only),
        client_uri: said.and_then(|said| said.client_uri),
    }
}
