//! Sample stores on disk: built once through the real import, found again when they are still right.

use std::path::Path;
use std::sync::Arc;

use pdpp_store::baseline;
use serde::{Deserialize, Serialize};

use super::data::long::LongRecord;
use super::data::mail::{self, CONNECTIONS};
use super::data::{SEED, Vocabulary, long};
use super::timing::spoken;
use super::world::{World, on_a_thread};
use crate::error::BenchError;
use crate::host::{Host, StoreLocation};
use pdpp_contract::grouped::grouped;

/// Counts up whenever the same seed makes other data or a store is built in another way.
const DATA_VERSION: u32 = 2;
/// Written last: a directory without it was not finished.
const MARKER: &str = "bench.json";

/// What a store is to hold.
#[derive(Debug, Clone)]
pub struct Recipe {
    pub records: u64,
    pub long: Vec<LongRecord>,
}

/// A finished store.
#[derive(Debug, Clone)]
pub struct Fixture {
    pub location: StoreLocation,
    pub facts: Facts,
}

/// What is known of a finished store.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Facts {
    data_version: u32,
    program: String,
    seed: u64,
    records: u64,
    /// The long records: key, bytes and characters of the body.
    long: Vec<LongFacts>,
    /// Bytes of the JSON of all mail-like records.
    pub json_bytes: u64,
    /// Bytes of the store when it held those, and nothing else.
    pub store_bytes: u64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct LongFacts {
    id: String,
    body_bytes: u64,
    chars: u64,
}

impl Facts {
    /// How many characters the body of a long record has.
    pub fn chars(&self, id: &str) -> u64 {
        self.long.iter().find(|long| long.id == id).map_or(0, |long| long.chars)
    }

    fn fit(&self, recipe: &Recipe) -> bool {
        let long = recipe.long.iter().map(|long| (long.id, long.body_bytes));
        let own = self.long.iter().map(|long| (long.id.as_str(), long.body_bytes));
        self.data_version == DATA_VERSION
            && self.program == env!("CARGO_PKG_VERSION")
            && self.seed == SEED
            && self.records == recipe.records
            && own.eq(long)
    }
}

/// The store of a recipe in a directory, or with its marker there; built when it is not there.
pub async fn store(
    host: &dyn Host,
    location: StoreLocation,
    recipe: &Recipe,
    words: &Arc<Vocabulary>,
) -> Result<Fixture, BenchError> {
    let directory = &location.directory;
    let marker = directory.join(MARKER);
    let known = std::fs::read_to_string(&marker).ok();
    let facts = known.and_then(|text| serde_json::from_str::<Facts>(&text).ok());
    if let Some(facts) = facts.filter(|facts| facts.fit(recipe)) {
        return Ok(Fixture { location, facts });
    }
    refuse_foreign(directory)?;
    if let Some(database) = &location.database {
        // Left over by a run that broke off: the name is ours alone.
        pdpp_store::erase_schema(database.clone()).await?;
    }
    let facts = build(host, &location, recipe, words).await?;
    let text = serde_json::to_string(&facts).unwrap_or_default();
    std::fs::write(&marker, text).map_err(|error| BenchError::file("write", &marker, &error))?;
    Ok(Fixture { location, facts })
}

/// Somebody's data must never be taken for a sample.
fn refuse_foreign(directory: &Path) -> Result<(), BenchError> {
    let holds_something = std::fs::read_dir(directory).is_ok_and(|mut all| all.next().is_some());
    if !holds_something {
        return Ok(());
    }
    let message = format!(
        "{} holds something else, or a sample of another size or version; name another --dir, or \
         empty it",
        directory.display()
    );
    Err(BenchError::Usage(message))
}

async fn build(
    host: &dyn Host,
    location: &StoreLocation,
    recipe: &Recipe,
    words: &Arc<Vocabulary>,
) -> Result<Facts, BenchError> {
    let mut json_bytes = 0;
    let world = World::open(host, location).await?;
    for connection in 0..CONNECTIONS {
        let (words, records) = (Arc::clone(words), recipe.records);
        let numbers = (connection..records).step_by(usize::try_from(CONNECTIONS).unwrap_or(1));
        let lines = numbers.map(move |number| mail::line(number, &words));
        let imported = world.import(connection, lines).await?;
        json_bytes += imported.record_bytes;
        let (done, took) = (grouped(records / CONNECTIONS), spoken(imported.took));
        host.progress(&format!(
            "  connection {} of {CONNECTIONS}: {done} records in {took}",
            connection + 1
        ));
    }
    // Closing the store writes its log back, so that the file is all there is.
    drop(world);
    let store_bytes = match location.database.clone() {
        Some(database) => on_a_thread(move || baseline::size_bytes(&database)).await?,
        None => size_on_disk(location)?,
    };
    let world = World::open(host, location).await?;
    let mut facts = Vec::new();
    for record in &recipe.long {
        let (line, chars) = long::line(*record, words);
        let imported = world.import(0, std::iter::once(line)).await?;
        let (id, body_bytes) = (record.id.to_owned(), record.body_bytes);
        host.progress(&format!(
            "  a field of {} MB in {}",
            body_bytes >> 20,
            spoken(imported.took)
        ));
        facts.push(LongFacts { id, body_bytes, chars });
    }
    drop(world);
    if let Some(database) = location.database.clone() {
        on_a_thread(move || baseline::tidy_up(&database)).await?;
    }
    Ok(Facts {
        data_version: DATA_VERSION,
        program: env!("CARGO_PKG_VERSION").to_owned(),
        seed: SEED,
        records: recipe.records,
        long: facts,
        json_bytes,
        store_bytes,
    })
}

fn size_on_disk(location: &StoreLocation) -> Result<u64, BenchError> {
    let path = location.store_file.clone();
    let mut log = path.clone().into_os_string();
    log.push("-wal");
    let store =
        std::fs::metadata(&path).map_err(|error| BenchError::file("read", &path, &error))?;
    Ok(store.len() + std::fs::metadata(log).map_or(0, |log| log.len()))
}
