//! `pdpp grant revoke`: ends what an agent may read.

use clap::Args;
use pdpp_auth::GrantSelector;
use serde_json::json;

use crate::app::App;
use crate::failure::{Exit, Failure};
use crate::output::{Output, note, quoted};
use crate::setup::{Places, reading_elsewhere};
use crate::table::counted;

/// End what an agent may read; takes effect on its next call
#[derive(Debug, Args)]
pub struct RevokeArgs {
    /// A package id, a grant id or a client name
    what: GrantSelector,
}

/// Ends it, and forgets the credentials that open nothing any more.
pub async fn run(
    args: RevokeArgs,
    places: &Places,
    app: &App,
    output: &Output,
) -> Result<Exit, Failure> {
    let ended = app.auth.revoke(&app.owner(), &args.what).await?;
    app.forget_ended_credentials().await?;
    let document = json!({"packages": ended.packages, "grants": ended.grants});
    output.answer(&document, || {
        if ended.grants.is_empty() {
            return "Nothing to end: it had ended before.\n".to_owned();
        }
        let grants = counted(ended.grants.len() as u64, "grant", "grants");
        let packages = counted(ended.packages.len() as u64, "package", "packages");
        format!("Ended {grants}; {packages} opened nothing else and ended too.\n")
    })?;
    if let GrantSelector::Client(name) = &args.what {
        note_elsewhere(name.as_str(), places, app);
    }
    Ok(Exit::Done)
}

/// Whoever moved a store may have ended something in the old one, while clients read the new one.
fn note_elsewhere(name: &str, places: &Places, app: &App) {
    for client in reading_elsewhere(places, &app.data_dir, name) {
        let there = client.store.advice(&format!("grant revoke {}", quoted(name)));
        note(&format!(
            "{} reads as {name} from another store, where nothing was ended: {there}",
            client.title
        ));
    }
}
