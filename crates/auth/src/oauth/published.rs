//! Clients that publish a document about themselves: their id is its address.

use jiff::{SignedDuration, Timestamp};
use pdpp_store::oauth::{ClientKind, FetchedDocument, NewClient, StoredClient};
use serde_json::Value;

use super::address::WebAddress;
use super::cleaned::handle;
use super::error::{OauthCode, OauthError};
use super::metadata::ClientMetadata;
use crate::Auth;

/// Largest document about a client, and largest set of keys.
const MAX_DOCUMENT_BYTES: usize = 5 * 1024;
pub(super) const MAX_KEYS_BYTES: usize = 64 * 1024;
/// How long a document is kept, whatever its sender says, in seconds.
const SHORTEST: u64 = 60;
const LONGEST: u64 = 24 * 3_600;
/// How many published clients may wait for a first approval.
const MOST_UNAPPROVED: u64 = 1_000;

const UNKNOWN: OauthError = OauthError::new(
    OauthCode::InvalidClient,
    "the client's public page cannot be fetched or used; check the client_id, or register; a server without internet \
     must not fetch such pages (Settings)",
);

/// Whether a client id is the address of a document that may be fetched: a site's own name, the
/// usual port, a path without tricks.
pub(super) fn is_document_address(client_id: &str) -> bool {
    let Some(address) = WebAddress::parse(client_id) else { return false };
    let path = address.path();
    let decoded = path.to_ascii_lowercase().replace("%2e", ".");
    let dots = decoded.split('/').any(|segment| segment == "." || segment == "..");
    address.https
        && address.port.is_none()
        && !address.is_literal()
        && address.host.contains('.')
        && path.len() > 1
        && path == address.rest
        && !dots
        && client_id.len() <= 500
}

impl Auth {
    /// The client of a published document, fetched anew when the kept one is old. `keep_old` is for
    /// a client that signed in before: a site that is down must not sign it out.
    pub(super) async fn published_client(
        &self,
        client_id: &str,
        keep_old: bool,
    ) -> Result<StoredClient, OauthError> {
        if !is_document_address(client_id) {
            return Err(UNKNOWN);
        }
        let known = self.store.find_client(client_id).await?;
        let body = self.fetched(client_id, MAX_DOCUMENT_BYTES, false).await;
        let (body, known) = match (body, known) {
            (Ok(body), known) => (body, known),
            (Err(_), Some(known)) if keep_old => return Ok(known),
            (Err(error), _) => return Err(error),
        };
        let document: Value = serde_json::from_str(&body).map_err(|_| UNKNOWN)?;
        let metadata = ClientMetadata::published(&document, client_id)?;
        let security_hash = metadata.security_hash();
        let metadata_json = serde_json::to_string(&metadata).map_err(|_| UNKNOWN)?;
        match known {
            Some(mut known) => {
                if known.metadata_json != metadata_json {
                    let update = (metadata_json.clone(), security_hash);
                    self.store.update_client(client_id, update.0, update.1).await?;
                    known.metadata_json = metadata_json;
                    known.security_hash = security_hash;
                }
                Ok(known)
            }
            None => {
                let new = NewClient {
                    client_id: client_id.to_owned(),
                    kind: ClientKind::Published,
                    handle: handle(&metadata.client_name, client_id).ok_or(UNKNOWN)?,
                    metadata_json,
                    security_hash,
                    created_at: self.clock.now(),
                };
                // Of two that race, the second finds what the first kept.
                let _ = self.store.add_client(new, MOST_UNAPPROVED).await;
                self.store.find_client(client_id).await?.ok_or(UNKNOWN)
            }
        }
    }

    /// Whether clients may be known by a document that they publish.
    pub async fn fetches_documents(&self) -> Result<bool, OauthError> {
        let allowed = !self.oauth_settings().await?.client_documents_off;
        Ok(allowed && self.oauth.fetcher.is_some())
    }

    pub(super) async fn oauth_settings(&self) -> Result<crate::Settings, OauthError> {
        self.settings().await.map_err(|error| OauthError::internal(&error))
    }

    /// A document from elsewhere, or the kept one while it is fresh. `anew` fetches although it is,
    /// at most once a minute.
    pub(super) async fn fetched(
        &self,
        url: &str,
        max_bytes: usize,
        anew: bool,
    ) -> Result<String, OauthError> {
        let now = self.clock.now();
        let kept = self.store.find_document(url).await?;
        let usable = |kept: &FetchedDocument| {
            let recent = now.duration_since(kept.fetched_at) < SignedDuration::from_secs(60);
            kept.fresh_until > now && (!anew || recent)
        };
        if let Some(kept) = kept.filter(usable) {
            return kept.body.ok_or(UNKNOWN);
        }
        if !self.fetches_documents().await? {
            return Err(UNKNOWN);
        }
        let fetcher = self.oauth.fetcher.as_ref().ok_or(UNKNOWN)?;
        let fetched = fetcher.fetch(url, max_bytes).await;
        if let Err(fault) = &fetched {
            tracing::info!("a client's document was not fetched: {fault}");
        }
        let document = fresh_document(fetched.ok(), now);
        let body = document.body.clone();
        self.store.keep_document(url, document).await?;
        body.ok_or(UNKNOWN)
    }
}

/// A failure is kept for a minute, so that a stranger cannot make us knock on doors all day.
fn fresh_document(fetched: Option<super::outside::Fetched>, now: Timestamp) -> FetchedDocument {
    let seconds = fetched.as_ref().and_then(|fetched| fetched.max_age_seconds);
    let seconds = seconds.unwrap_or(SHORTEST).clamp(SHORTEST, LONGEST);
    let seconds = i64::try_from(seconds).unwrap_or(60);
    FetchedDocument {
        body: fetched.map(|fetched| fetched.body),
        fetched_at: now,
        fresh_until: now + SignedDuration::from_secs(seconds),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn t_cimd_1_only_a_plain_address_of_a_site_is_a_client_id() {
        for good in [
            "https://claude.ai/oauth/claude-code-client-metadata",
            "https://chatgpt.com/oauth/abc/client.json",
        ] {
            assert!(is_document_address(good), "{good}");
        }
        for bad in [
            "http://claude.ai/x",
            "https://claude.ai",
            "https://claude.ai/",
            "https://claude.ai:8443/x",
            "https://claude.ai:443/x",
            "https://127.0.0.1/x",
            "https://[::1]/x",
            "https://2130706433/x",
            "https://localhost/x",
            "https://a.example/x/../y",
            "https://a.example/./x",
            "https://a.example/%2e%2e/x",
            "https://a.example/x?y",
            "https://a.example/x#y",
            "https://u@a.example/x",
            "dcr_1",
            "",
        ] {
            assert!(!is_document_address(bad), "{bad}");
        }
    }
}
