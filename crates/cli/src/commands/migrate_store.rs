//! `pdpp migrate-store`: a whole store into another one, between SQLite and Postgres.

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use pdpp_store::Database;
use serde_json::json;

use crate::app::App;
use crate::checked;
use crate::config::{NO_DATABASE_URL, is_database_url};
use crate::data_dir::DataDir;
use crate::failure::{Exit, Failure};
use crate::output::{Output, note};

/// Batches that may wait between the two stores.
const WAITING: usize = 8;

/// Move a whole store between SQLite and Postgres
///
/// The store that is moved stays as it is. Ids, cursors, grants and tokens go on working with the new
/// one. A move that breaks off goes on when the same command is started again; until it is done, the
/// new store opens for nothing else. Stop servers that write first: what they write after the
/// beginning does not come along.
#[derive(Debug, Args)]
pub struct MigrateStoreArgs {
    /// The store to move: a data directory or postgres://…
    #[arg(long, value_name = "STORE")]
    from: String,
    /// Where to: an empty or new data directory or database
    #[arg(long, value_name = "STORE")]
    to: String,
}

/// Moves, then compares both with everything they hold.
pub async fn run(args: &MigrateStoreArgs, output: &Output) -> Result<Exit, Failure> {
    if args.from == args.to {
        return Err(Failure::usage("--from and --to name the same store"));
    }
    let (source, target) = (place(&args.from)?, place(&args.to)?);
    let from = App::open_existing(source).await?;
    let to = App::open_to_fill(target).await?;
    note("Moving …");
    let told = Arc::new(|rows| note(&format!("kept {rows} rows")));
    let (out, into) = std::sync::mpsc::sync_channel(WAITING);
    let (given, taken) = tokio::join!(from.store.give(out), to.store.take(into, told));
    // When one stops, the other one says only that; the cause is the one that says more.
    match (given, taken) {
        (Ok(()), Ok(())) => {}
        (Err(cause), Ok(())) | (Ok(()), Err(cause)) => return Err(cause.into()),
        (Err(given), Err(taken)) => {
            let is_echo = taken.to_string().starts_with("the other store");
            return Err(if is_echo { given } else { taken }.into());
        }
    }
    drop(to);
    note("Comparing …");
    let to = App::open_to_fill(place(&args.to)?).await?;
    let (old, new) = (from.store.verify().await?, to.store.verify().await?);
    let changes = (from.store.newest_change().await?, to.store.newest_change().await?);
    let is_same = checked::is_same(&old, &new) && changes.0 == changes.1;
    if is_same {
        to.store.finish_move().await?;
    }
    let document = checked::document(&new, [("same", json!(is_same))]);
    output.answer(&document, || {
        let end =
            if is_same { "Both stores agree." } else { "The stores differ; keep the old one." };
        format!("Moved {}. {end}\n", checked::contents(&new))
    })?;
    Ok(if is_same && new.faults.is_empty() { Exit::Done } else { Exit::Other })
}

/// A store by its URL or its directory. Uploads on their way into a database need a directory too.
fn place(name: &str) -> Result<DataDir, Failure> {
    if is_database_url(name) {
        let uploads = std::env::temp_dir().join("pdpp-migrate");
        return Ok(DataDir::new(uploads).with_database(Some(Database::new(name))));
    }
    // A directory of that name would be made, password and all.
    if name.contains("://") {
        return Err(Failure::usage(NO_DATABASE_URL));
    }
    Ok(DataDir::new(PathBuf::from(name)))
}
