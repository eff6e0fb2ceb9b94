//! The owner's records one by one: an account by time, a record with its fields, files and relations.

pub mod address;
mod field_rows;
pub mod file;
mod files;
mod related;
pub mod remove;
pub mod show;
mod sights;
pub mod timeline;
