//! `csv`, `json` and `singer`: sources that bring their own shape, read through a declaration.
//!
//! The declaration is inferred from the whole source first. The owner may save it, edit it and give
//! it back: records are always made by the declaration, never by the guess behind it.

mod caps;
mod column;
mod comma;
mod declare;
mod encoding;
mod layout;
mod names;
mod objects;
mod row;
mod rows;
mod singer;
mod typed;
mod ways;
mod written;

use std::io;

use pdpp_contract::import::ImportItem;

use crate::blobs::DiscardBlobs;
use crate::sink::{Flow, ImportSetting, Sink, Stop};
pub use {caps::TooMuch, comma::CSV, objects::JSON, singer::SINGER};

/// The field that names a record which has no key of its own.
const ROW_ID: &str = "row_id";

/// What a source was found to be.
pub struct Inferred {
    /// The declaration as JSON text; none when nothing was found.
    pub declaration: Option<String>,
    /// What the source wants to be told at the next run, as JSON text.
    pub state: Option<String>,
    /// Where and why something could not be read, if anything.
    pub fault: Option<String>,
    /// The cap that the source exceeds, if it does.
    pub too_much: Option<TooMuch>,
}

/// Reads a source without keeping anything but the first rejection.
fn scan(read: impl FnOnce(&mut Sink<'_>) -> Flow) -> io::Result<Option<String>> {
    let mut setting = ImportSetting {
        emitted_at: String::new(),
        zone: jiff::tz::TimeZone::UTC,
        blobs: Box::new(DiscardBlobs),
        texts: Box::new(crate::texts::reader::NoTexts),
    };
    let mut fault = None;
    let mut look = |item: ImportItem| {
        if let (Err(rejected), None) = (&item.content, &fault) {
            fault = Some(format!("{} item {}: {}", item.source, item.position, rejected.message));
        }
        Ok(())
    };
    match read(&mut Sink::new(&mut setting, &mut look)) {
        Ok(()) | Err(Stop::Cancelled | Stop::ArchiveFull(_)) => Ok(fault),
        Err(Stop::Failed(error)) => Err(error),
    }
}
