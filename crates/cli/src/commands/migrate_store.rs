//! `pdpp migrate-store`: a whole store into another one, between SQLite and Postgres.

use std::ffi::OsString;
use std::path::Path;
use std::sync::Arc;

use clap::Args;
use serde_json::json;

use crate::app::App;
use crate::checked;
use crate::data_dir::DataDir;
use crate::database_address::{DatabaseAddress, NO_DATABASE_URL, NamedBy, is_database_url};
use crate::failure::{Exit, Failure, NO_STORE, STORE_IN_USE};
use crate::output::{Output, note};
use crate::words::Words;

/// Batches that may wait between the two stores.
const WAITING: usize = 8;
/// What a data directory may hold before there is a store in it.
const OURS: [&str; 6] = ["credentials", "providers", "blobs", "demo", "serve.lock", "database-url"];
/// What a fresh disk holds.
const OF_THE_SYSTEM: &str = "lost+found";
/// What is said when the move is whole, and the store it was of is no longer the same.
const WRITTEN_MEANWHILE: &str = "The old store was written to meanwhile, by a server, a command or an \
    agent; what came after the move began is not in the new one. To have it all, stop them and move \
    into an empty store.";
/// What is said of one store that is named twice.
const ONE_STORE: &str = "--from and --to are one store";

/// Move a whole store between SQLite and Postgres
///
/// The store that is moved stays as it is. Ids, cursors, grants and tokens go on working with the new
/// one. A move that breaks off goes on when the same command is started again; until it is done, the
/// new store opens for nothing else. Stop servers that write first: what they write after the
/// beginning does not come along.
#[derive(Debug, Args)]
pub struct MigrateStoreArgs {
    /// The store to move: a data directory, postgres://… or a file that holds such a URL
    #[arg(long, value_name = "STORE")]
    from: String,
    /// Where to: an empty or new data directory or database
    #[arg(long, value_name = "STORE")]
    to: String,
}

/// Moves, then compares what was sent with what is there, and with what there is to send now.
pub async fn run(args: &MigrateStoreArgs, output: &Output) -> Result<Exit, Failure> {
    if args.from.is_empty() || args.to.is_empty() {
        return Err(Failure::usage("--from and --to name a store each; one of them is empty"));
    }
    // Uploads on their way into a database need a directory of nobody else's.
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o700));
    let uploads = builder
        .prefix("pdpp-migrate-")
        .tempdir()
        .map_err(|error| Failure::file("create a directory in", &std::env::temp_dir(), &error))?;
    let source = place(&args.from, NamedBy::From, uploads.path())?;
    let target = place(&args.to, NamedBy::To, uploads.path())?;
    if is_same(&source, &target) {
        return Err(Failure::usage(format!("{ONE_STORE}; name another one with --to")));
    }
    check_target(&target)?;
    let into_place = target.place();
    // Two names of one server cannot be told from here.
    let may_be_one = source.database().is_some() == target.database().is_some();
    let in_use = |failure: Failure| if may_be_one { named_twice(failure) } else { failure };
    let from = App::open_existing(source).await.map_err(|failure| not_found(args, failure))?;
    let to = App::open_to_fill(target.clone()).await.map_err(in_use)?;
    if !output.is_json() {
        note(&format!("Moving into {into_place} …"));
    }
    let told = Arc::new(|rows| note(&format!("kept {rows} rows")));
    let (out, into) = std::sync::mpsc::sync_channel(WAITING);
    let (given, taken) = tokio::join!(from.store.give(out), to.store.take(into, told));
    // When one stops, the other one says only that; the cause is the one that says more.
    let moved = match (given, taken) {
        (Ok(()), Ok(moved)) => moved,
        (Err(cause), Ok(_)) | (Ok(()), Err(cause)) => return Err(in_use(cause.into())),
        (Err(given), Err(taken)) => {
            let is_echo = taken.to_string().starts_with("the other store");
            return Err(in_use(if is_echo { given } else { taken }.into()));
        }
    };
    drop(to);
    note("Comparing …");
    let to = App::open_to_fill(target).await?;
    let report = to.store.verify().await?;
    let is_same = to.store.contents().await? == moved;
    let is_outdated = from.store.contents().await? != moved;
    if is_same {
        to.store.finish_move().await?;
    }
    let own = [("same", json!(is_same)), ("written_meanwhile", json!(is_outdated))];
    output.answer(&checked::document(&report, own), || {
        let came = checked::contents(&report);
        let mut words = Words::new(format!("Moved {came} into {into_place}."));
        words.line(match (is_same, is_outdated) {
            (false, _) => "What is there is not what was sent; keep the old store.",
            (true, false) => "Both stores agree.",
            (true, true) => WRITTEN_MEANWHILE,
        });
        if is_same {
            words.line(
                "Servers and clients read the old store until they are started with the new one.",
            );
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
        failure.message = format!("there is no store at {name}; --from names the one to move");
    }
    failure
}

/// Whether both names lead to one store, as far as names tell.
fn is_same(source: &DataDir, target: &DataDir) -> bool {
    match (source.database(), target.database()) {
        (Some(one), Some(other)) => {
            let place = |url: String| url.replacen("postgresql://", "postgres://", 1);
            place(one.address()) == place(other.address())
        }
        (None, None) => {
            let place = |store: &DataDir| {
                let path = store.path();
                let whole = std::fs::canonicalize(path).or_else(|_| std::path::absolute(path));
                whole.unwrap_or_else(|_| path.to_owned())
            };
            place(source) == place(target)
        }
        (Some(_), None) | (None, Some(_)) => false,
    }
}

/// Whoever works on the new store may be this command itself.
fn named_twice(mut failure: Failure) -> Failure {
    if failure.code == STORE_IN_USE {
        failure.message.push_str(&format!(", or {ONE_STORE}"));
    }
    failure
}

/// Refuses to put a store among somebody's own files.
fn check_target(target: &DataDir) -> Result<(), Failure> {
    if target.database().is_some() || target.store().exists() {
        return Ok(());
    }
    let Ok(entries) = std::fs::read_dir(target.path()) else { return Ok(()) };
    let foreign = |name: &OsString| name != OF_THE_SYSTEM && !OURS.iter().any(|ours| name == ours);
    match entries.flatten().map(|entry| entry.file_name()).find(foreign) {
        None => Ok(()),
        Some(name) => Err(Failure::usage(format!(
            "{} holds other files, such as {}; name an empty or new directory with --to",
            target.path().display(),
            name.display()
        ))),
    }
}

/// A store by its URL, a file or pipe that holds it, or its directory.
fn place(name: &str, by: NamedBy, uploads: &Path) -> Result<DataDir, Failure> {
    let path = Path::new(name);
    let in_database = |address| DataDir::new(uploads.to_owned()).with_database(Some(address));
    if is_database_url(name) {
        return DatabaseAddress::from_url(name, by).map(in_database);
    }
    if path.exists() && !path.is_dir() {
        check_address(path)?;
        return DatabaseAddress::from_file(path.to_owned(), by).map(in_database);
    }
    // A directory of that name would be made, password and all.
    if name.contains("://") || name.starts_with("postgres:") || name.starts_with("postgresql:") {
        return Err(Failure::usage(NO_DATABASE_URL));
    }
    Ok(DataDir::new(path.to_owned()).named())
}

/// Refuses the file of an embedded store, which is named by its directory.
fn check_address(path: &Path) -> Result<(), Failure> {
    let Some(parent) = path.parent().filter(|parent| DataDir::new(parent.into()).store() == path)
    else {
        return Ok(());
    };
    let parent = if parent == Path::new("") { Path::new(".") } else { parent };
    let (path, parent) = (path.display(), parent.display());
    Err(Failure::usage(format!("{path} is a file of a store; name its directory: {parent}")))
}
