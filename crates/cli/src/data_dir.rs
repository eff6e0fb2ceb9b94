//! The data directory: what lies where in it, readable by its owner only.

use std::path::{Path, PathBuf};

use crate::failure::Failure;

/// Where one store and what belongs to it live.
#[derive(Debug, Clone)]
pub struct DataDir(PathBuf);

impl DataDir {
    /// The directory at `path`, which need not exist yet.
    pub fn new(path: PathBuf) -> Self {
        Self(path)
    }

    /// The directory itself.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// The SQLite file.
    pub fn store(&self) -> PathBuf {
        self.0.join("pdpp.sqlite")
    }

    /// Blobs, one file each.
    pub fn blobs(&self) -> PathBuf {
        self.0.join("blobs")
    }

    /// The file that a running server keeps locked.
    pub fn serve_lock(&self) -> PathBuf {
        self.0.join("serve.lock")
    }

    /// Credentials of agents on this machine.
    pub fn credentials(&self) -> PathBuf {
        self.0.join("credentials")
    }

    /// Credentials for remote providers.
    pub fn providers(&self) -> PathBuf {
        self.0.join("providers")
    }

    /// The sample store, which never mixes with the real one.
    pub fn demo(&self) -> Self {
        Self(self.0.join("demo"))
    }

    /// Makes the directory, closed to other people, unless it is there.
    pub fn create(&self) -> Result<(), Failure> {
        create_private(&self.0).map_err(|error| Failure::file("create", &self.0, &error))
    }
}

/// Makes a directory and its parents. A new one is closed to other people.
pub fn create_private(path: &Path) -> std::io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::DirBuilderExt;
        builder.mode(0o700);
    }
    builder.create(path)
}
