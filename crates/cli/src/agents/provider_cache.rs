//! Credentials for remote providers: one file per provider, readable by its owner only.

use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

use jiff::{SignedDuration, Timestamp};
use pdpp_contract::Instant;
use pdpp_contract::ports::Entropy;
use pdpp_mcp::remote::ProviderUrl;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::refused::check_credential;
use crate::data_dir::create_private;
use crate::failure::{Exit, Failure};
use crate::words::hex;

/// The directory in which credentials and the key of this machine's handles are kept.
pub struct ProviderCache(PathBuf);

/// What a sign-in left: a token, and how to renew it.
#[derive(Clone)]
pub struct KeptCredential {
    pub access_token: String,
    pub refresh_token: Option<String>,
    /// How long the token lives, as the server said; not kept.
    pub expires_in: Option<i64>,
    pub expires_at: Option<Timestamp>,
    pub client_id: String,
    pub package_id: Option<String>,
    pub issuer: String,
    pub resource: String,
    pub token_endpoint: String,
}

impl KeptCredential {
    /// The same with the instant at which its token ends.
    pub fn dated(mut self, now: Timestamp) -> Self {
        let life = self.expires_in.map(SignedDuration::from_secs);
        self.expires_at = life.and_then(|life| now.checked_add(life).ok());
        self
    }

    fn document(&self) -> Value {
        let mut document = json!({
            "version": 1,
            "credential": {
                "access_token": self.access_token,
                "token_type": "Bearer",
                "pdpp_token_kind": "client",
            },
            "client": {"client_id": self.client_id},
            "issuer": self.issuer,
            "resource": self.resource,
            "token_endpoint": self.token_endpoint,
        });
        let optional = [
            ("/credential", "expires_at", self.expires_at.map(|end| end.to_string())),
            ("/credential", "refresh_token", self.refresh_token.clone()),
            ("", "package_id", self.package_id.clone()),
        ];
        for (place, name, value) in optional {
            let members = document.pointer_mut(place).and_then(Value::as_object_mut);
            if let (Some(members), Some(value)) = (members, value) {
                members.insert(name.to_owned(), Value::from(value));
            }
        }
        document
    }

    /// Reads what this program and its relatives write; a bare token is enough.
    fn read(document: &Value) -> Option<Self> {
        let text = |pointer: &str| document.pointer(pointer).and_then(Value::as_str);
        let owned = |pointer: &str| text(pointer).map(str::to_owned);
        let ends = text("/credential/expires_at").and_then(Instant::parse);
        Some(Self {
            access_token: owned("/credential/access_token")?,
            refresh_token: owned("/credential/refresh_token"),
            expires_in: None,
            expires_at: ends.map(|end| end.timestamp()),
            client_id: owned("/client/client_id").unwrap_or_default(),
            package_id: owned("/package_id"),
            issuer: owned("/issuer").unwrap_or_default(),
            resource: owned("/resource").unwrap_or_default(),
            token_endpoint: owned("/token_endpoint").unwrap_or_default(),
        })
    }

    fn can_renew(&self) -> bool {
        self.refresh_token.is_some() && !self.token_endpoint.is_empty()
    }
}

impl std::fmt::Debug for KeptCredential {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("KeptCredential(…)")
    }
}

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
            return Err(missing(provider, "there is no credential for"));
        };
        if kept.expires_at.is_some_and(|end| end <= now) && !kept.can_renew() {
            return Err(missing(provider, "the kept credential has expired for"));
        }
        Ok(kept)
    }

    /// The credential for a provider, if one is kept; judged before it is used.
    pub fn find(&self, provider: &ProviderUrl) -> Result<Option<KeptCredential>, Failure> {
        let path = self.path(provider);
        let Some(bytes) = read_private(&path)? else { return Ok(None) };
        let unreadable = || missing(provider, "the kept credential cannot be read for");
        let document: Value = serde_json::from_slice(&bytes).map_err(|_| unreadable())?;
        let place = format!("the credential file {}", path.display());
        check_credential(&without_refresh(&document), &place)?;
        KeptCredential::read(&document).map(Some).ok_or_else(unreadable)
    }

    /// Keeps a credential: complete or not at all, and never readable by other people.
    pub fn keep(&self, provider: &ProviderUrl, kept: &KeptCredential) -> Result<PathBuf, Failure> {
        let path = self.path(provider);
        let write = || -> io::Result<()> {
            let directory = path.parent().unwrap_or(&self.0);
            create_private(directory)?;
            // Made for its owner only, under a name that nobody can have put there before.
            let mut file = tempfile::NamedTempFile::new_in(directory)?;
            file.write_all(format!("{}\n", kept.document()).as_bytes())?;
            file.as_file().sync_all()?;
            file.persist(&path).map_err(|error| error.error)?;
            Ok(())
        };
        write().map_err(|error| Failure::file("write", &path, &error))?;
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

/// The bytes of a file that only we can read or change; `None` when there is none. A link is not
/// followed: what was looked at is what is read.
fn read_private(path: &Path) -> Result<Option<Vec<u8>>, Failure> {
    let failed = |error: io::Error| Failure::file("read", path, &error);
    let seen = match std::fs::symlink_metadata(path) {
        Ok(seen) => seen,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(failed(error)),
    };
    if !seen.is_file() {
        let path = path.display();
        let message = format!("{path} is a link or no plain file; remove it and connect again");
        return Err(Failure::new(Exit::Refused, "credential_exposed", message));
    }
    let mut file = File::open(path).map_err(failed)?;
    let opened = file.metadata().map_err(failed)?;
    check_private(path, &seen, &opened)?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes).map_err(failed)?;
    Ok(Some(bytes))
}

#[cfg(unix)]
fn check_private(path: &Path, seen: &Metadata, opened: &Metadata) -> Result<(), Failure> {
    use std::os::unix::fs::MetadataExt;
    let place = path.display();
    let refused = |message: String| Failure::new(Exit::Refused, "credential_exposed", message);
    if (seen.dev(), seen.ino()) != (opened.dev(), opened.ino()) {
        return Err(refused(format!("{place} changed while it was read; try again")));
    }
    // Whoever made this file just now is who we are.
    let own = tempfile::tempfile().and_then(|file| file.metadata()).map(|made| made.uid());
    if own.is_ok_and(|own| own != opened.uid()) {
        return Err(refused(format!("{place} belongs to somebody else; remove it")));
    }
    if opened.mode().trailing_zeros() >= 6 {
        return Ok(());
    }
    Err(refused(format!("other people can read {place}; close it with: chmod 600 '{place}'")))
}

#[cfg(not(unix))]
fn check_private(_: &Path, _: &Metadata, _: &Metadata) -> Result<(), Failure> {
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

    fn kept(access_token: &str, refresh_token: &str) -> KeptCredential {
        KeptCredential {
            access_token: access_token.to_owned(),
            refresh_token: Some(refresh_token.to_owned()),
            expires_in: Some(3600),
            expires_at: None,
            client_id: "dcr_1".to_owned(),
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
        let key = cache.key(&crate::entropy::SystemEntropy).unwrap();
        assert_eq!(cache.key(&crate::entropy::SystemEntropy).unwrap(), key);
        assert_ne!(key, [0; 32]);
    }
}
