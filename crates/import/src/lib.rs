//! Reads exports: bytes in, items out. Nothing here knows a store, a clock or a network.
//!
//! A reader never holds more than one item, and an item that cannot be read is an item that says
//! so: one bad line never stops an import.
//!
//! [`survey`] finds the exports in what a person gives; [`export`] opens what a person has (files, folders, archives), an importer of [`formats`] puts
//! records into a [`sink`], and [`feed`] runs it on a thread of its own. [`readers`] find the items of
//! a file, [`record`] turns them into records. `docs/importers.md` shows how to write an importer.

pub mod blobs;
pub mod export;
pub mod feed;
pub mod format;
pub mod formats;
pub mod jsonl;
pub mod readers;
pub mod record;
pub mod sink;
pub mod survey;
pub mod texts;
