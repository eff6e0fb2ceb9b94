//! `csv`, `json` and `singer`: sources that bring their own shape, read through a declaration.
//!
//! The declaration is inferred from the whole source first. The owner may save it, edit it and give
//! it back: records are always made by the declaration, never by the guess behind it.

mod column;
mod comma;
mod declare;
mod names;
mod objects;
mod row;
mod singer;

use std::io;

use pdpp_contract::SourceDeclaration;

use crate::blobs::Measured;
use crate::export::Export;
use crate::sink::{Flow, Setting, Sink, Stop};
pub use {
    comma::{import as import_csv, infer as infer_csv, is_table},
    objects::{import as import_json, infer as infer_json, is_json},
    singer::{import as import_singer, infer as infer_singer},
};

/// The field that names a record which has no key of its own.
const ROW_ID: &str = "row_id";

/// What a source was found to be.
pub struct Inferred {
    /// The declaration as JSON text.
    pub declaration: String,
    /// What the source wants to be told at the next run, as JSON text.
    pub state: Option<String>,
}

/// Reads a source without keeping anything.
fn scan(read: impl FnOnce(&mut Sink<'_>) -> Flow) -> io::Result<()> {
    let mut setting = Setting {
        emitted_at: String::new(),
        zone: jiff::tz::TimeZone::UTC,
        blobs: Box::new(Measured),
    };
    match read(&mut Sink::new(&mut setting, &mut |_| Ok(()))) {
        Ok(()) | Err(Stop::Gone) => Ok(()),
        Err(Stop::Failed(error)) => Err(error),
    }
}

/// An importer that goes by a declaration.
pub type TableImport = fn(&Export, &SourceDeclaration, &mut Sink<'_>) -> Flow;
