//! Credentials of agents on this machine: one file per client, readable by its owner only.

use std::io::{self, Seek, Write};
use std::path::{Path, PathBuf};

use pdpp_contract::{ClientName, PackageId};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::agents::read_private;
use crate::data_dir::create_private;
use crate::data_dir::ownership;
use crate::failure::{Exit, Failure};
use crate::output::quoted;
use pdpp_contract::hex;

/// A longer file name is cut and told apart by a digest; file systems end at 255 bytes.
const MAX_STEM_BYTES: usize = 160;

/// Bytes made sure of before a credential exists; none is longer.
const RESERVED_BYTES: usize = 4096;

/// How the name of a file ends that holds the address of a client's database.
pub const ADDRESS: &str = "database-url";

/// What an agent needs to read: its token and whose it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredCredential {
    /// The token and what is known about it.
    pub credential: Credential,
    /// Who may use it.
    pub client: CredentialClient,
    /// What it opens.
    pub package_id: PackageId,
}

/// A token as it is kept for later use.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Credential {
    /// The secret itself.
    pub access_token: String,
    /// Always `Bearer`.
    pub token_type: String,
    /// Always `client`: an owner's token is never kept.
    pub pdpp_token_kind: String,
    /// When it ends; absent means when it is revoked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<String>,
}

impl std::fmt::Debug for Credential {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Credential(…)")
    }
}

/// Who may use a credential.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CredentialClient {
    /// The client's name at this server.
    pub client_id: ClientName,
}

/// Room for one credential, on disk already.
pub struct CredentialSlot {
    file: tempfile::NamedTempFile,
    path: PathBuf,
}

impl CredentialSlot {
    /// Puts the credential in its place, all of it or nothing.
    pub fn fill(self, stored: &StoredCredential) -> Result<PathBuf, Failure> {
        let Self { mut file, path } = self;
        let write = || -> io::Result<()> {
            let mut line = serde_json::to_vec(stored)?;
            line.push(b'\n');
            file.rewind()?;
            file.write_all(&line)?;
            file.as_file().set_len(u64::try_from(line.len()).unwrap_or(u64::MAX))?;
            file.as_file().sync_all()?;
            file.persist(&path).map_err(|error| error.error)?;
            Ok(())
        };
        write().map_err(|error| Failure::file("write", &path, &error))?;
        Ok(path)
    }
}

/// The directory of credentials.
pub struct Credentials(PathBuf);

impl Credentials {
    /// The credentials kept in `directory`, which need not exist yet.
    pub fn new(directory: PathBuf) -> Self {
        Self(directory)
    }

    /// Keeps a credential, in place of an older one of the same client.
    ///
    /// The file is complete or not there at all, and never readable by other people.
    pub fn keep(&self, stored: &StoredCredential) -> Result<PathBuf, Failure> {
        self.reserve(&stored.client.client_id)?.fill(stored)
    }

    /// Makes room for a client's credential without touching the one that is there.
    pub fn reserve(&self, client: &ClientName) -> Result<CredentialSlot, Failure> {
        let path = self.path(client);
        ownership::check_root(&self.0)?;
        self.check_no_link()?;
        let make = || -> io::Result<tempfile::NamedTempFile> {
            create_private(&self.0)?;
            // A temporary file is made for its owner only, and keeps that when it is renamed.
            let mut file = tempfile::NamedTempFile::new_in(&self.0)?;
            file.write_all(&[b' '; RESERVED_BYTES])?;
            file.as_file().sync_all()?;
            if path.is_dir() {
                return Err(io::Error::from(io::ErrorKind::IsADirectory));
            }
            Ok(file)
        };
        match make() {
            Ok(file) => Ok(CredentialSlot { file, path }),
            Err(error) => Err(Failure::file("write", &path, &error)),
        }
    }

    /// Refuses a directory that is a link: what is kept would be where somebody else chose.
    fn check_no_link(&self) -> Result<(), Failure> {
        let found = std::fs::symlink_metadata(&self.0);
        if !found.is_ok_and(|found| found.is_symlink()) {
            return Ok(());
        }
        let place = self.0.display().to_string();
        let message = format!("{place} is a link, and credentials need a directory of their own");
        let advice = format!("run: rm {}", quoted(&place));
        Err(Failure::new(Exit::Refused, "credential_exposed", message).with_advice(advice))
    }

    /// The credential of a client; `None` when none is kept or the file is not one of ours.
    pub fn find(&self, client: &ClientName) -> Result<Option<StoredCredential>, Failure> {
        let path = self.path(client);
        self.check_no_link()?;
        match std::fs::read(&path) {
            Ok(bytes) => Ok(serde_json::from_slice(&bytes).ok()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(Failure::file("read", &path, &error)),
        }
    }

    /// The client's credential file as it stands, to be judged before it is used. One that other
    /// people can read is refused.
    pub fn find_document(&self, client: &ClientName) -> Result<Option<serde_json::Value>, Failure> {
        self.check_no_link()?;
        let bytes = read_private(&self.path(client))?;
        Ok(bytes.and_then(|bytes| serde_json::from_slice(&bytes).ok()))
    }

    /// Deletes the client's credential if it opens this package, after the address that was kept beside it.
    /// Says whether it did. Where there is no credential, an address has nothing to stay for.
    pub fn forget(&self, client: &ClientName, package: &PackageId) -> Result<bool, Failure> {
        let kept = self.find(client)?;
        if kept.as_ref().is_some_and(|stored| stored.package_id != *package) {
            return Ok(false);
        }
        self.forget_address(client)?;
        if kept.is_none() {
            return Ok(false);
        }
        let path = self.path(client);
        std::fs::remove_file(&path).map_err(|error| Failure::file("delete", &path, &error))?;
        Ok(true)
    }

    /// Deletes the address of the client's database, if one is kept.
    pub fn forget_address(&self, client: &ClientName) -> Result<(), Failure> {
        let path = self.address_file(client);
        match std::fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(Failure::file("delete", &path, &error))
            }
            _ => Ok(()),
        }
    }

    /// Where the address of the client's database is kept, beside its credential and as long as it.
    pub fn address_file(&self, client: &ClientName) -> PathBuf {
        Path::new(&self.0).join(format!("{}.{ADDRESS}", file_stem(client.as_str())))
    }

    fn path(&self, client: &ClientName) -> PathBuf {
        Path::new(&self.0).join(format!("{}.json", file_stem(client.as_str())))
    }
}

/// A file name for a client: two names never share one, on any file system.
///
/// Capitals are written as codes too, because some file systems take `A` for `a`.
fn file_stem(name: &str) -> String {
    let mut stem = String::new();
    for byte in name.bytes() {
        match byte {
            b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_' => stem.push(char::from(byte)),
            other => {
                stem.push('%');
                stem.push_str(&hex(&[other]));
            }
        }
    }
    if stem.len() <= MAX_STEM_BYTES {
        return stem;
    }
    let digest: String = hex(&Sha256::digest(name.as_bytes())).chars().take(32).collect();
    stem.truncate(MAX_STEM_BYTES - digest.len() - 1);
    format!("{stem}~{digest}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stored(client: &str, package: &str) -> StoredCredential {
        StoredCredential {
            credential: Credential {
                access_token: "secret".to_owned(),
                token_type: "Bearer".to_owned(),
                pdpp_token_kind: "client".to_owned(),
                expires_at: None,
            },
            client: CredentialClient { client_id: client.parse().unwrap() },
            package_id: package.parse().unwrap(),
        }
    }

    #[test]
    fn a_credential_is_found_again_and_forgotten_with_its_package_only() {
        let directory = tempfile::tempdir().unwrap();
        let credentials = Credentials::new(directory.path().join("credentials"));
        let kept = stored("Claude Code", "pkg_1");
        let client = kept.client.client_id.clone();
        assert_eq!(credentials.find(&client).unwrap(), None);
        credentials.keep(&kept).unwrap();
        let address = credentials.address_file(&client);
        std::fs::write(&address, "postgres://db").unwrap();
        assert_eq!(credentials.find(&client).unwrap(), Some(kept));
        assert!(!credentials.forget(&client, &"pkg_2".parse().unwrap()).unwrap());
        assert!(address.exists());
        assert!(credentials.forget(&client, &"pkg_1".parse().unwrap()).unwrap());
        assert!(!address.exists());
        assert_eq!(credentials.find(&client).unwrap(), None);
        std::fs::write(&address, "postgres://db").unwrap();
        assert!(!credentials.forget(&client, &"pkg_1".parse().unwrap()).unwrap());
        assert!(!address.exists(), "it outlives no credential");
    }

    #[cfg(unix)]
    #[test]
    fn nobody_else_can_read_it() {
        use std::os::unix::fs::PermissionsExt;
        let directory = tempfile::tempdir().unwrap();
        let credentials = Credentials::new(directory.path().join("credentials"));
        let path = credentials.keep(&stored("claude", "pkg_1")).unwrap();
        let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(&path), 0o600);
        assert_eq!(mode(path.parent().unwrap()), 0o700);
        let client = "claude".parse().unwrap();
        assert!(credentials.find_document(&client).unwrap().is_some());
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o644)).unwrap();
        let refused = credentials.find_document(&client).unwrap_err();
        assert_eq!(
            (refused.code, refused.sentence().contains("chmod 600")),
            ("credential_exposed", true)
        );
    }

    #[test]
    fn names_become_file_names_that_stay_inside_and_apart() {
        assert_eq!(file_stem("claude-code"), "claude-code");
        assert_eq!(file_stem("../Évil"), "%2e%2e%2f%c3%89vil");
        assert_ne!(file_stem("A"), file_stem("a"));
        let (long, other) = ("é".repeat(64), format!("{}e", "é".repeat(63)));
        assert!(file_stem(&long).len() <= MAX_STEM_BYTES);
        assert_ne!(file_stem(&long), file_stem(&other));
    }

    #[test]
    fn a_debug_print_shows_no_token() {
        assert!(!format!("{:?}", stored("claude", "pkg_1")).contains("secret"));
    }
}
