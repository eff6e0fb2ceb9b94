//! Keeps things: connections, records, long text, versions, grants, tokens, audit events.
//! The only crate that contains SQL. Each promise is a small trait with its edges written down;
//! `store-conformance` checks every promise without knowing a backend. Backends are private modules.

#![expect(clippy::duplicate_mod, reason = "two drivers compile the bodies: decision 0037")]

mod access;
pub mod accounts;
pub mod aggregate;
pub mod blobs;
pub mod changes;
pub mod error;
mod insert;
pub mod maintenance;
mod numbers;
mod opening;
pub mod records;
pub mod search;
mod store;
pub mod text;
pub mod transfer;
pub mod writes;

#[cfg(feature = "baseline")]
pub mod baseline;
mod postgres;
mod sqlite;

pub use access::{audit, grants, oauth, owner, rate_limit, sessions, tokens};
pub use error::{StoreError, StoreResult};
pub use maintenance::{retention, seen_time};
pub use numbers::{ChangeNo, CollectionNo, ConnectionNo, RecordNo};
pub use opening::options::{Database, StoreOptions};
pub use opening::{erase_schema, open};
pub use records::connections;
pub use records::related;
pub use records::scope::{self, CollectionScope, ReadScope, TimeBounds};
pub use records::sort_key::{self, SortKey};
pub use search::words;
pub use store::{AccessStore, RecordStore, Store};
pub use text::field_path;
pub use transfer::{backup, layout};
pub use writes::{classification, hashing, inheritance, prepare};
