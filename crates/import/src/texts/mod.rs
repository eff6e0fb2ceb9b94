//! Plain text of files: documents, tables, presentations, books, mails. Foreign bytes are taken apart
//! here, so this runs in a process of its own, within [`limits`]; see [`reader`].

mod book;
mod cards;
pub mod kind;
pub mod limits;
mod mail;
mod office;
mod pdf;
mod plain;
pub mod reader;
mod rtf;
mod sheets;
mod tidied;
mod xml;
mod zipped;

use kind::FileTextKind;
pub use plain::text as decoded;

/// Why a file gives no text. What is wrong with it is nobody's next step, so no more is said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the file cannot be read as what it claims to be")]
pub struct TextRefused;

/// The text of a file; empty when there is none in it, as in a scanned page.
pub fn extract(kind: FileTextKind, file: &[u8]) -> Result<String, TextRefused> {
    let text = match kind {
        FileTextKind::Pdf => pdf::text(file)?,
        FileTextKind::Html => plain::html(file),
        FileTextKind::Docx => office::docx(file)?,
        FileTextKind::Pptx => office::pptx(file)?,
        FileTextKind::OpenDocument => office::open_document(file)?,
        FileTextKind::Sheet => sheets::text(file)?,
        FileTextKind::Epub => book::text(file)?,
        FileTextKind::Rtf => rtf::text(file)?,
        FileTextKind::Mail => mail::text(file)?,
        FileTextKind::Card => cards::text(file),
        FileTextKind::Plain => plain::text(file),
    };
    Ok(tidied::tidied(&text))
}
