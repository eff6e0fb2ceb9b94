//! Clients: those that registered, and those that publish a document.

use jiff::SignedDuration;
use pdpp_store::oauth::{ClientKind, NewClient, StoredClient};
use serde_json::Value;

use super::cleaned::handle;
use super::error::{OauthCode, OauthError};
use super::metadata::{ClientMetadata, RegisteredClient};
use crate::Auth;

/// How many registered clients may wait for a first approval.
const MOST_UNAPPROVED: u64 = 1_000;
/// How long a registered client may wait for a first approval, and stay unused after one.
const UNAPPROVED_FOR: SignedDuration = SignedDuration::from_hours(24);
const UNUSED_FOR: SignedDuration = SignedDuration::from_hours(90 * 24);
/// How long a successor can be opened by its predecessor, in seconds.
const SUCCESSOR_SECONDS: SignedDuration = SignedDuration::from_secs(30);
const REGISTERED_PREFIX: &str = "dcr_";
const MANUAL_PREFIX: &str = "man_";

const UNKNOWN: OauthError =
    OauthError::new(OauthCode::InvalidClient, "no such client here; register again");

impl Auth {
    /// Registers a client that said this about itself.
    pub async fn register_client(&self, document: &Value) -> Result<RegisteredClient, OauthError> {
        let metadata = ClientMetadata::registered(document)?;
        self.sweep().await?;
        self.keep_client(metadata, ClientKind::Registered, REGISTERED_PREFIX).await
    }

    /// Writes down a client that the owner names: it needs no registration of its own.
    pub async fn add_manual_client(
        &self,
        _owner: &crate::OwnerAccess,
        document: &Value,
    ) -> Result<RegisteredClient, OauthError> {
        let metadata = ClientMetadata::registered(document)?;
        self.keep_client(metadata, ClientKind::Manual, MANUAL_PREFIX).await
    }

    async fn keep_client(
        &self,
        metadata: ClientMetadata,
        kind: ClientKind,
        prefix: &str,
    ) -> Result<RegisteredClient, OauthError> {
        const UNUSABLE: OauthError =
            OauthError::new(OauthCode::InvalidClientMetadata, "the client's name cannot be kept");
        let now = self.clock.now();
        let client_id = crate::mint::id(prefix, &*self.entropy);
        let new = NewClient {
            client_id: client_id.clone(),
            kind,
            handle: handle(&metadata.client_name, &client_id).ok_or(UNUSABLE)?,
            metadata_json: serde_json::to_string(&metadata).map_err(|_| UNUSABLE)?,
            security_hash: metadata.security_hash(),
            created_at: now,
        };
        self.store.add_client(new, MOST_UNAPPROVED).await?;
        Ok(RegisteredClient { client_id, issued_at: now.as_second(), metadata })
    }

    /// The client of an id, from the table or from its document.
    pub(super) async fn client(
        &self,
        client_id: &str,
        keep_old: bool,
    ) -> Result<(StoredClient, ClientMetadata), OauthError> {
        let is_ours = [REGISTERED_PREFIX, MANUAL_PREFIX].iter().any(|p| client_id.starts_with(p));
        let client = if is_ours {
            self.store.find_client(client_id).await?.ok_or(UNKNOWN)?
        } else {
            self.published_client(client_id, keep_old).await?
        };
        let metadata = serde_json::from_str(&client.metadata_json).map_err(|_| UNKNOWN)?;
        Ok((client, metadata))
    }

    /// Forgets what nobody needs: clients that were never approved, requests and codes that ended,
    /// callers that have been quiet.
    pub async fn sweep(&self) -> Result<(), OauthError> {
        let now = self.clock.now();
        self.store.collect_clients(now - UNAPPROVED_FOR, now - UNUSED_FOR).await?;
        self.store.sweep_oauth(now, now - SUCCESSOR_SECONDS).await?;
        self.store.forget_full(now).await?;
        Ok(())
    }
}
