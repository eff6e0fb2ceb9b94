//! Credentials for remote providers: one file per provider, readable by its owner only.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::PathBuf;

use jiff::Timestamp;
use pdpp_contract::ports::Entropy;
use pdpp_mcp::remote::ProviderUrl;
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::kept::KeptCredential;
use super::private_file::read_private;
use super::refused::refuse_owner_credential;
use crate::data_dir::{create_private, write_private};
use crate::failure::{Exit, Failure};
use pdpp_contract::hex;

/// The directory in which credentials and the key of this machine's handles are kept.
pub struct ProviderCache(PathBuf);

impl ProviderCache {
    /// The cache in `root`, which need not exist.
    pub fn new(root: PathBuf) -> Self {
        Self(root)
    }

    /// The credential for a provider, to be used now. Refuses a file that others can read, an
    /// owner's credential, and a token whose time is over and that cannot be renewed.
    pub fn usable(
        &self,
        provider: &ProviderUrl,
        now: Timestamp,
    ) -> Result<KeptCredential, Failure> {
        let Some(kept) = self.find(provider)? else {
            return Err(missing(provider, "no credential for"));
        };
        if kept.expires_at.is_some_and(|end| end <= now) && !kept.can_renew() {
            return Err(missing(provider, "the saved credential has expired for"));
        }
        Ok(kept)
    }

    /// The credential for a provider, if one is kept; judged before it is used.
    pub fn find(&self, provider: &ProviderUrl) -> Result<Option<KeptCredential>, Failure> {
        let path = self.path(provider);
        let Some(bytes) = read_private(&path)? else { return Ok(None) };
        let unreadable = || missing(provider, "cannot read the saved credential for");
        let document: Value = serde_json::from_slice(&bytes).map_err(|_| unreadable())?;
        let place = format!("the credential file {}", path.display());
        refuse_owner_credential(&without_refresh(&document), &place)?;
        KeptCredential::read(&document).map(Some).ok_or_else(unreadable)
    }

    /// Keeps a credential: complete or not at all, and never readable by other people.
    pub fn keep(&self, provider: &ProviderUrl, kept: &KeptCredential) -> Result<PathBuf, Failure> {
        let path = self.path(provider);
        write_private(&path, format!("{}\n", kept.document()).as_bytes())
            .map_err(|error| Failure::file("write", &path, &error))?;
        Ok(path)
    }

    /// Waits for the right to renew a provider's credential; the file that comes back holds it.
    pub fn lock(&self, provider: &ProviderUrl) -> Result<File, Failure> {
        let path = self.path(provider).with_extension("lock");
        let take = || -> io::Result<File> {
            create_private(path.parent().unwrap_or(&self.0))?;
            let mut options = OpenOptions::new();
            options.read(true).write(true).create(true).truncate(false);
            let file = options.open(&path)?;
            file.lock()?;
            Ok(file)
        };
        take().map_err(|error| Failure::file("lock", &path, &error))
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
        write_private(&path, &key).map_err(|error| Failure::file("write", &path, &error))?;
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
    Failure::new(Exit::NoCredential, "not_connected", format!("{what} {url}"))
        .with_advice(format!("get one with: pdpp connect {url}"))
}

/// A refresh token has its own place in the file; anywhere else it has no business.
fn without_refresh(document: &Value) -> Value {
    let mut document = document.clone();
    let credential = document.get_mut("credential").and_then(Value::as_object_mut);
    if let Some(credential) = credential
        && let Some(Value::String(text)) = credential.get("refresh_token")
        && text.starts_with("pdpp_refresh_")
    {
        credential.remove("refresh_token");
    }
    document
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use jiff::SignedDuration;
    use serde_json::json;

    use super::*;
    use crate::agents::OauthClient;

    #[test]
    fn a_provider_s_file_is_named_after_its_place() {
        let cache = ProviderCache::new(PathBuf::from("/x"));
        let path = |url: &str| cache.path(&url.parse().unwrap());
        assert_eq!(path("http://localhost:3000"), PathBuf::from("/x/clients/localhost_3000.json"));
        assert_eq!(path("https://a.example"), PathBuf::from("/x/clients/a.example.json"));
        assert_ne!(path("https://a.example/one"), path("https://a.example/two"));
        assert_ne!(path("https://a.example/one"), path("https://a.example"));
    }

    fn kept(access_token: &str, refresh_token: &str) -> KeptCredential {
        KeptCredential {
            access_token: access_token.to_owned(),
            refresh_token: Some(refresh_token.to_owned()),
            expires_in: Some(3600),
            expires_at: None,
            client: OauthClient::read(&json!({"client_id": "dcr_1"})),
            package_id: Some("pkg_1".to_owned()),
            issuer: "https://a.example".to_owned(),
            resource: "https://a.example/v1".to_owned(),
            token_endpoint: "https://a.example/oauth/token".to_owned(),
        }
    }

    fn secret(kind: &str) -> String {
        format!("pdpp_{kind}_{}", "a1B".repeat(17).get(..49).unwrap())
    }

    #[test]
    fn a_credential_comes_back_with_what_renews_it() {
        let root = tempfile::tempdir().unwrap();
        let cache = ProviderCache::new(root.path().join("cache"));
        let provider: ProviderUrl = "https://a.example".parse().unwrap();
        assert!(cache.find(&provider).unwrap().is_none());
        let now: Timestamp = "2026-01-01T00:00:00Z".parse().unwrap();
        let one = kept(&secret("client"), &secret("refresh")).dated(now);
        cache.keep(&provider, &one).unwrap();
        let found = cache.usable(&provider, now).unwrap();
        assert_eq!(found.refresh_token, one.refresh_token);
        assert_eq!(found.expires_at.unwrap().to_string(), "2026-01-01T01:00:00Z");
        let late = now + SignedDuration::from_hours(2);
        assert!(cache.usable(&provider, late).is_ok(), "it can be renewed");
        cache.keep(&provider, &KeptCredential { refresh_token: None, ..one }).unwrap();
        assert_eq!(cache.usable(&provider, late).unwrap_err().exit, Exit::NoCredential);
    }

    #[test]
    fn t_own_4_an_owner_s_token_is_refused_wherever_it_stands_in_the_file() {
        let root = tempfile::tempdir().unwrap();
        let cache = ProviderCache::new(root.path().join("cache"));
        let provider: ProviderUrl = "https://a.example".parse().unwrap();
        for (access, refresh) in [
            (secret("owner"), secret("refresh")),
            (secret("client"), secret("owner")),
            (secret("refresh"), secret("refresh")),
            (secret("ctl"), secret("refresh")),
        ] {
            cache.keep(&provider, &kept(&access, &refresh)).unwrap();
            assert_eq!(cache.find(&provider).unwrap_err().exit, Exit::Refused);
        }
    }

    #[cfg(unix)]
    #[test]
    fn t_file_1_a_file_that_others_can_read_or_a_link_is_refused() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let root = tempfile::tempdir().unwrap();
        let cache = ProviderCache::new(root.path().join("cache"));
        let provider: ProviderUrl = "https://a.example".parse().unwrap();
        let path = cache.keep(&provider, &kept(&secret("client"), &secret("refresh"))).unwrap();
        let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(&path), mode(path.parent().unwrap())), (0o600, 0o700));
        for open in [0o640, 0o604, 0o660] {
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(open)).unwrap();
            assert_eq!(cache.find(&provider).unwrap_err().exit, Exit::Refused, "{open:o}");
        }
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600)).unwrap();
        assert!(cache.find(&provider).is_ok());
        let elsewhere = root.path().join("elsewhere.json");
        std::fs::rename(&path, &elsewhere).unwrap();
        symlink(&elsewhere, &path).unwrap();
        assert_eq!(cache.find(&provider).unwrap_err().exit, Exit::Refused);
    }

    #[test]
    fn the_key_is_made_once() {
        let root = tempfile::tempdir().unwrap();
        let cache = ProviderCache::new(root.path().join("cache"));
        let key = cache.key(&crate::platform::entropy::SystemEntropy).unwrap();
        assert_eq!(cache.key(&crate::platform::entropy::SystemEntropy).unwrap(), key);
        assert_ne!(key, [0; 32]);
    }
}
