//! Where a store lives and how it behaves.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use pdpp_contract::ports::Entropy;

/// Where a store lives and how it behaves.
pub struct StoreOptions {
    /// The SQLite file. Its directory must exist.
    pub path: PathBuf,
    /// Where blobs are kept; made when the first one comes.
    pub blobs: PathBuf,
    /// The longest a single read may take.
    pub read_deadline: Duration,
    /// Read-only connections kept open.
    pub readers: usize,
    /// Where keys come from when a store is created.
    pub entropy: Arc<dyn Entropy>,
}

impl StoreOptions {
    /// The usual settings for a file; blobs go into a directory beside it.
    pub fn new(path: impl Into<PathBuf>, entropy: Arc<dyn Entropy>) -> Self {
        let path = path.into();
        let blobs = path.with_file_name("blobs");
        Self { path, blobs, read_deadline: Duration::from_secs(20), readers: 4, entropy }
    }
}
