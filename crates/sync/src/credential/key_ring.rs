//! The keys of a key file: the first one seals, all of them open.

use aes_gcm_siv::aead::{Aead, Payload};
use aes_gcm_siv::{Aes256GcmSiv, Key, KeyInit, Nonce};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use pdpp_contract::ports::Entropy;
use pdpp_contract::{ConnectionId, hex};
use sha2::{Digest, Sha256};
use zeroize::Zeroizing;

use super::AccountSecret;

const KEY_BYTES: usize = 32;
const NAME_BYTES: usize = 8;
const NONCE_BYTES: usize = 12;
/// What a line of a key file begins with.
const PREFIX: &str = "pdpp-account-key-1:";

/// Why a key or a credential cannot be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum KeyFault {
    /// The file holds no key, or something else.
    #[error("this is not a key file of pdpp")]
    NotAKey,
    /// The credential was sealed under a key that is not in the file.
    #[error("the credential was sealed under another key")]
    OtherKey,
    /// The credential was changed, or is another account's.
    #[error("the sealed credential is damaged")]
    Damaged,
}

/// The keys of a key file.
#[derive(Clone)]
pub struct KeyRing(Vec<Zeroizing<[u8; KEY_BYTES]>>);

impl std::fmt::Debug for KeyRing {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("KeyRing(…)")
    }
}

impl KeyRing {
    /// One new key.
    pub fn generate(entropy: &dyn Entropy) -> Self {
        Self(vec![new_key(entropy)])
    }

    /// The same keys behind a new one, which seals from now on.
    #[must_use]
    pub fn with_new_key(&self, entropy: &dyn Entropy) -> Self {
        let keys = std::iter::once(new_key(entropy)).chain(self.0.iter().cloned());
        Self(keys.collect())
    }

    /// The key that seals, alone.
    #[must_use]
    pub fn newest(&self) -> Self {
        Self(self.0.iter().take(1).cloned().collect())
    }

    /// Reads the text of a key file: one key in each line, the newest first.
    pub fn parse(text: &str) -> Result<Self, KeyFault> {
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
        let keys: Option<Vec<_>> = lines.map(parse_key).collect();
        keys.filter(|keys| !keys.is_empty()).map(Self).ok_or(KeyFault::NotAKey)
    }

    /// The text of its key file.
    pub fn to_text(&self) -> Zeroizing<String> {
        let mut text = Zeroizing::new(String::new());
        for key in &self.0 {
            text.push_str(PREFIX);
            STANDARD_NO_PAD.encode_string(key.as_slice(), &mut text);
            text.push('\n');
        }
        text
    }

    /// Seals a secret for one account. The same secret never looks the same twice.
    pub fn seal(
        &self,
        connection: &ConnectionId,
        secret: &AccountSecret,
        entropy: &dyn Entropy,
    ) -> Result<Vec<u8>, KeyFault> {
        let key = self.0.first().ok_or(KeyFault::NotAKey)?;
        let mut nonce = [0; NONCE_BYTES];
        entropy.fill(&mut nonce);
        let payload =
            Payload { msg: secret.reveal().as_bytes(), aad: connection.as_str().as_bytes() };
        let sealed = cipher(key).encrypt(&Nonce::from(nonce), payload);
        let sealed = sealed.map_err(|_| KeyFault::Damaged)?;
        Ok([&name(key)[..], &nonce[..], &sealed[..]].concat())
    }

    /// Opens what was sealed for this account.
    pub fn open(
        &self,
        connection: &ConnectionId,
        sealed: &[u8],
    ) -> Result<AccountSecret, KeyFault> {
        let (named, rest) = sealed.split_at_checked(NAME_BYTES).ok_or(KeyFault::Damaged)?;
        let (nonce, rest) = rest.split_first_chunk::<NONCE_BYTES>().ok_or(KeyFault::Damaged)?;
        let key = self.0.iter().find(|key| name(key) == named).ok_or(KeyFault::OtherKey)?;
        let payload = Payload { msg: rest, aad: connection.as_str().as_bytes() };
        let opened = cipher(key).decrypt(&Nonce::from(*nonce), payload);
        let opened = String::from_utf8(opened.map_err(|_| KeyFault::Damaged)?);
        opened.map(AccountSecret::new).map_err(|_| KeyFault::Damaged)
    }

    /// A short name of the key that seals, which tells nothing about it.
    pub fn fingerprint(&self) -> String {
        self.0.first().map(|key| hex(&name(key))).unwrap_or_default()
    }
}

fn new_key(entropy: &dyn Entropy) -> Zeroizing<[u8; KEY_BYTES]> {
    let mut key = Zeroizing::new([0; KEY_BYTES]);
    entropy.fill(key.as_mut_slice());
    key
}

fn parse_key(line: &str) -> Option<Zeroizing<[u8; KEY_BYTES]>> {
    let bytes = Zeroizing::new(STANDARD_NO_PAD.decode(line.strip_prefix(PREFIX)?).ok()?);
    <[u8; KEY_BYTES]>::try_from(bytes.as_slice()).ok().map(Zeroizing::new)
}

fn cipher(key: &[u8; KEY_BYTES]) -> Aes256GcmSiv {
    Aes256GcmSiv::new(&Key::<Aes256GcmSiv>::from(*key))
}

fn name(key: &[u8; KEY_BYTES]) -> [u8; NAME_BYTES] {
    let digest: [u8; 32] =
        Sha256::new().chain_update(b"pdpp account key name").chain_update(key).finalize().into();
    let mut name = [0; NAME_BYTES];
    name.copy_from_slice(digest.split_at(NAME_BYTES).0);
    name
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU8, Ordering};

    use super::*;

    #[derive(Default)]
    struct Counting(AtomicU8);

    impl Entropy for Counting {
        fn fill(&self, bytes: &mut [u8]) {
            bytes.fill(self.0.fetch_add(1, Ordering::Relaxed));
        }
    }

    #[test]
    fn a_credential_opens_only_for_its_account_and_under_its_key() {
        let entropy = Counting::default();
        let ring = KeyRing::generate(&entropy);
        let (one, other) = ("cin_1".parse().unwrap(), "cin_2".parse().unwrap());
        let secret = AccountSecret::new("sesame".to_owned());
        let sealed = ring.seal(&one, &secret, &entropy).unwrap();
        assert!(!sealed.windows(6).any(|part| part == b"sesame"));
        assert_eq!(ring.open(&one, &sealed).unwrap().reveal(), "sesame");
        assert_eq!(ring.open(&other, &sealed).unwrap_err(), KeyFault::Damaged);
        let foreign = KeyRing::generate(&entropy);
        assert_eq!(foreign.open(&one, &sealed).unwrap_err(), KeyFault::OtherKey);
        for at in 0..sealed.len() {
            let mut forged = sealed.clone();
            forged[at] ^= 1;
            assert!(ring.open(&one, &forged).is_err(), "byte {at}");
        }
        assert!(!format!("{secret:?} {ring:?}").contains("sesame"));
    }

    #[test]
    fn an_old_key_opens_until_it_is_taken_away() {
        let entropy = Counting::default();
        let old = KeyRing::generate(&entropy);
        let id = "cin_1".parse().unwrap();
        let sealed = old.seal(&id, &AccountSecret::new("a".to_owned()), &entropy).unwrap();
        let both = KeyRing::parse(&old.with_new_key(&entropy).to_text()).unwrap();
        assert_eq!(both.open(&id, &sealed).unwrap().reveal(), "a");
        assert_ne!(both.fingerprint(), old.fingerprint());
        assert_eq!(both.newest().open(&id, &sealed).unwrap_err(), KeyFault::OtherKey);
        assert_eq!(KeyRing::parse("secret").unwrap_err(), KeyFault::NotAKey);
        assert_eq!(KeyRing::parse("\n").unwrap_err(), KeyFault::NotAKey);
    }
}
