//! The list of the pieces of a backup, and whose it is.

use serde::{Deserialize, Serialize};

use super::BackupError;
use super::BackupResult;
use super::seal::Seal;
use crate::transfer::layout::Layout;

/// What every manifest begins with; the digest of the rest follows.
const MARK: &str = "pdpp backup 1 ";
/// The version that writes it.
const PROGRAM: &str = env!("CARGO_PKG_VERSION");

/// The pieces of a backup in their order, and whose it is.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Manifest {
    program: String,
    /// The digest of all tables and columns: rows fit only where it is the same.
    layout: String,
    pub store_id: String,
    pub pieces: Vec<String>,
}

impl Manifest {
    pub(super) fn new(store_id: String, pieces: Vec<String>) -> Self {
        Self { program: PROGRAM.to_owned(), layout: Layout::default().digest(), store_id, pieces }
    }

    /// The bytes that are sealed and kept.
    pub(super) fn write(&self, seal: &Seal) -> BackupResult<Vec<u8>> {
        let text =
            serde_json::to_string(self).map_err(|error| BackupError::Damaged(error.to_string()))?;
        Ok(format!("{MARK}{}\n{text}", seal.name(text.as_bytes())).into_bytes())
    }

    /// The list again, if it is the one that was written.
    pub(super) fn read(bytes: &[u8], seal: &Seal) -> BackupResult<Self> {
        let damaged = || BackupError::Damaged("its manifest".to_owned());
        let text = std::str::from_utf8(bytes).map_err(|_| damaged())?;
        let (head, text) = text.split_once('\n').ok_or_else(damaged)?;
        if head.strip_prefix(MARK) != Some(&seal.name(text.as_bytes())) {
            return Err(damaged());
        }
        let manifest: Self = serde_json::from_str(text).map_err(|_| damaged())?;
        if manifest.pieces.iter().any(|name| !is_name(name)) {
            return Err(damaged());
        }
        Ok(manifest)
    }

    /// The tables whose rows it lists; refused when no version up to this one had them.
    pub(super) fn layout(&self) -> BackupResult<Layout> {
        let layout = Layout::of_digest(&self.layout);
        layout.ok_or_else(|| BackupError::OtherVersion(self.program.clone()))
    }
}

/// The only form of a name, which is also a file's.
pub(super) fn is_name(name: &str) -> bool {
    name.len() == 64 && is_hex(name)
}

pub(super) fn is_hex(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_manifest_that_was_changed_or_is_of_other_tables_is_refused() {
        let seal = Seal::open();
        let mut manifest = Manifest::new("5a".to_owned(), vec!["0".repeat(64)]);
        let bytes = manifest.write(&seal).unwrap();
        assert_eq!(Manifest::read(&bytes, &seal).unwrap().pieces, manifest.pieces);
        for at in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[at] ^= 1;
            assert!(Manifest::read(&changed, &seal).is_err(), "byte {at}");
        }
        assert!(manifest.layout().unwrap().is_current());
        manifest.layout = "another".to_owned();
        assert!(matches!(manifest.layout(), Err(BackupError::OtherVersion(_))));
        manifest.pieces = vec!["../../../etc/passwd".to_owned()];
        let bytes = manifest.write(&seal).unwrap();
        assert!(Manifest::read(&bytes, &seal).is_err(), "a name is no path");
    }
}
