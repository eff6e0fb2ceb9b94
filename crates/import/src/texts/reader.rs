//! Reading the text of files while an import runs, without trusting them.

use std::io;

use super::kind::FileTextKind;
use super::limits::MAX_TEXT_BYTES;

/// What came of a file's text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextStatus {
    /// The whole text was read.
    Read,
    /// The text is longer than what is kept.
    Cut,
    /// There is no text in the file.
    None,
    /// The file is broken, locked, or cost more than it may.
    Refused,
}

impl TextStatus {
    /// The word in a record.
    pub fn word(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Cut => "cut",
            Self::None => "none",
            Self::Refused => "refused",
        }
    }
}

/// The text of a file and what came of reading it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileText {
    /// What came of it.
    pub status: TextStatus,
    /// The text; empty unless it was read.
    pub text: String,
}

impl FileText {
    /// No text, because the file is not trusted.
    pub fn refused() -> Self {
        Self { status: TextStatus::Refused, text: String::new() }
    }

    /// What a text means; one that is too long is cut.
    pub fn of(mut text: String) -> Self {
        if text.is_empty() {
            return Self { status: TextStatus::None, text };
        }
        if text.len() <= MAX_TEXT_BYTES {
            return Self { status: TextStatus::Read, text };
        }
        let end = (0..=MAX_TEXT_BYTES).rev().find(|at| text.is_char_boundary(*at));
        text.truncate(end.unwrap_or(0));
        Self { status: TextStatus::Cut, text }
    }
}

/// Reads texts. Whatever is in the file, the caller goes on.
pub trait FileTextReader: Send {
    /// The text of a file of at most [`super::limits::MAX_FILE_BYTES`]. An error means that no file
    /// can be read, not that this one is bad.
    fn read(&mut self, kind: FileTextKind, file: Vec<u8>) -> io::Result<FileText>;
}

/// Reads no text at all.
pub struct NoTexts;

impl FileTextReader for NoTexts {
    fn read(&mut self, _: FileTextKind, _: Vec<u8>) -> io::Result<FileText> {
        Err(io::Error::from(io::ErrorKind::Unsupported))
    }
}
