//! `pdpp backup`: a whole store into a directory.

use std::path::PathBuf;

use clap::Args;
use pdpp_store::backup::{BackupError, BackupFolder, Written};
use serde_json::json;

use super::passphrase;
use crate::app::CliApp;
use crate::data_dir::DataDir;
use crate::failure::{Exit, Failure};
use crate::output::Output;
use crate::output::table::{counted, grouped};

/// Batches that may wait between the store and the directory.
const WAITING: usize = 8;

/// Back up the whole store into a directory
///
/// The backup is a snapshot; servers and imports can keep running. A second backup into the same
/// directory writes only what has changed and removes what is no longer in the store. If it is
/// interrupted, the previous backup stays valid.
#[derive(Debug, Args)]
pub struct BackupArgs {
    /// A new or empty directory, or a previous backup of the same store
    #[arg(value_name = "DIR")]
    directory: PathBuf,
    /// Encrypt a new backup; the passphrase is asked for, or read from standard input
    #[arg(long)]
    encrypt: bool,
}

/// Copies, and says how much of it was new.
pub async fn run(args: BackupArgs, data_dir: DataDir, output: &Output) -> Result<Exit, Failure> {
    let app = CliApp::open_existing(data_dir).await?;
    let is_encrypted = BackupFolder::is_encrypted(&args.directory);
    let is_needed = args.encrypt || is_encrypted;
    let passphrase = is_needed.then(|| passphrase::read(!is_encrypted)).transpose()?;
    let (out, into) = std::sync::mpsc::sync_channel(WAITING);
    let directory = args.directory.clone();
    let writing = tokio::task::spawn_blocking(move || {
        BackupFolder::open_to_write(&directory, passphrase)?.write(into)
    });
    let (given, written) = tokio::join!(app.store.give(out), writing);
    let written = written.map_err(|error| {
        Failure::new(Exit::Other, "runtime", format!("the backup stopped: {error}"))
    })?;
    // When one stops, the other one says only that; the cause is the one that says more.
    let written = match (given, written) {
        (Err(cause), Ok(_) | Err(BackupError::BrokenOff)) => return Err(cause.into()),
        (_, written) => written?,
    };
    answer(&args, is_needed, written, output)
}

fn answer(
    args: &BackupArgs,
    is_encrypted: bool,
    written: Written,
    output: &Output,
) -> Result<Exit, Failure> {
    let document = json!({
        "directory": args.directory.to_string_lossy(),
        "pieces": written.pieces,
        "new_pieces": written.new_pieces,
        "new_bytes": written.new_bytes,
        "removed_pieces": written.removed,
    });
    output.answer(&document, || {
        format!(
            "The {}backup in {} is complete: {}, {} new ({}), {} removed.\n",
            if is_encrypted { "encrypted " } else { "" },
            args.directory.display(),
            counted(written.pieces, "piece", "pieces"),
            grouped(written.new_pieces),
            counted(written.new_bytes, "byte", "bytes"),
            grouped(written.removed)
        )
    })?;
    Ok(Exit::Done)
}
