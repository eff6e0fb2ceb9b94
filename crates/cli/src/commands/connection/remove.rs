//! `pdpp connection remove`: erases a connection, and says what it erased.

use clap::Args;
use pdpp_store::connections::{ConnectionRef, Erased};
use serde_json::json;

use super::{connection_ref, record_count};
use crate::app::CliApp;
use crate::failure::{Exit, Failure};
use crate::output::prompt::agreed;
use crate::output::table::counted;
use crate::output::{Output, note};

/// Erase an account with all its records and the grants for it
#[derive(Debug, Args)]
pub struct RemoveArgs {
    /// The account: its name or cin_ id
    #[arg(value_parser = connection_ref)]
    connection: ConnectionRef,
    /// Do not ask for confirmation
    #[arg(long)]
    yes: bool,
}

/// Asks, erases and reports.
pub async fn run(args: RemoveArgs, app: &CliApp, output: &Output) -> Result<Exit, Failure> {
    let connection = app.connection(&args.connection).await?;
    let records = counted(record_count(&connection), "record", "records");
    let question = format!("Erase {} with {records}? This cannot be undone.", connection.name);
    if !args.yes && !agreed(&question)? {
        note("Nothing was erased.");
        return Ok(Exit::Other);
    }
    let erased = app.store.remove_connection(&connection.id, app.clock.now()).await?;
    app.forget_ended_credentials().await?;
    app.collect_blobs().await?;
    let Some(Erased { id, name, records, texts, blobs, grants }) = erased else {
        let message = "the account was removed meanwhile";
        return Err(Failure::new(Exit::Other, "connection_not_found", message));
    };
    app.note("remove_connection", id.clone(), records).await?;
    let document = json!({
        "connection_id": id,
        "name": name,
        "erased": {"records": records, "texts": texts, "blobs": blobs, "grants": grants},
    });
    output.answer(&document, || {
        format!(
            "Erased {name}: {}, {}, {}, {}.\n",
            counted(records, "record", "records"),
            counted(texts, "long text", "long texts"),
            counted(blobs, "file", "files"),
            counted(grants, "grant", "grants"),
        )
    })?;
    Ok(Exit::Done)
}
