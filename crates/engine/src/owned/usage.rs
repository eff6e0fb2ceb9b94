//! What the owner's data takes, and what of it was set aside.

use pdpp_auth::OwnerAccess;
use pdpp_contract::{ApiError, ConnectionId};

use crate::Engine;
use crate::refusal::from_store;

impl Engine {
    /// Bytes of the database. Files that records refer to stand beside an embedded one and are not
    /// among them.
    pub async fn database_bytes(&self, _: &OwnerAccess) -> Result<u64, ApiError> {
        self.shared.store.room().await.map(|size| size.bytes).map_err(from_store)
    }

    /// How many items of a connection were rejected by imports and are kept with their reasons.
    pub async fn quarantined(&self, _: &OwnerAccess, id: &ConnectionId) -> Result<u64, ApiError> {
        self.shared.store.quarantined(id).await.map_err(from_store)
    }
}
