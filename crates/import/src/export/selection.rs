//! A part of an export: the files that one format found to be its own.

use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};

use super::FileLocation;

/// What a file is to the format that selected it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileRole {
    /// It holds records, and its name is one that the importer reads.
    Records,
    /// It holds records, whatever its name is.
    RecordsOfAnyName,
    /// Records may refer to it.
    Attachment,
}

/// A file that is meant.
#[derive(Debug, Clone)]
pub struct SelectedFile {
    /// Its name, as visitors see it.
    pub name: String,
    /// Its name in the folder or archive that was given.
    pub full_name: String,
    /// Where it is.
    pub location: FileLocation,
    /// What it is for.
    pub role: FileRole,
    /// Its length.
    pub size_bytes: u64,
    /// What reading it costs: its length, or what it takes in its archive.
    pub packed_bytes: u64,
}

impl SelectedFile {
    pub(super) fn is_meant(&self, wanted: &dyn Fn(&str) -> bool) -> bool {
        match self.role {
            FileRole::Records => wanted(&self.name),
            FileRole::RecordsOfAnyName => true,
            FileRole::Attachment => false,
        }
    }
}

/// The files of one root that are meant, in the order of their names.
#[derive(Debug)]
pub struct SelectedRoot {
    /// Which root.
    pub number: usize,
    /// What visitors are told about where the files stand.
    pub name: String,
    /// The files.
    pub files: Vec<SelectedFile>,
}

/// Everything that is meant, and what of it was opened.
#[derive(Debug)]
pub struct FileSelection {
    pub(super) roots: Vec<SelectedRoot>,
    read: Mutex<HashSet<FileLocation>>,
}

impl FileSelection {
    pub(super) fn new(roots: Vec<SelectedRoot>) -> Self {
        Self { roots, read: Mutex::default() }
    }

    pub(super) fn files(&self) -> impl Iterator<Item = &SelectedFile> {
        self.roots.iter().flat_map(|root| &root.files)
    }

    pub(super) fn mark_read(&self, place: &FileLocation) {
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        if !read.contains(place) {
            read.insert(place.clone());
        }
    }

    pub(super) fn unread(&self) -> Vec<&SelectedFile> {
        let read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        self.files().filter(|file| !read.contains(&file.location)).collect()
    }
}
