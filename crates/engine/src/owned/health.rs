//! Whether the store behind the engine can be used.

use pdpp_contract::ApiError;

use crate::Engine;
use crate::refusal::from_store;

impl Engine {
    /// A cheap read that fails when the store cannot be used.
    pub async fn check(&self) -> Result<(), ApiError> {
        self.shared.store.check().await.map_err(from_store)
    }

    /// The same, and a write could begin now.
    pub async fn check_writing(&self) -> Result<(), ApiError> {
        self.check().await?;
        self.shared.store.check_writing().await.map_err(from_store)
    }
}
