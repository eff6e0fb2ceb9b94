//! `pdpp compact`: gives the room of what was deleted back to the disk.

use clap::Args;
use pdpp_store::retention::{Compacting, DatabaseSize};
use serde_json::json;

use crate::app::CliApp;
use crate::doctor::{DiskSpace as _, SystemDisk};
use crate::failure::{Exit, Failure};
use crate::output::table::grouped;
use crate::output::{Output, note, without_nulls};

/// Space that stays free beside what is needed.
const SPARE_BYTES: u64 = 16 * 1024 * 1024;

/// Return unused space of the store to the disk
///
/// The file of an embedded store is rewritten: nothing else can use it meanwhile, and the disk needs
/// free space for two copies of the data. On Postgres the tables are vacuumed while others keep
/// working; the space is reused inside the tables, and --full returns it to the disk.
#[derive(Debug, Args)]
pub struct CompactArgs {
    /// On Postgres: rewrite the tables; nothing else can use them meanwhile
    #[arg(long)]
    full: bool,
}

/// Compacts, and says what that gave.
pub async fn run(args: &CompactArgs, app: &CliApp, output: &Output) -> Result<Exit, Failure> {
    let is_file = app.data_dir.database().is_none();
    if args.full && is_file {
        return Err(Failure::usage(
            "--full is for Postgres; an embedded store is always rewritten, leave it out",
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
            return format!("Database size: {before} bytes before, {after} bytes now.\n");
        }
        format!(
            "Database size: {before} bytes before, {after} bytes now. Free space inside the tables is \
             reused; to return it to the disk, stop the servers and use --full.\n"
        )
    })?;
    Ok(Exit::Done)
}

/// Two copies of what is in use are made on the way: one beside the store, one in its log.
fn check_disk(app: &CliApp, room: DatabaseSize) -> Result<(), Failure> {
    let used = room.bytes.saturating_sub(room.unused_bytes.unwrap_or(0));
    let needed = used.saturating_mul(2).saturating_add(SPARE_BYTES);
    match SystemDisk.free_bytes(app.data_dir.path()) {
        Some(free) if free < needed => {
            let message = format!(
                "compacting needs {} bytes of free disk space and there are {}; free some space first",
                grouped(needed),
                grouped(free)
            );
            Err(Failure::new(Exit::Other, "disk_full", message))
        }
        _ => Ok(()),
    }
}
