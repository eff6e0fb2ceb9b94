//! The parts of a packed document.

use std::io::{Cursor, Read};

use zip::ZipArchive;

use super::TextRefused;
use super::limits::{MAX_PART_BYTES, MAX_PARTS};
use super::plain;

/// A packed document.
pub struct Parts<'f>(ZipArchive<Cursor<&'f [u8]>>);

impl<'f> Parts<'f> {
    /// Opens the package.
    pub fn open(file: &'f [u8]) -> Result<Self, TextRefused> {
        let archive = ZipArchive::new(Cursor::new(file)).map_err(|_| TextRefused)?;
        Ok(Self(archive))
    }

    /// The names of all parts, in their order in the package.
    pub fn names(&self) -> Vec<String> {
        let names = self.0.file_names().take(MAX_PARTS);
        names.filter_map(|name| Some(name.ok()?.into_owned())).collect()
    }

    /// A part as text.
    pub fn text(&mut self, name: &str) -> Result<String, TextRefused> {
        let part = self.0.by_name(name).map_err(|_| TextRefused)?;
        let mut bytes = Vec::new();
        part.take(MAX_PART_BYTES + 1).read_to_end(&mut bytes).map_err(|_| TextRefused)?;
        let is_whole = u64::try_from(bytes.len()).is_ok_and(|length| length <= MAX_PART_BYTES);
        if is_whole { Ok(plain::text(&bytes)) } else { Err(TextRefused) }
    }
}

/// The number at the end of a part's name: `slide12.xml` is 12.
pub fn number_of(name: &str) -> u64 {
    let digits: String = name.chars().filter(char::is_ascii_digit).collect();
    digits.parse().unwrap_or(u64::MAX)
}
