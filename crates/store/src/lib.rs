//! Keeps things: connections, records, long text, versions, grants, tokens, audit events.
//! The only crate that contains SQL. Each promise is a small trait with its edges written down;
//! `conformance` checks every promise without knowing a backend. Backends are private modules.

#![expect(clippy::duplicate_mod, reason = "two drivers compile the bodies: decision 0037")]

pub mod aggregate;
mod arrivals;
pub mod audit;
pub mod backup;
mod blob_files;
pub mod blobs;
pub mod changes;
mod chunks;
pub mod connections;
mod decimal;
pub mod error;
pub mod field_path;
mod file_id;
pub mod grants;
pub mod hashing;
pub mod judging;
pub mod kinship;
pub mod layout;
mod lost_changes;
pub mod maintenance;
pub mod moving;
mod moving_digest;
mod nested_text;
mod number;
pub mod oauth;
mod opening;
mod options;
pub mod owner;
pub mod paces;
pub mod prepare;
mod prepared_text;
mod pruning;
mod record_row;
pub mod records;
pub mod related;
mod reserve;
pub mod retention;
mod schema_check;
pub mod scope;
pub mod search;
mod search_bag;
pub mod search_rows;
mod secrets;
pub mod seen_time;
pub mod sessions;
pub mod sort_key;
mod sort_value;
mod store;
mod tally;
pub mod text;
mod text_outcome;
mod text_search;
mod time_buckets;
mod time_keys;
pub mod tokens;
mod version_view;
mod versions;
mod window;
pub mod words;
pub mod writes;

#[cfg(feature = "baseline")]
pub mod baseline;
#[cfg(feature = "conformance")]
pub mod conformance;
mod postgres;
mod sqlite;

pub use error::{StoreError, StoreResult};
pub use opening::{erase_schema, open};
pub use options::{Database, StoreOptions};
pub use scope::{CollectionScope, ReadScope, TimeBounds};
pub use sort_key::SortKey;
pub use store::Store;
