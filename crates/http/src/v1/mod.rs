//! The `/v1` interface: one route per file, all behind one gate.

pub mod aggregate;
pub mod blob;
pub mod body;
pub mod delete_record;
pub mod delete_records;
pub mod field_window;
pub mod gate;
pub mod ingest;
pub mod record;
pub mod records;
pub mod schema;
pub mod search;
pub mod stream;
pub mod streams;
pub mod upload_blob;
