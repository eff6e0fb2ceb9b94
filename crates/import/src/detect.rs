//! `auto`: which format an export has, by the names of its files and how they begin.

use std::cmp::Reverse;
use std::io::{self, Read};

use crate::export::file_index::FileIndex;
use crate::export::{Export, FileLocation};
use crate::format::Format;
use crate::formats::FORMATS;

/// How much of a file is looked at.
const HEAD_BYTES: u64 = 64 * 1024;
/// How many files are looked into when no name tells.
const LOOKED_INTO: usize = 50;

/// The format of the export; `None` when nothing in it is known.
pub fn detect(export: &Export) -> io::Result<Option<&'static Format>> {
    let mut formats = FORMATS.to_vec();
    formats.sort_by_key(|format| Reverse(format.recognise.rank));
    let mut listing = Listing { files: export.locations()?, file_index: FileIndex::new(export)? };
    for format in &formats {
        if let Some(is_known) = format.recognise.by_names
            && is_known(&mut listing)?
        {
            return Ok(Some(*format));
        }
    }
    let Listing { files, mut file_index } = listing;
    for (name, place) in files.iter().take(LOOKED_INTO) {
        let head = head(&mut file_index, place)?;
        let text = head.trim_start_matches('\u{feff}').trim_start();
        let file = FileHead { name, text };
        let known = formats
            .iter()
            .find(|format| format.recognise.by_head.is_some_and(|begins_so| begins_so(&file)));
        if let Some(format) = known {
            return Ok(Some(*format));
        }
    }
    Ok(None)
}

/// The files of an export.
pub struct Listing<'e> {
    files: Vec<(String, FileLocation)>,
    file_index: FileIndex<'e>,
}

impl Listing<'_> {
    /// Whether a file has such a name.
    pub fn any(&self, wanted: fn(&str) -> bool) -> bool {
        self.files.iter().any(|(name, _)| wanted(name))
    }

    /// How the first file with such a name begins.
    pub fn head_of(&mut self, wanted: fn(&str) -> bool) -> io::Result<Option<String>> {
        let found = self.files.iter().find(|(name, _)| wanted(name));
        found.map(|(_, place)| head(&mut self.file_index, place)).transpose()
    }
}

/// How a file begins.
pub struct FileHead<'f> {
    /// Its name.
    pub name: &'f str,
    /// Its first bytes as text, without what is blank before it.
    pub text: &'f str,
}

impl FileHead<'_> {
    /// The first line that is not blank.
    pub fn first_line(&self) -> &str {
        self.text.lines().next().unwrap_or_default()
    }
}

fn head(file_index: &mut FileIndex<'_>, place: &FileLocation) -> io::Result<String> {
    let mut bytes = Vec::new();
    file_index.open(place, |content| content.take(HEAD_BYTES).read_to_end(&mut bytes))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
