//! Where a store lives and how it behaves.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use pdpp_contract::ports::Entropy;

use crate::transfer::layout::Layout;

/// A Postgres database, or one schema of it.
#[derive(Clone)]
pub struct Database {
    url: String,
    schema: Option<&'static str>,
}

impl Database {
    /// The database of a URL, in the schema that its user finds first.
    pub fn new(url: impl Into<String>) -> Self {
        Self { url: url.into(), schema: None }
    }

    /// Another schema of the same database, made when it is missing. A plain name of ours.
    #[must_use]
    pub fn in_schema(self, schema: &'static str) -> Self {
        Self { schema: Some(schema), ..self }
    }

    /// A URL that leads to the same store without more words. It may hold a password.
    pub fn address(&self) -> String {
        let Some(schema) = self.schema else { return self.url.clone() };
        let choice = format!("-c%20search_path%3D{schema}");
        let (server, query) = self.url.split_once('?').unwrap_or((&self.url, ""));
        let mut parts: Vec<String> =
            query.split('&').filter(|part| !part.is_empty()).map(str::to_owned).collect();
        // A second `options` would take the place of the first.
        match parts.iter_mut().find(|part| part.starts_with("options=")) {
            Some(options) if options.contains(&choice) => {}
            Some(options) => options.push_str(&format!("%20{choice}")),
            None => parts.push(format!("options={choice}")),
        }
        format!("{server}?{}", parts.join("&"))
    }

    pub(crate) fn url(&self) -> &str {
        &self.url
    }

    pub(crate) fn schema(&self) -> Option<&'static str> {
        self.schema
    }
}

/// A URL holds a password.
impl std::fmt::Debug for Database {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Database").field("schema", &self.schema).finish_non_exhaustive()
    }
}

/// Where a store lives and how it behaves.
pub struct StoreOptions {
    /// The SQLite file. Its directory must exist. Not used with a database URL.
    pub path: PathBuf,
    /// A Postgres database to use instead of the file.
    pub database: Option<Database>,
    /// Open only what is there already; `StoreError::NoStore` otherwise.
    pub must_exist: bool,
    /// Open also a store that a move into it left unfinished.
    pub may_be_unfinished: bool,
    /// Open a store that cannot be written here for reading alone.
    pub may_be_read_only: bool,
    /// Disk space kept for ending access, erasing and the audit log, in a file beside the store; a
    /// database's server has its own. None is kept when it is zero.
    pub reserve_bytes: u64,
    /// The tables that the store is made with, when it takes a backup of an older version.
    pub layout: Layout,
    /// Where blobs are kept; made when the first one comes.
    pub blobs: PathBuf,
    /// The longest a single read may take.
    pub read_deadline: Duration,
    /// Read-only connections kept open: as many as agents' calls are worked on at the same time, and
    /// one for everything else.
    pub readers: usize,
    /// Where keys come from when a store is created.
    pub entropy: Arc<dyn Entropy>,
}

impl StoreOptions {
    /// The usual settings for a file; blobs go into a directory beside it.
    pub fn new(path: impl Into<PathBuf>, entropy: Arc<dyn Entropy>) -> Self {
        let path = path.into();
        let blobs = path.with_file_name("blobs");
        Self {
            path,
            database: None,
            must_exist: false,
            may_be_unfinished: false,
            may_be_read_only: false,
            reserve_bytes: 0,
            layout: Layout::default(),
            blobs,
            read_deadline: Duration::from_secs(20),
            readers: 5,
            entropy,
        }
    }

    /// The same on a Postgres database; files on their way in still grow beside the path.
    #[must_use]
    pub fn on_postgres(self, database: Database) -> Self {
        Self { database: Some(database), readers: 8, ..self }
    }
}
