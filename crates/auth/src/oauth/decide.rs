//! The owner's decision: bound to what was shown, made once, answered alike when it is repeated.

use pdpp_store::audit::AuditEvent;
use pdpp_store::oauth::{Approval, NewCode, RequestStatus, StoredRequest};

use super::address::with_params;
use super::details::RequestedAccess;
use super::draft::ConsentDraft;
use super::error::ConsentError;
use super::pending::{RequestState, requested, state};
use super::redirect::{self, RedirectKind};
use super::review::digest_of;
use super::seal;
use super::session::OwnerSession;
use crate::Auth;
use crate::token::{Secret, SecretKind};

/// How long a code can be redeemed, in seconds.
const CODE_SECONDS: i64 = 120;
const CODE_PURPOSE: &str = "authorization code v1";

/// What the owner says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decision {
    /// Yes, to what was shown.
    Approve {
        /// The digest of what was shown.
        digest: String,
    },
    /// No.
    Deny,
}

/// What kind of place the owner goes back to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReturnKind {
    /// A site.
    Https,
    /// A program that listens on the owner's machine.
    Loopback,
    /// A program that the system opens; browsers want a click for it.
    Private,
    /// Another device, which finds out by itself.
    Device,
}

/// Where the owner goes now.
#[derive(Clone, PartialEq, Eq)]
pub struct ReturnTarget {
    /// The address to open, with the answer in it. `None` for a device.
    pub url: Option<String>,
    /// Who receives the answer, to show.
    pub host: String,
    /// What kind of place it is.
    pub kind: ReturnKind,
    /// The owner said yes.
    pub approved: bool,
}

impl std::fmt::Debug for ReturnTarget {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { host, kind, approved, .. } = self;
        write!(f, "ReturnTarget({host}, {kind:?}, approved: {approved})")
    }
}

impl Auth {
    /// Decides a request. An approval issues exactly what was shown, in one step, or nothing.
    pub async fn decide(
        &self,
        request_id: &str,
        decision: Decision,
        session: &OwnerSession,
    ) -> Result<ReturnTarget, ConsentError> {
        let stored = self.stored_request(request_id).await?;
        match state(&stored, self.clock.now()) {
            RequestState::Open => {}
            RequestState::Expired => return Err(ConsentError::Gone),
            RequestState::Approved | RequestState::Denied => {
                return self.repeat(&stored, &decision, session);
            }
        }
        match decision {
            Decision::Deny => self.deny(&stored, session).await,
            Decision::Approve { ref digest } => {
                match self.approve(&stored, digest, session).await? {
                    Some(target) => Ok(target),
                    // Somebody was faster: the answer is theirs, if it was this session.
                    None => {
                        let stored = self.stored_request(request_id).await?;
                        self.repeat(&stored, &decision, session)
                    }
                }
            }
        }
    }

    async fn deny(
        &self,
        stored: &StoredRequest,
        session: &OwnerSession,
    ) -> Result<ReturnTarget, ConsentError> {
        let event = AuditEvent::by_owner(self.clock.now(), "authorization_denied");
        let event = AuditEvent { request_id: Some(stored.request_id.clone()), ..event };
        if self.store.deny_request(&stored.request_id, session.name(), event).await? {
            Ok(denied(stored))
        } else {
            Err(ConsentError::Finished)
        }
    }

    /// `None` when another decision came first.
    async fn approve(
        &self,
        stored: &StoredRequest,
        digest: &str,
        session: &OwnerSession,
    ) -> Result<Option<ReturnTarget>, ConsentError> {
        let now = self.clock.now();
        if !session.is_fresh(now) {
            return Err(ConsentError::NotFresh);
        }
        let draft = stored.draft_json.as_deref().and_then(ConsentDraft::read);
        let draft = draft.ok_or(ConsentError::Empty)?;
        let trains = requested(stored).iter().any(RequestedAccess::is_for_training);
        if trains && !draft.agrees_to_training {
            return Err(ConsentError::Training);
        }
        let reviewed = self.reviewed(stored, &draft).await.map_err(|error| match error {
            ConsentError::Refused(fault) if !fault.is_internal() => ConsentError::Stale,
            other => other,
        })?;
        let shown = digest_of(&reviewed.document);
        if reviewed.digest != digest {
            return Err(ConsentError::Stale);
        }
        // A declaration may have changed after the choice was kept; the page then showed the new state.
        let is_kept = stored.review_digest == Some(shown);
        if !is_kept && !self.keep_review(&stored.request_id, &reviewed).await? {
            return Ok(None);
        }
        let purposes = requested(stored);
        let purpose = |source: &str| {
            let entry = purposes.iter().find(|entry| entry.source_id == source);
            entry.map(|entry| entry.purpose_code.clone())
        };
        let asked = draft.package(stored.client.handle.clone());
        let package = self.compose(&asked, &purpose, now).await?.package;
        let code = Secret::mint(SecretKind::Code, &*self.entropy);
        let new_code = match &stored.redirect_uri {
            None => None,
            Some(_) => Some(NewCode {
                hash: code.hash(),
                sealed: seal::seal(CODE_PURPOSE, &key_parts(stored, session), code.reveal())
                    .ok_or(ConsentError::Stale)?,
                expires_at: now + jiff::SignedDuration::from_secs(CODE_SECONDS),
            }),
        };
        let mut event = AuditEvent::by_owner(now, "grant_create");
        event.package_id = Some(package.package_id.clone());
        event.connection_ids =
            package.grants.iter().map(|grant| grant.connection_id.clone()).collect();
        event.request_id = Some(stored.request_id.clone());
        let approval = Approval {
            digest: shown,
            package,
            code: new_code,
            session: session.name().to_owned(),
            replaces: draft.replaces,
        };
        let approved = self.store.approve_request(&stored.request_id, approval, event).await?;
        Ok(approved.then(|| approved_target(stored, code.reveal())))
    }

    /// The answer of a decision that was made before: the same page for the same session while the
    /// code waits, because people click twice and reload.
    fn repeat(
        &self,
        stored: &StoredRequest,
        decision: &Decision,
        session: &OwnerSession,
    ) -> Result<ReturnTarget, ConsentError> {
        let same_session = stored.decided_in.as_deref() == Some(session.name());
        match (decision, stored.status) {
            (Decision::Deny, RequestStatus::Denied) if same_session => Ok(denied(stored)),
            (Decision::Approve { .. }, RequestStatus::Approved) if same_session => {
                if stored.redirect_uri.is_none() {
                    return Ok(approved_target(stored, ""));
                }
                let waits = stored.code_expires_at.is_some_and(|end| end > self.clock.now());
                let sealed = stored.code_sealed.as_deref().filter(|_| waits);
                let code = sealed.and_then(|sealed| {
                    seal::open(CODE_PURPOSE, &key_parts(stored, session), sealed)
                });
                code.map(|code| approved_target(stored, &code)).ok_or(ConsentError::Finished)
            }
            _ => Err(ConsentError::Finished),
        }
    }
}

fn key_parts<'a>(stored: &'a StoredRequest, session: &'a OwnerSession) -> [&'a [u8]; 2] {
    [session.secret(), stored.request_id.as_bytes()]
}

fn approved_target(stored: &StoredRequest, code: &str) -> ReturnTarget {
    target(stored, &[("code", code)], true)
}

fn denied(stored: &StoredRequest) -> ReturnTarget {
    target(stored, &[("error", "access_denied")], false)
}

fn target(stored: &StoredRequest, answer: &[(&str, &str)], approved: bool) -> ReturnTarget {
    let Some(uri) = &stored.redirect_uri else {
        let host = "your device".to_owned();
        return ReturnTarget { url: None, host, kind: ReturnKind::Device, approved };
    };
    let mut params = answer.to_vec();
    params.extend(stored.state.as_deref().map(|state| ("state", state)));
    params.push(("iss", &stored.issuer));
    let kind = match redirect::kind_of(uri) {
        Some(RedirectKind::Loopback) => ReturnKind::Loopback,
        Some(RedirectKind::Private) => ReturnKind::Private,
        Some(RedirectKind::Https) | None => ReturnKind::Https,
    };
    let host = redirect::host_of(uri);
    ReturnTarget { url: Some(with_params(uri, &params)), host, kind, approved }
}
