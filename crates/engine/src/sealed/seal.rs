//! Sealed texts: opaque, URL-safe, unforgeable, and the same every time for the same content.

use aes_gcm_siv::aead::Aead;
use aes_gcm_siv::{Aes256GcmSiv, Key, KeyInit, Nonce};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};

/// What a sealed text is for. A text of one kind is no text of another: each has its own key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SealKind {
    /// Continues a list.
    Page,
    /// Continues the groups of an aggregate.
    Groups,
    /// Continues a field.
    Window,
    /// Continues a search.
    Search,
    /// Continues a session of changes.
    Changes,
    /// Begins a later session of changes.
    Bookmark,
    /// Names a record.
    Record,
    /// Names a range of a field.
    FieldWindow,
    /// Names a stream of a connection.
    Stream,
    /// Continues an answer that is cut into pages outside the engine.
    Place,
}

impl SealKind {
    fn purpose(self) -> &'static [u8] {
        match self {
            Self::Page => b"page",
            Self::Groups => b"groups",
            Self::Window => b"window",
            Self::Search => b"search",
            Self::Changes => b"changes",
            Self::Bookmark => b"bookmark",
            Self::Record => b"record",
            Self::FieldWindow => b"field window",
            Self::Stream => b"stream",
            Self::Place => b"place",
        }
    }
}

/// Seals and opens texts with keys derived from the store's.
pub(crate) struct Sealer {
    master: [u8; 32],
}

/// The scheme is misuse-resistant: with a constant nonce, equal content gives equal texts and
/// nothing else leaks.
const NONCE: [u8; 12] = *b"pdpp seal v1";

impl Sealer {
    pub(crate) fn new(master: [u8; 32]) -> Self {
        Self { master }
    }

    /// Seals content. `None` only if the content is larger than the cipher takes.
    pub(crate) fn seal(&self, kind: SealKind, content: &[u8]) -> Option<String> {
        let sealed = self.cipher(kind).encrypt(&Nonce::from(NONCE), content).ok()?;
        Some(URL_SAFE_NO_PAD.encode(sealed))
    }

    /// Opens a text of this kind; `None` for everything we did not seal.
    pub(crate) fn open(&self, kind: SealKind, text: &str) -> Option<Vec<u8>> {
        let sealed = URL_SAFE_NO_PAD.decode(text).ok()?;
        self.cipher(kind).decrypt(&Nonce::from(NONCE), sealed.as_slice()).ok()
    }

    fn cipher(&self, kind: SealKind) -> Aes256GcmSiv {
        let key: [u8; 32] = Sha256::new()
            .chain_update(b"pdpp seal key v1")
            .chain_update(self.master)
            .chain_update(kind.purpose())
            .finalize()
            .into();
        Aes256GcmSiv::new(&Key::<Aes256GcmSiv>::from(key))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sealed_text_opens_only_as_what_it_is() {
        let sealer = Sealer::new([7; 32]);
        let text = sealer.seal(SealKind::Page, b"content").unwrap();
        assert_eq!(sealer.open(SealKind::Page, &text).as_deref(), Some(&b"content"[..]));
        assert_eq!(sealer.open(SealKind::Window, &text), None);
        assert_eq!(Sealer::new([8; 32]).open(SealKind::Page, &text), None);
        assert_eq!(sealer.seal(SealKind::Page, b"content").unwrap(), text);
        for at in 0..text.len() {
            let mut forged = text.clone().into_bytes();
            forged[at] = if forged[at] == b'A' { b'B' } else { b'A' };
            let forged = String::from_utf8(forged).unwrap();
            assert_eq!(sealer.open(SealKind::Page, &forged), None, "byte {at}");
        }
    }
}
