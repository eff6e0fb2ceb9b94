//! Keyed hashes and digests. The key makes the version log useless for guessing erased values.

use std::hash::Hasher;

use pdpp_contract::hex;
use sha2::{Digest, Sha256};
use siphasher::sip::SipHasher24;

/// Keys the field hashes of one store.
#[derive(Clone)]
pub struct HashKey([u8; 16]);

impl HashKey {
    /// Wraps a store's key.
    pub fn new(key: [u8; 16]) -> Self {
        Self(key)
    }

    /// The hash of a string value.
    pub fn string(&self, text: &str) -> u64 {
        self.tagged(b's', text)
    }

    /// The hash of any other value, by its canonical JSON.
    pub fn canonical(&self, json: &str) -> u64 {
        self.tagged(b'j', json)
    }

    /// A hash wide enough to stand for its bytes among any number of others.
    pub(crate) fn wide(&self, bytes: &[u8]) -> u128 {
        use siphasher::sip128::Hasher128;
        let mut hasher = siphasher::sip128::SipHasher24::new_with_key(&self.0);
        hasher.write(bytes);
        hasher.finish128().as_u128()
    }

    /// The tag keeps the string `1` and the number `1` apart.
    fn tagged(&self, tag: u8, text: &str) -> u64 {
        let mut hasher = SipHasher24::new_with_key(&self.0);
        hasher.write_u8(tag);
        hasher.write(text.as_bytes());
        hasher.finish()
    }
}

impl std::fmt::Debug for HashKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("HashKey(…)")
    }
}

/// SHA-256 of a field's whole text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TextDigest(pub [u8; 32]);

impl TextDigest {
    /// Digests a text.
    pub fn of(text: &str) -> Self {
        Self(Sha256::digest(text.as_bytes()).into())
    }

    /// The digest as it stands on the wire, `sha256:` and hex.
    pub fn to_wire(self) -> String {
        format!("sha256:{}", hex(&self.0))
    }
}
