//! What a cursor is tied to: a digest of the grant's constraints and of the question asked.

use sha2::{Digest, Sha256};

/// Collects the facts a cursor depends on, each with its length, so that no two lists collide.
pub(crate) struct Binding(Sha256);

impl Binding {
    /// Starts with what the caller may see.
    pub(crate) fn new(authority: [u8; 32]) -> Self {
        Self(Sha256::new().chain_update(authority))
    }

    /// Adds a fact.
    #[must_use]
    pub(crate) fn with(mut self, fact: &str) -> Self {
        self.0.update(u64::try_from(fact.len()).unwrap_or(u64::MAX).to_be_bytes());
        self.0.update(fact.as_bytes());
        self
    }

    /// Adds a fact that may be absent; absence differs from every value.
    #[must_use]
    pub(crate) fn with_option(self, fact: Option<&str>) -> Self {
        match fact {
            Some(fact) => self.with("some").with(fact),
            None => self.with("none"),
        }
    }

    /// The digest, cut to what a short cursor can carry.
    pub(crate) fn finish(self) -> [u8; 16] {
        let digest: [u8; 32] = self.0.finalize().into();
        let mut short = [0; 16];
        short.copy_from_slice(digest.first_chunk::<16>().unwrap_or(&[0; 16]));
        short
    }
}
