//! What keeps a backup from strangers: names that only its owner can compute, and age around the bytes.
//!
//! A passphrase is slow on purpose, so it opens one small file with a key, and the key opens the rest.

use age::secrecy::ExposeSecret;
use age::x25519::Identity;
use hmac::{Hmac, KeyInit, Mac};
use pdpp_contract::hex;
use sha2::{Digest, Sha256};

use super::BackupError;
use super::BackupResult;
use super::Passphrase;

/// How slow a passphrase is: 2 to this power steps of scrypt, the same on every machine, so that a copy
/// made on a fast one opens on a slow one.
const WORK: u8 = 17;
/// Slower than this is not one of ours.
const MOST_WORK: u8 = 20;
/// Names the pieces of a backup that is not encrypted; known to everybody.
const OPEN_KEY: [u8; 32] = *b"pdpp backup that is open to all.";

/// Seals pieces, or leaves them as they are.
pub(super) struct Seal {
    identity: Option<Identity>,
    key: [u8; 32],
}

impl Seal {
    /// Leaves bytes as they are.
    pub(super) fn open() -> Self {
        Self { identity: None, key: OPEN_KEY }
    }

    /// A new key, and the file that keeps it under the passphrase.
    pub(super) fn create(passphrase: Passphrase) -> BackupResult<(Self, Vec<u8>)> {
        let identity = Identity::generate();
        let mut recipient = age::scrypt::Recipient::new(passphrase.0);
        recipient.set_work_factor(WORK);
        let secret = identity.to_string();
        let file = age::encrypt(&recipient, secret.expose_secret().as_bytes());
        let file = file.map_err(|error| BackupError::Damaged(error.to_string()))?;
        Ok((Self::with(identity), file))
    }

    /// The key from its file.
    pub(super) fn unlock(passphrase: Passphrase, file: &[u8]) -> BackupResult<Self> {
        let damaged = || BackupError::Damaged("its key".to_owned());
        let mut opener = age::scrypt::Identity::new(passphrase.0);
        opener.set_max_work_factor(MOST_WORK);
        let secret = age::decrypt(&opener, file).map_err(|error| match error {
            age::DecryptError::DecryptionFailed
            | age::DecryptError::NoMatchingKeys
            | age::DecryptError::KeyDecryptionFailed => BackupError::WrongPassphrase,
            _ => damaged(),
        })?;
        let identity = std::str::from_utf8(&secret).ok().and_then(|text| text.parse().ok());
        identity.map(Self::with).ok_or_else(damaged)
    }

    fn with(identity: Identity) -> Self {
        let mut hasher = Sha256::new_with_prefix(b"pdpp backup names\0");
        hasher.update(identity.to_string().expose_secret().as_bytes());
        Self { key: hasher.finalize().into(), identity: Some(identity) }
    }

    /// What these bytes are called. Who lacks the key cannot tell whether a backup holds them.
    #[expect(clippy::expect_used, reason = "HMAC takes a key of any length")]
    pub(super) fn name(&self, bytes: &[u8]) -> String {
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.key).expect("a key of any length");
        mac.update(bytes);
        let digest: [u8; 32] = mac.finalize().into_bytes().into();
        hex(&digest)
    }

    /// The key that decides where pieces end.
    pub(super) fn cutting_key(&self) -> [u8; 16] {
        let digest = Sha256::new_with_prefix(b"pdpp backup pieces\0").chain_update(self.key);
        let digest: [u8; 32] = digest.finalize().into();
        let mut key = [0; 16];
        key.iter_mut().zip(digest).for_each(|(to, from)| *to = from);
        key
    }

    /// Bytes as they lie on the disk.
    pub(super) fn seal(&self, bytes: &[u8]) -> BackupResult<Vec<u8>> {
        match &self.identity {
            None => Ok(bytes.to_vec()),
            Some(identity) => age::encrypt(&identity.to_public(), bytes)
                .map_err(|error| BackupError::Damaged(error.to_string())),
        }
    }

    /// Bytes as they were given; nothing when they are not what was sealed.
    pub(super) fn unseal(&self, bytes: Vec<u8>) -> Option<Vec<u8>> {
        match &self.identity {
            None => Some(bytes),
            Some(identity) => age::decrypt(identity, &bytes).ok(),
        }
    }
}
