//! A revocation that could not be kept although all reserved space was used: until it is, no agent is served.
//!
//! The mark is an empty file, made of the emptied reserve by a new name, which needs no room. Every process
//! looks for it before it tells what a token opens. A second file names the revocation, so that another one
//! that succeeds does not lift it.

use std::fs::File;
use std::path::{Path, PathBuf};

use pdpp_contract::hex;
use sha2::{Digest, Sha256};

use super::read_only::beside;
use crate::error::{StoreError, StoreResult};

/// The mark beside one store.
#[derive(Debug, Clone)]
pub(crate) struct Halt {
    mark: PathBuf,
    reserve: PathBuf,
}

impl Halt {
    /// The mark of the store at a path.
    pub(crate) fn beside(store: &Path) -> Self {
        Self { mark: beside(store, "-halt"), reserve: beside(store, "-reserve") }
    }

    /// Fails while a revocation is still to be kept.
    pub(crate) fn check(&self) -> StoreResult<()> {
        if self.mark.exists() { Err(StoreError::Full) } else { Ok(()) }
    }

    /// Notes that what was to be revoked could not be.
    pub(crate) fn begin(&self, what: &str) {
        let marked = std::fs::rename(&self.reserve, &self.mark)
            .or_else(|_| File::create(&self.mark).map(drop));
        match marked {
            Ok(()) => tracing::error!(
                "the revocation could not be kept, so no agent is served; make room on the disk and \
                 revoke again"
            ),
            Err(error) => tracing::error!("the revocation could not be kept: {error}"),
        }
        // Without its name, any revocation that succeeds lifts the mark.
        let _ = File::create(self.named(what));
    }

    /// Notes that it was kept after all.
    pub(crate) fn end(&self, what: &str) {
        if !self.mark.exists() {
            return;
        }
        let _ = std::fs::remove_file(self.named(what));
        if !self.has_others() {
            let _ = std::fs::remove_file(&self.mark);
        }
    }

    fn named(&self, what: &str) -> PathBuf {
        let digest: [u8; 32] = Sha256::digest(what.as_bytes()).into();
        let name = hex(&digest[..8]);
        beside(&self.mark, &format!("-{name}"))
    }

    fn has_others(&self) -> bool {
        let start = self.mark.file_name().map(|name| format!("{}-", name.to_string_lossy()));
        let (Some(start), Some(folder)) = (start, self.mark.parent()) else { return false };
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        entries.into_iter().any(|entry| entry.file_name().to_string_lossy().starts_with(&start))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::access::tokens::{TokenHash, TokenStore};
    use crate::sqlite::testing::fresh;

    #[test]
    fn only_the_revocation_that_failed_lifts_the_mark() {
        let directory = tempfile::tempdir().unwrap();
        let halt = Halt::beside(&directory.path().join("store"));
        halt.check().unwrap();
        halt.begin("agent");
        halt.begin("another");
        assert!(matches!(halt.check(), Err(StoreError::Full)));
        halt.end("agent");
        halt.end("a third");
        assert!(halt.check().is_err(), "one is still to be kept");
        halt.end("another");
        halt.check().unwrap();
        assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 0);
    }

    #[tokio::test]
    async fn a_revocation_that_cannot_be_kept_stops_the_store_from_serving_agents() {
        let (store, _guard) = fresh().await.unwrap();
        let token = TokenHash::of("token");
        assert_eq!(store.find_access(&token).await.unwrap(), None);
        let full = |_: &rusqlite::Transaction<'_>| Err::<(), _>(StoreError::Full);
        store.write_revocation("agent".to_owned(), full).await.unwrap_err();
        let refused = store.find_access(&token).await;
        assert!(matches!(refused, Err(StoreError::Full)), "{refused:?}");
        store.write_revocation("another".to_owned(), |_| Ok(())).await.unwrap();
        assert!(store.find_access(&token).await.is_err(), "until that one is kept");
        store.write_revocation("agent".to_owned(), |_| Ok(())).await.unwrap();
        assert_eq!(store.find_access(&token).await.unwrap(), None);
    }
}
