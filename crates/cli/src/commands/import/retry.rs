//! `pdpp import retry`: tries again what an earlier import had to set aside.

use std::io;
use std::sync::Arc;

use clap::Args;
use pdpp_contract::import::{ImportItem, RejectedItem};
use pdpp_contract::{ConnectionId, Json, SourceDeclaration};
use pdpp_engine::import::ImportRequest;
use pdpp_store::connections::ConnectionRef;
use pdpp_store::writes::HeldItem;
use tokio::runtime::Handle;

use super::report::{self, ReportUnit};
use crate::app::CliApp;
use crate::commands::connection::connection_ref;
use crate::data_dir::DataDir;
use crate::failure::{Exit, Failure};
use crate::output::table::counted;
use crate::output::{Output, note};

/// Items that are tried together.
const PAGE: u32 = 100;

/// Retry items in quarantine
///
/// Records are checked against the current declaration of the account. An item that could not be parsed (a
/// broken message, a truncated file) stays: fix the export and import it again.
#[derive(Debug, Args)]
pub struct RetryArgs {
    /// The account: its name or cin_ id
    #[arg(value_parser = connection_ref)]
    connection: ConnectionRef,
}

/// Tries every item once.
pub async fn run(args: RetryArgs, data_dir: DataDir, output: &Output) -> Result<Exit, Failure> {
    let app = CliApp::open_existing(data_dir).await?;
    let connection = app.connection(&args.connection).await?;
    let text = app.store.declaration(connection.declaration).await?;
    let declaration = text.and_then(|text| SourceDeclaration::parse(&text).ok());
    let declaration = declaration.ok_or_else(|| {
        Failure::new(Exit::Other, "no_declaration", "the declaration of the account cannot be read")
    })?;
    let (mut numbers, mut after, mut left) = (Vec::new(), 0, 0);
    loop {
        let page = app.store.list_quarantine(&connection.id, after, PAGE).await?;
        let Some(last) = page.last() else { break };
        after = last.number;
        let records = page.iter().filter(|held| is_record(held));
        let before = numbers.len();
        numbers.extend(records.map(|held| held.number));
        left += page.len() + before - numbers.len();
    }
    if left > 0 {
        let left = counted(left as u64, "item", "items");
        note(&format!("{left} could not be parsed; fix the export and import it again"));
    }
    let request = ImportRequest {
        name: connection.name.clone(),
        display_name: None,
        declaration,
        new_id: connection.id.clone(),
        dry_run: false,
    };
    let items = Box::new(items(&app, connection.id.clone(), after));
    let mut report = app.engine.import(&app.owner(), request, items, Box::new(|_| {})).await?;
    // What failed again was kept again under a new number; only what succeeded goes.
    app.store.release_quarantine(&connection.id, numbers).await?;
    report.quarantined = app.store.quarantined(&connection.id).await?;
    app.note("import", connection.id, report.added + report.changed + report.deleted).await?;
    report::answer(&report, (ReportUnit::Item, &[]), &app.data_dir, output)
}

/// The records in quarantine up to the number `last`, a page in memory at a time. What fails again
/// gets a higher number and is not met twice.
fn items(
    app: &CliApp,
    connection: ConnectionId,
    last: u64,
) -> impl Iterator<Item = io::Result<ImportItem>> + Send + use<> {
    let (store, runtime) = (Arc::clone(&app.store), Handle::current());
    let mut after = 0;
    let pages = std::iter::from_fn(move || {
        let page = runtime.block_on(store.list_quarantine(&connection, after, PAGE));
        let page = match page {
            Ok(page) => page,
            Err(error) => {
                after = u64::MAX;
                return Some(vec![Err(io::Error::other(error.to_string()))]);
            }
        };
        after = page.last()?.number;
        let tried = page.into_iter().filter(|held| held.number <= last && is_record(held));
        let items: Vec<_> = tried.map(|held| Ok(item(held))).collect();
        (after <= last || !items.is_empty()).then_some(items)
    });
    pages.flatten()
}

fn item(held: HeldItem) -> ImportItem {
    let RejectedItem { source, position, rejected } = held.item;
    ImportItem::from_line(&source, position, rejected.item)
}

/// Whether the item is a record line. Anything else would only lose its reason.
fn is_record(held: &HeldItem) -> bool {
    let text = std::str::from_utf8(&held.item.rejected.item).ok();
    let Some(Json::Object(line)) = text.and_then(|text| Json::parse(text).ok()) else {
        return false;
    };
    line.contains_key("stream") && line.contains_key("key")
}
