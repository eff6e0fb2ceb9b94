//! Secrets that must be shown again, sealed under a key that is not kept.

use aes_gcm_siv::aead::Aead;
use aes_gcm_siv::{Aes256GcmSiv, Key, KeyInit, Nonce};
use sha2::{Digest, Sha256};

/// Each key seals one text, so the nonce says nothing.
const NONCE: [u8; 12] = *b"pdpp once v1";

/// Seals a text under a key made of a purpose and parts, one of which is secret.
pub(super) fn seal(purpose: &str, parts: &[&[u8]], text: &str) -> Option<Vec<u8>> {
    cipher(purpose, parts).encrypt(&Nonce::from(NONCE), text.as_bytes()).ok()
}

/// Opens it for whoever has the same parts.
pub(super) fn open(purpose: &str, parts: &[&[u8]], sealed: &[u8]) -> Option<String> {
    let bytes = cipher(purpose, parts).decrypt(&Nonce::from(NONCE), sealed).ok()?;
    String::from_utf8(bytes).ok()
}

fn cipher(purpose: &str, parts: &[&[u8]]) -> Aes256GcmSiv {
    Aes256GcmSiv::new(&Key::<Aes256GcmSiv>::from(digest(purpose, parts)))
}

/// A digest of parts in which no two different lists look alike.
pub(super) fn digest(purpose: &str, parts: &[&[u8]]) -> [u8; 32] {
    let mut hash = Sha256::new();
    for part in std::iter::once(&purpose.as_bytes()).chain(parts) {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    }
    hash.finalize().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_same_parts_open_it() {
        let sealed = seal("a", &[b"key", b"x"], "secret").unwrap();
        assert_eq!(open("a", &[b"key", b"x"], &sealed).as_deref(), Some("secret"));
        assert_eq!(open("a", &[b"ke", b"yx"], &sealed), None);
        assert_eq!(open("b", &[b"key", b"x"], &sealed), None);
        assert!(!sealed.windows(6).any(|part| part == b"secret"));
    }
}
