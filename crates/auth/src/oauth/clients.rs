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

const UNKNOWN: OauthError =
    OauthError::new(OauthCode::InvalidClient, "no such client here; register again");

impl Auth {
    /// Registers a client that said this about itself.
    pub async fn register_client(&self, document: &Value) -> Result<RegisteredClient, OauthError> {
        const UNUSABLE: OauthError =
            OauthError::new(OauthCode::InvalidClientMetadata, "the client's name cannot be kept");
        let metadata = ClientMetadata::registered(document)?;
        self.sweep().await?;
        let now = self.clock.now();
        let client_id = crate::mint::id(REGISTERED_PREFIX, &*self.entropy);
        let new = NewClient {
            client_id: client_id.clone(),
            kind: ClientKind::Registered,
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
        let client = if client_id.starts_with(REGISTERED_PREFIX) {
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
