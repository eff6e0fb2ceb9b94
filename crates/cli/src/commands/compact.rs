//! `pdpp compact`: gives the room of what was deleted back to the disk.

use clap::Args;
use pdpp_store::retention::{Compacting, DatabaseSize};
use serde_json::json;

use crate::app::App;
use crate::doctor::{Disk as _, SystemRoom};
use crate::failure::{Exit, Failure};
use crate::output::{Output, note, without_nulls};
use crate::table::grouped;

/// Room that stays free beside what is needed.
const SPARE_BYTES: u64 = 16 * 1024 * 1024;

/// Give unused room of the store back to the disk
///
/// A store in a file is written anew; nobody else may use it meanwhile, and the disk needs room for two
/// copies of what is in use. On Postgres the server cleans the tables while others go on; what is free inside
/// them is used again, and --full gives it to the disk.
#[derive(Debug, Args)]
pub struct CompactArgs {
    /// On Postgres: write the tables anew, which nobody else may use meanwhile
    #[arg(long)]
    full: bool,
}

/// Compacts, and says what that gave.
pub async fn run(args: &CompactArgs, app: &App, output: &Output) -> Result<Exit, Failure> {
    let is_file = app.data_dir.database().is_none();
    if args.full && is_file {
        return Err(Failure::usage(
            "--full is for Postgres; a store in a file is always rewritten",
        ));
    }
    let before = app.store.room().await?;
    if is_file {
        check_disk(app, before)?;
    }
    if !output.is_json() {
        note("Compacting …");
    }
    let how = if args.full { Compacting::Rewrite } else { Compacting::Usual };
    app.store.compact(how).await?;
    let after = app.store.room().await?;
    let document = without_nulls(json!({
        "bytes_before": before.bytes,
        "bytes_after": after.bytes,
        "rewritten": is_file || args.full,
    }));
    output.answer(&document, || {
        let (before, after) = (grouped(before.bytes), grouped(after.bytes));
        if is_file || args.full {
            return format!("The database took {before} bytes and takes {after} now.\n");
        }
        format!(
            "The database took {before} bytes and takes {after} now. What is free inside its tables is \
             used again; to give it to the disk, stop the servers and use --full.\n"
        )
    })?;
    Ok(Exit::Done)
}

/// Two copies of what is in use are made on the way: one beside the store, one in its log.
fn check_disk(app: &App, room: DatabaseSize) -> Result<(), Failure> {
    let used = room.bytes.saturating_sub(room.unused_bytes.unwrap_or(0));
    let needed = used.saturating_mul(2).saturating_add(SPARE_BYTES);
    match SystemRoom.free_bytes(app.data_dir.path()) {
        Some(free) if free < needed => {
            let message = format!(
                "compacting needs {} free bytes beside the store and there are {}; make room there first",
                grouped(needed),
                grouped(free)
            );
            Err(Failure::new(Exit::Other, "disk_full", message))
        }
        _ => Ok(()),
    }
}
