//! Authorization requests: from the first question to a code or a device that was redeemed.

use async_trait::async_trait;
use jiff::Timestamp;
use pdpp_contract::PackageId;

use super::StoredClient;
use super::TokenIssue;
use crate::access::grants::{NewPackage, StoredPackage};
use crate::error::StoreResult;
use pdpp_contract::access::{AuditEvent, Resource};

/// What became of a request. Nothing leads out of the last two.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RequestStatus {
    /// The owner has not decided.
    Open,
    /// The owner said yes.
    Approved,
    /// The owner said no.
    Denied,
}

/// A request to keep.
#[derive(Debug, Clone)]
pub struct NewRequest {
    /// Its id.
    pub request_id: String,
    /// Who asks.
    pub client_id: String,
    /// Where the answer goes; `None` for a device.
    pub redirect_uri: Option<String>,
    /// What the client wants to hear again.
    pub state: Option<String>,
    /// The client's proof key, hashed.
    pub code_challenge: Option<String>,
    /// What the token will be good for.
    pub resource: Resource,
    /// What is asked for.
    pub scope: String,
    /// The details a client asked for.
    pub details_json: Option<String>,
    /// This server as the client knows it.
    pub issuer: String,
    /// From where it was asked, for the owner to see.
    pub requested_from: Option<String>,
    /// Session and parameters, so that the same question is found again.
    pub same_as: Option<[u8; 32]>,
    /// What a person types for a device.
    pub user_code_hash: Option<[u8; 32]>,
    /// What the device asks with.
    pub device_hash: Option<[u8; 32]>,
    /// How many seconds a device waits between two questions.
    pub poll_interval: i64,
    /// When it began.
    pub created_at: Timestamp,
    /// The first instant at which it is dead.
    pub expires_at: Timestamp,
}

/// A code to keep with an approval.
#[derive(Debug, Clone)]
pub struct NewCode {
    /// What it is recognised by.
    pub hash: [u8; 32],
    /// The code, sealed for the session that approved.
    pub sealed: Vec<u8>,
    /// The first instant at which it is dead.
    pub expires_at: Timestamp,
}

/// A decision to keep.
#[derive(Debug, Clone)]
pub struct Approval {
    /// The digest of what the owner saw; it must be the kept one.
    pub digest: [u8; 32],
    /// What is issued; it has no token yet.
    pub package: NewPackage,
    /// The code; none for a device.
    pub code: Option<NewCode>,
    /// Who decided, by the public name of the session.
    pub session: String,
    /// A package of the same client that ends with this.
    pub replaces: Option<PackageId>,
}

/// A request as it is stored.
#[derive(Debug, Clone)]
pub struct StoredRequest {
    /// Its id.
    pub request_id: String,
    /// Who asks.
    pub client: StoredClient,
    /// Where the answer goes; `None` for a device.
    pub redirect_uri: Option<String>,
    /// What the client wants to hear again.
    pub state: Option<String>,
    /// The client's proof key, hashed.
    pub code_challenge: Option<String>,
    /// What the token will be good for.
    pub resource: Resource,
    /// What is asked for.
    pub scope: String,
    /// The details a client asked for.
    pub details_json: Option<String>,
    /// This server as the client knows it.
    pub issuer: String,
    /// From where it was asked.
    pub requested_from: Option<String>,
    /// How many seconds a device waits between two questions.
    pub poll_interval: i64,
    /// When a device last asked.
    pub polled_at: Option<Timestamp>,
    /// What became of it.
    pub status: RequestStatus,
    /// What the owner chose so far.
    pub draft_json: Option<String>,
    /// The digest of what the owner was shown.
    pub review_digest: Option<[u8; 32]>,
    /// What the owner was shown.
    pub review_json: Option<String>,
    /// When it began.
    pub created_at: Timestamp,
    /// The first instant at which it is dead.
    pub expires_at: Timestamp,
    /// The session that decided.
    pub decided_in: Option<String>,
    /// What was issued.
    pub package: Option<StoredPackage>,
    /// The code, sealed for the session that approved; gone when it was redeemed.
    pub code_sealed: Option<Vec<u8>>,
    /// The first instant at which the code is dead.
    pub code_expires_at: Option<Timestamp>,
    /// When code or device were redeemed.
    pub redeemed_at: Option<Timestamp>,
    /// The family that came of it.
    pub family_no: Option<i64>,
}

/// How a request is looked up.
#[derive(Debug, Clone)]
pub enum RequestKey {
    /// By its id.
    Id(String),
    /// By session and parameters; only one that is open and live.
    SameAs([u8; 32], Timestamp),
    /// By its code.
    Code([u8; 32]),
    /// By what a person types.
    UserCode([u8; 32]),
    /// By what the device asks with.
    Device([u8; 32]),
}

/// Requests. Every decision is kept together with its audit event, or not at all.
#[async_trait]
pub trait OauthRequestStore: Send + Sync {
    /// Keeps a request of a known client, with its event if there is one; an unknown client is a `Conflict`.
    async fn add_request(&self, request: NewRequest, event: Option<AuditEvent>) -> StoreResult<()>;

    /// The request of this key, whatever became of it.
    async fn find_request(&self, key: RequestKey) -> StoreResult<Option<StoredRequest>>;

    /// Keeps what the owner chose and forgets what was shown before. `false` unless it is open.
    async fn save_draft(&self, request_id: &str, draft_json: String) -> StoreResult<bool>;

    /// Keeps what the owner is shown. `false` unless it is open.
    async fn save_review(
        &self,
        request_id: &str,
        digest: [u8; 32],
        review_json: String,
    ) -> StoreResult<bool>;

    /// Approves an open request: package, grants, code and events in one step. `false`, and nothing
    /// is kept, when it is not open or the digest is not the kept one: of two that race, one wins.
    async fn approve_request(
        &self,
        request_id: &str,
        approval: Approval,
        event: AuditEvent,
    ) -> StoreResult<bool>;

    /// Denies an open request. `false` when it is not open.
    async fn deny_request(
        &self,
        request_id: &str,
        session: &str,
        event: AuditEvent,
    ) -> StoreResult<bool>;

    /// Notes that a device asked, and how long it must wait now.
    async fn note_poll(
        &self,
        request_id: &str,
        at: Timestamp,
        poll_interval: i64,
    ) -> StoreResult<()>;

    /// Redeems an approved request once: family, tokens and event in one step. `false`, and nothing
    /// is kept, when it was redeemed before.
    async fn redeem_request(
        &self,
        request_id: &str,
        issue: TokenIssue,
        event: AuditEvent,
    ) -> StoreResult<bool>;

    /// Keeps the parameters of a pushed request.
    async fn push_request(
        &self,
        uri_hash: [u8; 32],
        client_id: &str,
        params_json: String,
        expires_at: Timestamp,
    ) -> StoreResult<()>;

    /// The client and parameters of a pushed request that is live at `now`.
    async fn find_pushed(
        &self,
        uri_hash: [u8; 32],
        now: Timestamp,
    ) -> StoreResult<Option<(String, String)>>;
}
