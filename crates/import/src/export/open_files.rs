//! Files of an export, opened in any order.

use std::collections::HashMap;
use std::io::{self, Read};

use super::archive::Archive;
use super::{CountingFile, Export, FileLocation};

/// Opens files. Archives stay open, so that their table of contents is read once.
pub struct OpenFiles<'e> {
    export: &'e Export,
    archives: HashMap<usize, Archive<CountingFile>>,
}

impl<'e> OpenFiles<'e> {
    /// Opens files of `export`.
    pub fn new(export: &'e Export) -> Self {
        Self { export, archives: HashMap::new() }
    }

    /// Opens a file and hands its content to `read`.
    pub fn read<T>(
        &mut self,
        place: &FileLocation,
        read: impl FnOnce(&mut dyn Read) -> io::Result<T>,
    ) -> io::Result<T> {
        self.export.mark_read(place);
        match place {
            FileLocation::File(path) => read(&mut self.export.counted(path)?),
            FileLocation::Entry { root, index } => {
                if !self.archives.contains_key(root) {
                    self.archives.insert(*root, self.export.archive_of(*root)?);
                }
                match self.archives.get_mut(root) {
                    Some(archive) => read(&mut archive.entry(*index)?),
                    None => Err(io::Error::from(io::ErrorKind::NotFound)),
                }
            }
        }
    }
}
