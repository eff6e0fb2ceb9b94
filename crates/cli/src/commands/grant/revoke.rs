//! `pdpp grant revoke`: ends what an agent may read.

use clap::Args;
use pdpp_auth::GrantSelector;
use serde_json::json;

use crate::app::App;
use crate::failure::{Exit, Failure};
use crate::output::table::counted;
use crate::output::{Output, note, plain, quoted};
use crate::setup::{Places, set_up_as};

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
        match &args.what {
            GrantSelector::Client(name) => {
                format!("{} can read nothing any more: ended {grants}.\n", plain(name.as_str()))
            }
            // A package is what one token opens; the others of its agent go on.
            GrantSelector::Package(_) | GrantSelector::Grant(_) if ended.packages.is_empty() => {
                format!("Ended {grants}; its token opens the others still.\n")
            }
            GrantSelector::Package(_) | GrantSelector::Grant(_) => {
                format!("Ended {grants}; its token opens nothing any more.\n")
            }
        }
    })?;
    if let GrantSelector::Client(name) = &args.what {
        note_elsewhere(name.as_str(), places, app);
    }
    Ok(Exit::Done)
}

/// Whoever moved a store may have ended something in the old one, while clients read the new one.
fn note_elsewhere(name: &str, places: &Places, app: &App) {
    let clients = set_up_as(name, places, &app.data_dir);
    for client in clients.iter().filter(|client| !client.store.holds_the_same(&app.data_dir)) {
        let there = client.store.advice(&format!("grant revoke {}", quoted(name)));
        note(&format!(
            "{} reads as {name} from another store, where nothing was ended: {there}",
            client.title
        ));
    }
}
