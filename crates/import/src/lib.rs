//! Reads exports: bytes in, items out. Nothing here knows a store, a clock or a network.
//!
//! A reader never holds more than one item, and an item that cannot be read is an item that says
//! so: one bad line never stops an import.
//!
//! [`export`] opens what a person has (files, folders, archives), an importer such as [`mail`] puts
//! records into a [`sink`], and [`feed`] runs it on a thread of its own. `docs/importers.md` shows
//! how to write one.

pub mod archive;
pub mod blobs;
pub mod calendar;
pub mod chatgpt;
pub mod claude;
pub mod components;
pub mod contacts;
pub mod detect;
pub mod export;
pub mod feed;
pub mod fields;
pub mod folder;
pub mod format;
pub mod guard;
pub mod json_items;
pub mod jsonl;
pub mod library;
pub mod lines;
pub mod look;
pub mod mail;
pub mod sink;
pub mod slack;
pub mod spotify;
pub mod table;
pub mod twins;
pub mod whatsapp;
