//! Credentials for remote providers: one file per provider, readable by its owner only.

use std::io;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use pdpp_contract::Instant;
use pdpp_contract::ports::Entropy;
use pdpp_mcp::remote::ProviderUrl;
use serde::Deserialize;
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::refused::check_credential;
use crate::data_dir::create_private;
use crate::failure::{Exit, Failure};
use crate::words::hex;

/// The directory in which credentials and the key of this machine's handles are kept.
pub struct ProviderCache(PathBuf);

/// A kept credential, as this program and its relatives write it.
#[derive(Deserialize)]
struct Kept {
    credential: KeptToken,
}

#[derive(Deserialize)]
struct KeptToken {
    access_token: String,
    #[serde(default)]
    expires_at: Option<String>,
}

impl ProviderCache {
    /// The cache in `root`, which need not exist.
    pub fn new(root: PathBuf) -> Self {
        Self(root)
    }

    /// The token for a provider. Refuses a file that others can read, an owner's credential, and a
    /// token whose time is over.
    pub fn token(&self, provider: &ProviderUrl, now: Timestamp) -> Result<String, Failure> {
        let path = self.path(provider);
        let bytes = match std::fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(missing(provider, "there is no credential for"));
            }
            Err(error) => return Err(Failure::file("read", &path, &error)),
        };
        check_private(&path)?;
        let document: Value = serde_json::from_slice(&bytes)
            .map_err(|_| missing(provider, "the kept credential cannot be read for"))?;
        check_credential(&document, &format!("the credential file {}", path.display()))?;
        let kept: Kept = serde_json::from_value(document)
            .map_err(|_| missing(provider, "the kept credential cannot be read for"))?;
        let ends = kept.credential.expires_at.as_deref().and_then(Instant::parse);
        if ends.is_some_and(|end| end.timestamp() <= now) {
            return Err(missing(provider, "the kept credential has expired for"));
        }
        Ok(kept.credential.access_token)
    }

    /// The key that seals handles on this machine; made when it is first needed.
    pub fn key(&self, entropy: &dyn Entropy) -> Result<[u8; 32], Failure> {
        let path = self.0.join("handles.key");
        if let Ok(bytes) = std::fs::read(&path)
            && let Ok(key) = <[u8; 32]>::try_from(bytes)
        {
            return Ok(key);
        }
        let mut key = [0; 32];
        entropy.fill(&mut key);
        let write = || -> io::Result<()> {
            create_private(&self.0)?;
            // A temporary file is made for its owner only, and keeps that when it is renamed.
            let file = tempfile::NamedTempFile::new_in(&self.0)?;
            std::fs::write(file.path(), key)?;
            file.persist(&path).map_err(|error| error.error)?;
            Ok(())
        };
        write().map_err(|error| Failure::file("write", &path, &error))?;
        Ok(key)
    }

    /// Host and port name the file; a provider below a path has its own, told apart by a digest.
    fn path(&self, provider: &ProviderUrl) -> PathBuf {
        let place = provider.place();
        let (host, path) = place.split_once('/').unwrap_or((place, ""));
        let plain = |char: char| {
            if char.is_ascii_alphanumeric() || ".-".contains(char) { char } else { '_' }
        };
        let mut stem: String = host.chars().map(plain).collect();
        if !path.is_empty() {
            let digest: String = hex(&Sha256::digest(path.as_bytes())).chars().take(16).collect();
            stem.push('~');
            stem.push_str(&digest);
        }
        self.0.join("clients").join(format!("{stem}.json"))
    }
}

fn missing(provider: &ProviderUrl, what: &str) -> Failure {
    let url = provider.as_str();
    let message = format!("{what} {url}; get one with: pdpp connect {url}");
    Failure::new(Exit::NoCredential, "not_connected", message)
}

#[cfg(unix)]
fn check_private(path: &Path) -> Result<(), Failure> {
    use std::os::unix::fs::MetadataExt;
    let kept = std::fs::symlink_metadata(path).map_err(|e| Failure::file("read", path, &e))?;
    if kept.is_file() && kept.mode().trailing_zeros() >= 6 {
        return Ok(());
    }
    let path = path.display();
    let message = format!("other people can read {path}; close it with: chmod 600 '{path}'");
    Err(Failure::new(Exit::Refused, "credential_exposed", message))
}

#[cfg(not(unix))]
fn check_private(_: &Path) -> Result<(), Failure> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_provider_s_file_is_named_after_its_place() {
        let cache = ProviderCache::new(PathBuf::from("/x"));
        let path = |url: &str| cache.path(&url.parse().unwrap());
        assert_eq!(path("http://localhost:3000"), PathBuf::from("/x/clients/localhost_3000.json"));
        assert_eq!(path("https://a.example"), PathBuf::from("/x/clients/a.example.json"));
        assert_ne!(path("https://a.example/one"), path("https://a.example/two"));
        assert_ne!(path("https://a.example/one"), path("https://a.example"));
    }

    #[test]
    fn the_key_is_made_once() {
        let root = tempfile::tempdir().unwrap();
        let cache = ProviderCache::new(root.path().join("cache"));
        let key = cache.key(&crate::entropy::SystemEntropy).unwrap();
        assert_eq!(cache.key(&crate::entropy::SystemEntropy).unwrap(), key);
        assert_ne!(key, [0; 32]);
    }
}
