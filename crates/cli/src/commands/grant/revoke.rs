//! `pdpp grant revoke`: ends what an agent may read.

use clap::Args;
use pdpp_contract::access::GrantSelector;
use serde_json::json;

use crate::app::CliApp;
use crate::failure::{Exit, Failure};
use crate::output::table::counted;
use crate::output::{Output, note, plain, quoted};
use crate::setup::{ClientPaths, set_up_as};

/// Revoke the access of an agent, from its next call on
#[derive(Debug, Args)]
pub struct RevokeArgs {
    /// An agent's name, a package id or a grant id
    what: GrantSelector,
}

/// Ends it, and forgets the credentials that open nothing any more.
pub async fn run(
    args: RevokeArgs,
    places: &ClientPaths,
    app: &CliApp,
    output: &Output,
) -> Result<Exit, Failure> {
    let ended = app.auth.revoke(&app.owner(), &args.what).await?;
    app.forget_ended_credentials().await?;
    let document = json!({"packages": ended.packages, "grants": ended.grants});
    output.answer(&document, || {
        if ended.grants.is_empty() {
            return "Nothing to revoke: it was revoked before.\n".to_owned();
        }
        let grants = counted(ended.grants.len() as u64, "grant", "grants");
        match &args.what {
            GrantSelector::Client(name) => {
                format!("Revoked {grants} of \"{}\"\n", plain(name.as_str()))
            }
            // A package is what one token opens; the others of its agent go on.
            GrantSelector::Package(_) | GrantSelector::Grant(_) if ended.packages.is_empty() => {
                format!("Revoked {grants}; the other grants of its token stay active\n")
            }
            GrantSelector::Package(_) | GrantSelector::Grant(_) => {
                format!("Revoked {grants}; its token no longer works\n")
            }
        }
    })?;
    if let GrantSelector::Client(name) = &args.what {
        note_elsewhere(name.as_str(), places, app);
    }
    Ok(Exit::Done)
}

/// Whoever moved a store may have ended something in the old one, while clients read the new one.
fn note_elsewhere(name: &str, places: &ClientPaths, app: &CliApp) {
    let clients = set_up_as(name, places, &app.data_dir);
    for client in clients.iter().filter(|client| !client.store.holds_the_same(&app.data_dir)) {
        let there = client.store.advice(&format!("grant revoke {}", quoted(name)));
        note(&format!(
            "{} uses {name} with another store, where nothing was revoked: {there}",
            client.title
        ));
    }
}
