//! How much callers ask, told between the servers of one store.

use std::time::Duration;

use pdpp_contract::access::Taken;

use crate::Auth;
use crate::error::AuthError;

impl Auth {
    /// Whether another server may answer the same callers.
    pub fn is_shared(&self) -> bool {
        self.store.is_shared()
    }

    /// Adds what this server let callers take, and answers for each how long until its bucket is full
    /// again, by what all servers let it take.
    pub async fn add_taken(&self, taken: Vec<Taken>) -> Result<Vec<Duration>, AuthError> {
        let micros = self.store.add_taken(taken, self.clock.now()).await?;
        Ok(micros.into_iter().map(|micros| Duration::from_micros(micros.unsigned_abs())).collect())
    }
}
