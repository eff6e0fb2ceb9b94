//! Keys that live in the store, so that every process in front of it shares them.

use pdpp_contract::ports::Entropy;

use crate::writes::hashing::HashKey;

/// The keys' names, and how many bytes each has.
pub(crate) const NAMES: [(&str, usize); 3] =
    [("sealing_key", 32), ("hashing_key", 16), ("store_id", 16)];

/// Keys that live in the store, so that every process in front of it shares them.
#[derive(Clone)]
pub(crate) struct Secrets {
    /// Seals cursors and handles.
    pub sealing: [u8; 32],
    /// Keys the hashes of the version log.
    pub hashing: HashKey,
}

/// Fresh keys under their names, for a store that is created.
pub(crate) fn mint(entropy: &dyn Entropy) -> Vec<(&'static str, Vec<u8>)> {
    let fresh = |(name, length)| {
        let mut bytes = vec![0; length];
        entropy.fill(&mut bytes);
        (name, bytes)
    };
    NAMES.into_iter().map(fresh).collect()
}
