//! `pdpp connection rename`: what people and agents see as its name.

use clap::Args;
use pdpp_contract::ids::DisplayName;
use pdpp_store::connections::ConnectionRef;

use super::{connection_ref, document};
use crate::app::CliApp;
use crate::failure::{Exit, Failure};
use crate::output::{Output, plain};

/// Change the display name of an account
#[derive(Debug, Args)]
pub struct RenameArgs {
    /// The account: its name or cin_ id
    #[arg(value_parser = connection_ref)]
    connection: ConnectionRef,
    /// The new display name
    #[arg(required_unless_present = "clear")]
    display_name: Option<DisplayName>,
    /// Remove the display name; people and agents then see the name
    #[arg(long, conflicts_with = "display_name")]
    clear: bool,
}

/// Renames it and answers with what it is now.
pub async fn run(args: RenameArgs, app: &CliApp, output: &Output) -> Result<Exit, Failure> {
    let connection = app.connection(&args.connection).await?;
    app.store.rename_connection(&connection.id, args.display_name).await?;
    app.note("rename_connection", connection.id, 0).await?;
    let connection = app.connection(&args.connection).await?;
    output.answer(&document(&connection), || match &connection.display_name {
        Some(label) => format!("Renamed {} to \"{}\"\n", connection.name, plain(label.as_str())),
        None => format!("Removed the display name of {}\n", connection.name),
    })?;
    Ok(Exit::Done)
}
