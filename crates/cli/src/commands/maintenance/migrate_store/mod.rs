//! `pdpp migrate-store`: a whole store into another one, between SQLite and Postgres.

mod places;

use std::sync::Arc;

use clap::Args;
use pdpp_store::StoreError;
use pdpp_store::transfer::ContentsDigest;
use serde_json::json;

use crate::app::CliApp;
use crate::commands::maintenance::store_report;
use crate::data_dir::database_address::{NamedBy, is_database_url};
use crate::failure::{Exit, Failure, NO_STORE, STORE_IN_USE};
use crate::output::words::Words;
use crate::output::{Output, note};

/// Batches that may wait between the two stores.
const WAITING: usize = 8;
/// What is said when the move is whole, and the store it was of is no longer the same.
const WRITTEN_MEANWHILE: &str = "The old store changed during the move; changes made after the start are \
    not in the new store. To copy everything, stop all servers and agents and move into an empty store.";
/// Nothing else knows yet that the store is elsewhere.
const NEXT: &str = "Commands, servers and clients keep using the old store until they name the new one: \
    restart servers, run pdpp setup CLIENT for each client, then archive the old store.";
/// What is said of one store that is named twice.
const ONE_STORE: &str = "--from and --to are the same store";

/// Move a whole store between SQLite and Postgres
///
/// The source store stays as it is. Ids, cursors, grants and tokens keep working with the new store. To
/// continue an interrupted move, run the same command again; until it is done, the new store cannot be
/// used. Stop servers and imports first: what they write after the start is not moved.
#[derive(Debug, Args)]
pub struct MigrateStoreArgs {
    /// The store to move: a data directory, a postgres://… URL or a file that holds one
    #[arg(long, value_name = "STORE")]
    from: String,
    /// The new store: an empty or new data directory or database
    #[arg(long, value_name = "STORE")]
    to: String,
}

/// Moves, then compares.
pub async fn run(args: &MigrateStoreArgs, output: &Output) -> Result<Exit, Failure> {
    if args.from.is_empty() || args.to.is_empty() {
        return Err(Failure::usage("--from or --to is empty; name a store with each"));
    }
    // Uploads on their way into a database need a directory of nobody else's.
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o700));
    let uploads = builder
        .prefix("pdpp-migrate-")
        .tempdir()
        .map_err(|error| Failure::file("create a directory in", &std::env::temp_dir(), &error))?;
    let source = places::place(&args.from, NamedBy::From, uploads.path())?;
    let target = places::place(&args.to, NamedBy::To, uploads.path())?;
    if places::is_same(&source, &target) {
        return Err(Failure::usage(format!("{ONE_STORE}; use another one for --to")));
    }
    places::check_target(&target)?;
    let into_place = target.place();
    // Two names of one server cannot be told from here.
    let may_be_one = source.database().is_some() == target.database().is_some();
    let in_use = |failure: Failure| if may_be_one { named_twice(failure) } else { failure };
    let from = CliApp::open_existing(source).await.map_err(|failure| not_found(args, failure))?;
    let to = CliApp::open_to_fill(target.clone()).await.map_err(in_use)?;
    if !output.is_json() {
        note(&format!("Moving into {into_place} …"));
    }
    let moved = moved(&from, &to).await.map_err(in_use)?;
    drop(to);
    let to = CliApp::open_to_fill(target).await?;
    compare(moved, &from, &to, &into_place, output).await
}

/// Gives everything away and takes it in; the digest of what was sent.
async fn moved(from: &CliApp, to: &CliApp) -> Result<ContentsDigest, Failure> {
    let told = Arc::new(|rows| note(&format!("copied {rows} rows")));
    let (out, into) = std::sync::mpsc::sync_channel(WAITING);
    let (given, taken) = tokio::join!(from.store.give(out), to.store.take(into, told));
    match (given, taken) {
        (Ok(()), Ok(moved)) => Ok(moved),
        // When one end stops, the other one can say only that.
        (Err(cause), Err(StoreError::BrokenOff(_)) | Ok(_)) | (_, Err(cause)) => Err(cause.into()),
    }
}

/// Compares what was sent with what is there, and with what there is to send now.
async fn compare(
    moved: ContentsDigest,
    from: &CliApp,
    to: &CliApp,
    into_place: &str,
    output: &Output,
) -> Result<Exit, Failure> {
    note("Comparing …");
    let report = to.store.verify().await?;
    let is_same = to.store.contents().await? == moved;
    // Before the new store opens for others: a move that ends here can still be begun again.
    let is_outdated = from.store.contents().await? != moved;
    if is_same {
        to.store.finish_move().await?;
    }
    let own = [("same", json!(is_same)), ("written_meanwhile", json!(is_outdated))];
    output.answer(&store_report::document(&report, own), || {
        let came = store_report::contents(&report);
        let end = match (is_same, is_outdated) {
            (false, _) => "The copy differs from the original; keep the old store.",
            (true, false) => "Both stores are identical.",
            (true, true) => WRITTEN_MEANWHILE,
        };
        let mut words = Words::new(format!("Moved {came} into {into_place}. {end}"));
        if is_same {
            words.line(NEXT);
        }
        words.into_text()
    })?;
    let is_done = is_same && !is_outdated && report.faults.is_empty();
    Ok(if is_done { Exit::Done } else { Exit::Other })
}

/// What was named does not exist, by the name that it was given here.
fn not_found(args: &MigrateStoreArgs, mut failure: Failure) -> Failure {
    if failure.code == NO_STORE {
        let name = if is_database_url(&args.from) { "that database" } else { &args.from };
        failure.message = format!("no store at {name}; --from names the store to move");
    }
    failure
}

/// Whoever works on the new store may be this command itself.
fn named_twice(mut failure: Failure) -> Failure {
    if failure.code == STORE_IN_USE {
        failure.message.push_str(&format!(", or {ONE_STORE}"));
    }
    failure
}
