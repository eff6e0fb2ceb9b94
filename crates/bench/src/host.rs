//! What the benchmark asks of the program that it measures and runs in.

use std::path::PathBuf;
use std::sync::Arc;

use async_trait::async_trait;
use pdpp_auth::Auth;
use pdpp_contract::ClientName;
use pdpp_engine::Engine;
use pdpp_store::{Database, Store};

use crate::error::BenchError;

/// The program around the benchmark: it opens stores exactly as its own commands do.
#[async_trait]
pub trait Host: Send + Sync {
    /// Where a store in this directory, or in this database, keeps its parts.
    fn locate(&self, directory: PathBuf, database: Option<Database>) -> StoreLocation;

    /// Creates the data directory, as private as every store's, for files that are put there before
    /// the store is opened.
    fn create_directory(&self, location: &StoreLocation) -> Result<(), BenchError>;

    /// Opens a store, and creates it when it does not exist.
    async fn open(&self, location: &StoreLocation) -> Result<OpenStore, BenchError>;

    /// Saves an agent's token so that a child process of the program finds it.
    fn keep_credential(
        &self,
        location: &StoreLocation,
        client: &ClientName,
        token: &str,
    ) -> Result<(), BenchError>;

    /// Tells the person who waits how far the run is.
    fn progress(&self, line: &str);
}

/// An open store and what works on it.
pub struct OpenStore {
    /// The store itself.
    pub store: Arc<dyn Store>,
    /// What answers reads and takes imports.
    pub engine: Engine,
    /// What issues access and checks tokens.
    pub auth: Arc<Auth>,
}

/// Where a store is.
#[derive(Debug, Clone)]
pub struct StoreLocation {
    /// The data directory.
    pub directory: PathBuf,
    /// The store's file in it.
    pub store_file: PathBuf,
    /// The Postgres database that holds the store instead of the file.
    pub database: Option<Database>,
}
