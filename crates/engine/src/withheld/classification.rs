//! What a record carries that a grant may leave out: classified when it is written, and once again when a
//! new version classifies differently.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use pdpp_contract::{ApiError, ErrorCode, JsonObject};
pub use pdpp_store::classification::Classified;
use pdpp_store::prepare::Classification;

use crate::Engine;
use crate::Shared;
use crate::refusal::from_store;
use crate::withheld::codes::carries_codes;
use crate::withheld::secrets::carries_secrets;

/// What a record carries by itself.
pub fn classify(data: &JsonObject) -> Classification {
    Classification { codes: carries_codes(data), secrets: carries_secrets(data) }
}

impl Engine {
    /// Classifies what an earlier version stored, a few records per transaction, until none is left. Says how
    /// many have been looked at; costs one read when there is nothing to do.
    pub async fn reclassify(
        &self,
        progress: &mut (dyn FnMut(u64) + Send),
    ) -> Result<Classified, ApiError> {
        let store = &self.shared.store;
        let mut all = Classified { done: true, ..Classified::default() };
        while store.needs_classification().await.map_err(from_store)? {
            let some = store.classify_some(Arc::new(classify)).await.map_err(from_store)?;
            all.records += some.records;
            all.changed += some.changed;
            progress(all.records);
        }
        self.shared.classified.store(true, Ordering::Relaxed);
        Ok(all)
    }
}

impl Shared {
    /// Refuses a reader that leaves something out while records wait to be classified.
    pub(crate) async fn check_classified(&self) -> Result<(), ApiError> {
        if self.classified.load(Ordering::Relaxed) {
            return Ok(());
        }
        if self.store.needs_classification().await.map_err(from_store)? {
            let message = "the records are being looked through after an update, so that codes and \
                           secrets stay left out; try again in a minute";
            return Err(ApiError::new(ErrorCode::Unavailable, message));
        }
        self.classified.store(true, Ordering::Relaxed);
        Ok(())
    }
}
