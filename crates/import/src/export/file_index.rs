//! The other files of an export, found by how their names begin: pictures, voice notes, documents.

use std::cell::OnceCell;
use std::collections::HashMap;
use std::io::{self, Read};

use crate::export::open_files::OpenFiles;
use crate::export::{Export, FileLocation};

/// Files by name. Archives stay open, so that their table of contents is read once.
pub struct FileIndex<'e> {
    /// Base names in order, each with its place.
    files: Vec<(String, FileLocation)>,
    /// Places by the whole name, once somebody asked for one.
    paths: OnceCell<HashMap<String, FileLocation>>,
    export: &'e Export,
    open: OpenFiles<'e>,
}

impl<'e> FileIndex<'e> {
    /// Lists the files of `export`.
    pub fn new(export: &'e Export) -> io::Result<Self> {
        let base = |name: &str| name.rsplit('/').next().unwrap_or_default().to_owned();
        let places = export.locations()?;
        let mut files: Vec<_> =
            places.into_iter().map(|(name, place)| (base(&name), place)).collect();
        files.sort_by(|one, other| one.0.cmp(&other.0));
        Ok(Self { files, paths: OnceCell::new(), export, open: OpenFiles::new(export) })
    }

    /// The first file whose base name begins so.
    pub fn find(&self, beginning: &str) -> Option<(&str, &FileLocation)> {
        let from = self.files.partition_point(|(name, _)| name.as_str() < beginning);
        let (name, place) = self.files.get(from)?;
        name.starts_with(beginning).then_some((name.as_str(), place))
    }

    /// The file of this whole name, with its folders.
    pub fn at(&self, path: &str) -> Option<&FileLocation> {
        let paths = self.paths.get_or_init(|| {
            let places = self.export.locations().unwrap_or_default();
            places.into_iter().collect()
        });
        paths.get(path)
    }

    /// Opens a file and hands its content to `read`.
    pub fn open<T>(
        &mut self,
        place: &FileLocation,
        read: impl FnOnce(&mut dyn Read) -> io::Result<T>,
    ) -> io::Result<T> {
        self.open.read(place, read)
    }
}
