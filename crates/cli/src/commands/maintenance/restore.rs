//! `pdpp restore`: a backup into an empty store.

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use pdpp_store::backup::{BackupFolder, BackupResult, Contents};
use serde_json::json;

use super::passphrase;
use crate::app::CliApp;
use crate::commands::maintenance::store_report;
use crate::data_dir::DataDir;
use crate::failure::{Exit, Failure};
use crate::output::table::counted;
use crate::output::words::Words;
use crate::output::{Output, Style, note, plain};

/// Batches that may wait between the directory and the store.
const WAITING: usize = 8;

/// Restore a backup into an empty store
///
/// The whole backup is checked first; a damaged one is refused before anything changes. Ids, cursors,
/// grants and tokens keep working. To continue an interrupted restore, run it again. The passphrase of
/// an encrypted backup is asked for, or read from standard input.
#[derive(Debug, Args)]
pub struct RestoreArgs {
    /// The directory of the backup
    #[arg(value_name = "DIR")]
    directory: PathBuf,
    /// Only check the backup
    #[arg(long)]
    check: bool,
}

/// Checks the copy, puts it into the store, checks the store.
pub async fn run(args: RestoreArgs, data_dir: DataDir, output: &Output) -> Result<Exit, Failure> {
    if !args.check {
        data_dir.check_database()?;
    }
    let is_needed = BackupFolder::is_encrypted(&args.directory);
    let passphrase = is_needed.then(|| passphrase::read(false)).transpose()?;
    let directory = args.directory.clone();
    let (folder, contents) = blocking(move || {
        let folder = BackupFolder::open_to_read(&directory, passphrase)?;
        let contents = folder.check()?;
        Ok((Arc::new(folder), contents))
    })
    .await?;
    if args.check {
        return answer_check(contents, output);
    }
    if !output.is_json() {
        note(&format!("Restoring into {} …", data_dir.place()));
    }
    let layout = folder.layout();
    let app = CliApp::open_to_fill_with(data_dir.clone(), layout).await?;
    let (out, into) = std::sync::mpsc::sync_channel(WAITING);
    let reading = blocking(move || folder.read(&out));
    let told = Arc::new(|rows| note(&format!("copied {rows} rows")));
    let (read, taken) = tokio::join!(reading, app.store.take(into, told));
    read?;
    let sent = taken?;
    // Its keys are those of the copy now.
    drop(app);
    let app = CliApp::open_to_fill_with(data_dir.clone(), layout).await?;
    let is_same = app.store.contents().await? == sent;
    drop(app);
    verify(data_dir, is_same, output).await
}

async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> BackupResult<T> + Send + 'static,
) -> Result<T, Failure> {
    let done = tokio::task::spawn_blocking(work).await.map_err(|error| {
        Failure::new(Exit::Other, "runtime", format!("the restore stopped: {error}"))
    })?;
    Ok(done?)
}

fn answer_check(contents: Contents, output: &Output) -> Result<Exit, Failure> {
    let document = json!({ "pieces": contents.pieces, "bytes": contents.bytes });
    output.answer(&document, || {
        let pieces = counted(contents.pieces, "piece", "pieces");
        let bytes = counted(contents.bytes, "byte", "bytes");
        format!("The backup is complete: {pieces}, {bytes}.\n")
    })?;
    Ok(Exit::Done)
}

/// Brings the tables up to date, where an older version wrote the copy, and checks everything.
async fn verify(data_dir: DataDir, is_same: bool, output: &Output) -> Result<Exit, Failure> {
    let place = data_dir.place();
    let app = CliApp::open_to_fill(data_dir).await?;
    let mut report = app.store.verify().await?;
    if is_same {
        // Faults that were copied are told; what is there is still the owner's to read.
        app.store.finish_move().await?;
    } else {
        report.faults.push("the store differs from the backup".to_owned());
    }
    output.answer(&store_report::document(&report, []), || {
        let contents = store_report::contents(&report);
        let mut words = Words::new(if is_same {
            format!("Restored {contents} into {place}.")
        } else {
            format!("{place} is incomplete and stays locked. Restore into another place.")
        });
        for fault in &report.faults {
            words.line(format!("{} {}", output.styled(Style::Wrong, "fault:"), plain(fault)));
        }
        words.into_text()
    })?;
    Ok(if report.faults.is_empty() { Exit::Done } else { Exit::Other })
}
