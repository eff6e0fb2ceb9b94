//! Standard input as a file: some formats are read twice, and nobody can rewind a pipe.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::data_dir::DataDir;
use crate::failure::Failure;

/// The paths of an export, with `-` replaced by what stood on standard input.
pub struct Spool {
    paths: Vec<PathBuf>,
    /// Removed with everything in it when the import is over.
    _directory: Option<TempDir>,
}

impl Spool {
    /// Copies standard input into the data directory when a path is `-`.
    pub fn take_standard_input(paths: &[PathBuf], data_dir: &DataDir) -> Result<Self, Failure> {
        let is_input = |path: &PathBuf| path == Path::new("-");
        if !paths.iter().any(is_input) {
            return Ok(Self { paths: paths.to_vec(), _directory: None });
        }
        data_dir.create()?;
        let here = data_dir.path();
        let failed = |error: &io::Error| Failure::file("write to", here, error);
        let directory =
            tempfile::Builder::new().prefix("import-").tempdir_in(here).map_err(|e| failed(&e))?;
        let file = directory.path().join("standard-input");
        let mut copy = File::create(&file).map_err(|error| failed(&error))?;
        io::copy(&mut io::stdin().lock(), &mut copy).map_err(|error| failed(&error))?;
        let replaced =
            paths.iter().map(|path| if is_input(path) { file.clone() } else { path.clone() });
        Ok(Self { paths: replaced.collect(), _directory: Some(directory) })
    }

    /// The paths to read.
    pub fn paths(&self) -> &[PathBuf] {
        &self.paths
    }
}
