//! The file with the keys that credentials of live accounts are sealed under. It is never in the database
//! and in no backup.

use std::path::PathBuf;

use pdpp_contract::ports::Entropy;
use pdpp_sync::credential::KeyRing;
use zeroize::Zeroizing;

use crate::agents::private_file::read_private;
use crate::data_dir::{DataDir, write_private};
use crate::failure::{Exit, Failure};

/// The name of the credential that systemd hands over.
pub const CREDENTIAL_NAME: &str = "pdpp-account-keys";

/// Where the keys are.
#[derive(Debug, Clone)]
pub struct KeyFile {
    path: PathBuf,
    /// Whether it is ours to make and to change.
    is_ours: bool,
}

impl KeyFile {
    /// A file that the owner or systemd provides.
    pub fn given(path: PathBuf) -> Self {
        Self { path, is_ours: false }
    }

    /// The file in the data directory.
    pub fn in_data_dir(data_dir: &DataDir) -> Self {
        Self { path: data_dir.account_keys(), is_ours: true }
    }

    /// Its keys.
    pub fn read(&self) -> Result<KeyRing, Failure> {
        self.find()?.ok_or_else(|| {
            let message = format!("no key file at {}", self.path.display());
            Failure::new(Exit::NoCredential, "key_missing", message).with_advice(
                "put it back, or name it with --key-file; without it the passwords of accounts must \
                 be given again with: pdpp account password NAME",
            )
        })
    }

    /// Its keys; a file of ours is made with a new one when there is none.
    pub fn read_or_make(&self, entropy: &dyn Entropy) -> Result<KeyRing, Failure> {
        if let Some(keys) = self.find()? {
            return Ok(keys);
        }
        if !self.is_ours {
            return self.read();
        }
        let keys = KeyRing::generate(entropy);
        self.write(&keys)?;
        Ok(keys)
    }

    /// Replaces the keys. A file that somebody else provides is theirs to change.
    pub fn write(&self, keys: &KeyRing) -> Result<(), Failure> {
        if !self.is_ours {
            let message = format!("{} is not changed by pdpp", self.path.display());
            let advice = "put a new key on its first line and keep the old one below, then run: \
                          pdpp owner key rotate --reseal";
            return Err(Failure::usage(message).with_advice(advice));
        }
        write_private(&self.path, keys.to_text().as_bytes())
            .map_err(|error| Failure::file("write", &self.path, &error))
    }

    fn find(&self) -> Result<Option<KeyRing>, Failure> {
        // What systemd provides belongs to the service alone, but may be a link or another user's.
        let bytes = if self.is_ours {
            read_private(&self.path)?
        } else {
            let read = std::fs::read(&self.path);
            Some(read.map_err(|error| Failure::file("read", &self.path, &error))?)
        };
        let Some(bytes) = bytes.map(Zeroizing::new) else { return Ok(None) };
        let text = std::str::from_utf8(&bytes).unwrap_or_default();
        KeyRing::parse(text).map(Some).map_err(|fault| {
            let message = format!("{}: {fault}", self.path.display());
            Failure::new(Exit::NoCredential, "key_missing", message)
                .with_advice("name the right one with --key-file")
        })
    }
}
