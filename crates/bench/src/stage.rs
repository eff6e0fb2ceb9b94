//! What every measurement gets: the sample stores, open, and room for stores of its own.

use std::path::PathBuf;
use std::sync::Arc;

use pdpp_store::Database;

use super::data::Vocabulary;
use super::fixture::{self, Fixture, Recipe};
use super::sizes::Sizes;
use super::world::{Agent, World};
use crate::error::BenchError;
use crate::host::{Host, StoreLocation};

/// Where the sample stores are in a Postgres database, apart from everything else.
pub const SCHEMAS: [&str; 2] = ["pdpp_bench_small", "pdpp_bench_large"];

/// The same for stores that a measurement makes for itself.
pub const OWN_SCHEMA: &str = "pdpp_bench_own";

/// The stage of a run.
pub struct Stage {
    /// The program that is measured.
    pub host: Arc<dyn Host>,
    pub sizes: Sizes,
    pub words: Arc<Vocabulary>,
    pub small: Opened,
    pub large: Opened,
    /// Where measurements put stores of their own; gone after the run.
    scratch: tempfile::TempDir,
}

/// A sample store, open, with an agent.
pub struct Opened {
    pub fixture: Fixture,
    pub world: World,
    pub agent: Agent,
}

impl Stage {
    /// Builds or finds the sample stores in `directory`.
    pub async fn set(
        host: Arc<dyn Host>,
        sizes: Sizes,
        directory: Option<PathBuf>,
        database: Option<&Database>,
    ) -> Result<Self, BenchError> {
        let scratch = match &directory {
            // Beside the sample stores, so that copies stay on one file system.
            Some(directory) => tempfile::Builder::new().prefix("scratch-").tempdir_in(directory),
            None => tempfile::Builder::new().prefix("pdpp-bench-").tempdir(),
        };
        let scratch = scratch.map_err(|error| {
            BenchError::file("create a directory in", &std::env::temp_dir(), &error)
        })?;
        let directory = directory.unwrap_or_else(|| scratch.path().to_owned());
        let words = Arc::new(Vocabulary::new());
        let open = async |records: u64, long: Vec<_>, schema| {
            let name = Sizes::records_name(records);
            host.progress(&format!("sample store of {name} records"));
            let recipe = Recipe { records, long };
            let database = database.map(|database| database.clone().in_schema(schema));
            let location = host.locate(directory.join(name), database);
            let fixture = fixture::store(&*host, location, &recipe, &words).await?;
            Opened::open(&*host, fixture).await
        };
        let [small, large] = SCHEMAS;
        let small = open(sizes.small_records, Vec::new(), small).await?;
        let large = open(sizes.large_records, sizes.long_records().to_vec(), large).await?;
        Ok(Self { host, sizes, words, small, large, scratch })
    }

    /// A directory for a store of its own.
    pub fn scratch(&self, name: &str) -> StoreLocation {
        self.host.locate(self.scratch.path().join(name), None)
    }

    /// A place for a store of a measurement's own, on the backend that is measured.
    pub async fn own_store(&self, name: &str) -> Result<StoreLocation, BenchError> {
        let database = self.large.fixture.location.database.clone();
        let database = database.map(|database| database.in_schema(OWN_SCHEMA));
        if let Some(database) = &database {
            pdpp_store::erase_schema(database.clone()).await?;
        }
        Ok(self.host.locate(self.scratch.path().join(name), database))
    }

    /// What two sizes are compared under, as a label.
    pub fn comparison(&self) -> String {
        self.sizes.comparison()
    }
}

impl Opened {
    async fn open(host: &dyn Host, fixture: Fixture) -> Result<Self, BenchError> {
        let world = World::open(host, &fixture.location).await?;
        let agent = world.agent().await?;
        Ok(Self { fixture, world, agent })
    }
}
