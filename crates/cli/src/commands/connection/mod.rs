//! `pdpp connection`: what is stored, account by account.

mod list;
mod remove;
mod rename;
mod show;

use clap::{Args, Subcommand};
use pdpp_contract::{ConnectionId, ConnectionName, InvalidName};
use pdpp_store::connections::{Connection, ConnectionRef};
use serde_json::{Value, json};

use crate::app::CliApp;
use crate::failure::{Exit, Failure};
use crate::output::{Output, without_nulls};

/// List, show, rename or remove accounts
#[derive(Debug, Args)]
pub struct ConnectionArgs {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// List all accounts
    List,
    Show(show::ShowConnectionArgs),
    Rename(rename::RenameArgs),
    Remove(remove::RemoveArgs),
}

/// Runs one of the actions.
pub async fn run(args: ConnectionArgs, app: &CliApp, output: &Output) -> Result<Exit, Failure> {
    match args.action {
        Action::List => list::run(app, output).await,
        Action::Show(args) => show::run(args, app, output).await,
        Action::Rename(args) => rename::run(args, app, output).await,
        Action::Remove(args) => remove::run(args, app, output).await,
    }
}

/// Reads a short name or an id. No short name looks like an id: it has no `_`.
pub fn connection_ref(text: &str) -> Result<ConnectionRef, InvalidName> {
    if text.starts_with("cin_") {
        ConnectionId::new(text).map(ConnectionRef::Id)
    } else {
        ConnectionName::new(text).map(ConnectionRef::Name)
    }
}

/// How many records a connection holds.
fn record_count(connection: &Connection) -> u64 {
    connection.streams.iter().map(|stream| stream.record_count).sum()
}

/// A connection for scripts.
fn document(connection: &Connection) -> Value {
    let streams = connection.streams.iter();
    let streams: Vec<Value> = streams
        .map(|stream| json!({"name": stream.name, "record_count": stream.record_count}))
        .collect();
    without_nulls(json!({
        "connection_id": connection.id,
        "name": connection.name,
        "display_name": connection.display_name,
        "connector_key": connection.connector_key,
        "created_at": connection.created_at.to_string(),
        "record_count": record_count(connection),
        "streams": streams,
    }))
}
