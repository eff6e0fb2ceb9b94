//! `pdpp history`: how far back changes can be followed.

use clap::{Args, Subcommand};
use serde_json::json;

use crate::app::App;
use crate::failure::{Exit, Failure};
use crate::output::Output;
use crate::table::counted;

/// See how long the change log is, and shorten it
#[derive(Debug, Args)]
pub struct HistoryArgs {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Show how many changes the store has seen
    Show,
    /// Forget versions older than the newest changes
    ///
    /// Records stay as they are, and so does the last change of each of their fields. An agent whose
    /// bookmark is older than a change it could have seen and that is forgotten starts over.
    Prune(PruneArgs),
}

#[derive(Debug, Args)]
struct PruneArgs {
    /// How many of the newest changes stay as they are
    #[arg(long, value_name = "N")]
    keep_changes: u32,
}

/// Runs one of the actions.
pub async fn run(args: HistoryArgs, app: &App, output: &Output) -> Result<Exit, Failure> {
    let changes = app.store.newest_change().await?;
    match args.action {
        Action::Show => {
            let words = || {
                let count = u64::try_from(changes).unwrap_or(0);
                format!("{} so far.\n", counted(count, "change", "changes"))
            };
            output.answer(&json!({ "changes": changes }), words)?;
        }
        Action::Prune(PruneArgs { keep_changes }) => {
            let through = changes.saturating_sub(i64::from(keep_changes));
            let forgotten = app.store.prune_versions(through).await?;
            let document = json!({ "changes": changes, "forgotten_versions": forgotten });
            output.answer(&document, || {
                format!("Forgot {}.\n", counted(forgotten, "version", "versions"))
            })?;
        }
    }
    Ok(Exit::Done)
}
