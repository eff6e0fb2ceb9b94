//! Records: lists, single records, changes, related records and blobs.

pub mod blobs;
mod changes;
pub(crate) mod conditions;
mod etag;
pub(crate) mod expand;
pub(crate) mod list;
pub(crate) mod record;
pub(crate) mod render;
