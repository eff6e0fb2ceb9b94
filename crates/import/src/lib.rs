//! Reads exports: bytes in, items out. Nothing here knows a store, a clock or a network.
//!
//! A reader never holds more than one item, and an item that cannot be read is an item that says
//! so: one bad line never stops an import.

pub mod jsonl;
