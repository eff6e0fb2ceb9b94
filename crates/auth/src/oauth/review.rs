//! What the owner is shown before deciding, word for word, with a digest that binds the decision.

use jiff::Timestamp;
use pdpp_contract::ids::DisplayName;
use pdpp_contract::{
    AccessMode, ConnectionId, ConnectionName, ConnectorKey, FieldName, PackageId, StreamGrant,
};
use pdpp_store::oauth::StoredRequest;
use serde_json::{Value, json};

use super::details::RequestedAccess;
use super::draft::ConsentDraft;
use super::error::ConsentError;
use super::pending::requested;
use super::seal::digest;
use crate::Auth;
use crate::error::AuthError;
use crate::lifetime::Lifetime;
use crate::packages::Asked;
use crate::resolve::{AddedKeyField, resolve};

/// Exactly what an approval would issue.
#[derive(Debug, Clone)]
pub struct ReviewedConsent {
    /// The document that is digested.
    pub document: Value,
    /// Its digest, in hexadecimal.
    pub digest: String,
    /// What each connection would show.
    pub grants: Vec<ReviewedGrant>,
    /// Key fields that were added although nobody chose them.
    pub added_key_fields: Vec<AddedKeyField>,
    /// Once, or again and again.
    pub access_mode: AccessMode,
    /// When it would end if it were approved now.
    pub expires_at: Timestamp,
    /// One-time codes and sign-in links stay hidden.
    pub leave_out_codes: bool,
    /// Keys, tokens and passwords stay hidden.
    pub leave_out_secrets: bool,
    /// An earlier package that would end.
    pub replaces: Option<PackageId>,
}

/// What one connection would show.
#[derive(Debug, Clone)]
pub struct ReviewedGrant {
    /// The connection.
    pub connection_id: ConnectionId,
    /// Its short name.
    pub name: ConnectionName,
    /// What the owner calls it.
    pub display_name: Option<DisplayName>,
    /// The kind of source.
    pub connector_key: ConnectorKey,
    /// Its streams, fields and times.
    pub streams: Vec<StreamGrant>,
}

impl Auth {
    /// Keeps what the owner chose, and answers what would be issued. Nothing is kept when the choice
    /// cannot be resolved or goes beyond what the client asked for.
    pub async fn save_draft(
        &self,
        request_id: &str,
        draft: &ConsentDraft,
    ) -> Result<ReviewedConsent, ConsentError> {
        let stored = self.open_request(request_id).await?;
        // A choice of nothing is kept too: the page must not go on showing what was taken back.
        if draft.entries.is_empty() {
            let kept = draft.kept().ok_or(ConsentError::Stale)?;
            self.store.save_draft(request_id, kept).await?;
            return Err(ConsentError::Empty);
        }
        let reviewed = self.reviewed(&stored, draft).await?;
        let kept = draft.kept().ok_or(ConsentError::Stale)?;
        if !self.store.save_draft(request_id, kept).await? {
            return Err(ConsentError::Finished);
        }
        if self.keep_review(request_id, &reviewed).await? {
            Ok(reviewed)
        } else {
            Err(ConsentError::Finished)
        }
    }

    /// What would be issued now, from the kept choice. Writes nothing: the page is read with `GET`.
    pub async fn review(&self, request_id: &str) -> Result<ReviewedConsent, ConsentError> {
        let stored = self.open_request(request_id).await?;
        let draft = stored.draft_json.as_deref().and_then(ConsentDraft::read);
        self.reviewed(&stored, &draft.ok_or(ConsentError::Empty)?).await
    }

    /// Keeps what a decision is bound to; false when the request is no longer open.
    pub(super) async fn keep_review(
        &self,
        request_id: &str,
        reviewed: &ReviewedConsent,
    ) -> Result<bool, ConsentError> {
        let digest = digest_of(&reviewed.document);
        Ok(self.store.save_review(request_id, digest, reviewed.document.to_string()).await?)
    }

    pub(super) async fn reviewed(
        &self,
        stored: &StoredRequest,
        draft: &ConsentDraft,
    ) -> Result<ReviewedConsent, ConsentError> {
        if draft.entries.is_empty() {
            return Err(ConsentError::Empty);
        }
        let lifetime = draft.expires_in.unwrap_or(Lifetime::of_package(draft.access_mode));
        let expires_at = lifetime.end(self.clock.now()).ok_or(AuthError::NoSuchEnd)?;
        self.check_replaced(stored, draft).await?;
        let package = draft.package(stored.client.handle.clone());
        let wanted = requested(stored);
        check_mode(&wanted, draft.access_mode)?;
        let (mut grants, mut added_key_fields) = (Vec::new(), Vec::new());
        for asked in self.asked(&package.allow).await? {
            let resolved = resolve(&asked.connection.id, &asked.declaration, &asked.specs)?;
            check_within(&wanted, &asked, &resolved.streams)?;
            added_key_fields.extend(resolved.added);
            grants.push(ReviewedGrant {
                connection_id: asked.connection.id,
                name: asked.connection.name,
                display_name: asked.connection.display_name,
                connector_key: asked.connection.connector_key,
                streams: resolved.streams,
            });
        }
        let document = document(stored, draft, lifetime, &grants);
        Ok(ReviewedConsent {
            digest: hex(digest_of(&document)),
            document,
            grants,
            added_key_fields,
            access_mode: draft.access_mode,
            expires_at,
            leave_out_codes: draft.leave_out_codes,
            leave_out_secrets: draft.leave_out_secrets,
            replaces: draft.replaces.clone(),
        })
    }

    /// Only a package of the same client can be replaced.
    async fn check_replaced(
        &self,
        stored: &StoredRequest,
        draft: &ConsentDraft,
    ) -> Result<(), ConsentError> {
        let Some(old) = &draft.replaces else { return Ok(()) };
        let selector = pdpp_store::grants::GrantSelector::Package(old.clone());
        let found = self.store.find_packages(&selector).await?;
        if found.iter().any(|package| package.client == stored.client.handle) {
            return Ok(());
        }
        Err(AuthError::NothingMatches { what: old.to_string(), listed_by: "pdpp grant list" }
            .into())
    }
}

fn check_mode(wanted: &[RequestedAccess], mode: AccessMode) -> Result<(), ConsentError> {
    // Once is less than again and again.
    let widens = |asked: &RequestedAccess| {
        asked.access_mode == AccessMode::SingleUse && mode == AccessMode::Continuous
    };
    if wanted.iter().any(widens) {
        let words = "the app asked for single-use access; it cannot be given more";
        return Err(ConsentError::BeyondRequest(words.to_owned()));
    }
    Ok(())
}

fn check_within(
    wanted: &[RequestedAccess],
    asked: &Asked<'_>,
    streams: &[StreamGrant],
) -> Result<(), ConsentError> {
    if wanted.is_empty() {
        return Ok(());
    }
    let source = asked.declaration.source.id.as_str();
    let keys = |stream: &StreamGrant| -> Vec<FieldName> {
        let declared = asked.declaration.stream(stream.name.as_str());
        declared.map(|declared| declared.primary_key.clone()).unwrap_or_default()
    };
    let covered = |stream: &&StreamGrant| {
        wanted.iter().any(|entry| entry.source_id == source && entry.covers(stream, &keys(stream)))
    };
    match streams.iter().find(|stream| !covered(stream)) {
        None => Ok(()),
        Some(stream) => Err(ConsentError::BeyondRequest(format!(
            "'{}' of '{}' goes beyond what the app asked for; select the same or less",
            stream.name, asked.connection.name
        ))),
    }
}

fn document(
    stored: &StoredRequest,
    draft: &ConsentDraft,
    lifetime: Lifetime,
    grants: &[ReviewedGrant],
) -> Value {
    let grant = |grant: &ReviewedGrant| {
        json!({
            "connection_id": grant.connection_id,
            "connector_key": grant.connector_key,
            "streams": grant.streams,
        })
    };
    json!({
        "request_id": stored.request_id,
        "client_id": stored.client.client_id,
        "redirect_uri": stored.redirect_uri,
        "resource": stored.resource.as_str(),
        "requested": stored.details_json,
        "access_mode": draft.access_mode,
        "expires_in": lifetime.to_string(),
        "leave_out_codes": draft.leave_out_codes,
        "leave_out_secrets": draft.leave_out_secrets,
        "agrees_to_training": draft.agrees_to_training,
        "replaces": draft.replaces,
        "grants": grants.iter().map(grant).collect::<Vec<_>>(),
    })
}

pub(super) fn digest_of(document: &Value) -> [u8; 32] {
    digest("consent review v1", &[document.to_string().as_bytes()])
}

pub(super) fn hex(bytes: [u8; 32]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
