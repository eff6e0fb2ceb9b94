//! Keeps things: connections, records, long text, versions, grants, tokens, audit events.
//!
//! The only crate that contains SQL. Each promise is a small trait with its edges written down;
//! `conformance` checks every promise without knowing a backend. Backends are private modules.

pub mod aggregate;
pub mod audit;
mod blob_files;
pub mod blobs;
pub mod changes;
mod chunks;
pub mod connections;
mod decimal;
pub mod error;
pub mod field_path;
pub mod grants;
pub mod hashing;
pub mod maintenance;
mod nested_text;
mod number;
pub mod prepare;
mod pruning;
mod record_row;
pub mod records;
pub mod related;
pub mod scope;
pub mod search;
mod search_bag;
pub mod search_rows;
pub mod sort_key;
mod sort_value;
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

pub mod postgres;
mod sqlite;

#[cfg(feature = "baseline")]
pub mod baseline;
#[cfg(feature = "conformance")]
pub mod conformance;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use pdpp_contract::ports::Entropy;

pub use error::{StoreError, StoreResult};
pub use scope::{CollectionScope, ReadScope, TimeBounds};
pub use sort_key::SortKey;

/// Everything a store promises.
pub trait Store:
    connections::ConnectionStore
    + records::RecordReader
    + changes::ChangeLog
    + aggregate::Aggregator
    + text::TextReader
    + writes::RecordWriter
    + search::Searcher
    + blobs::BlobStore
    + grants::GrantStore
    + tokens::TokenStore
    + audit::AuditStore
    + maintenance::Maintenance
{
}

/// Where a store lives and how it behaves.
pub struct StoreOptions {
    /// The SQLite file. Its directory must exist.
    pub path: PathBuf,
    /// Where blobs are kept; made when the first one comes.
    pub blobs: PathBuf,
    /// The longest a single read may take.
    pub read_deadline: Duration,
    /// Read-only connections kept open.
    pub readers: usize,
    /// Where keys come from when a store is created.
    pub entropy: Arc<dyn Entropy>,
}

impl StoreOptions {
    /// The usual settings for a file; blobs go into a directory beside it.
    pub fn new(path: impl Into<PathBuf>, entropy: Arc<dyn Entropy>) -> Self {
        let path = path.into();
        let blobs = path.with_file_name("blobs");
        Self { path, blobs, read_deadline: Duration::from_secs(20), readers: 4, entropy }
    }
}

/// Opens a store, creating it when the file does not exist, and brings its schema up to date.
///
/// Refuses a file that is not ours and one that a newer version wrote, and changes neither.
pub async fn open(options: StoreOptions) -> StoreResult<Arc<dyn Store>> {
    sqlite::Sqlite::open(options).await.map(|store| Arc::new(store) as Arc<dyn Store>)
}
