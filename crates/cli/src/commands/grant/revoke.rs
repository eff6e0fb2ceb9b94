//! `pdpp grant revoke`: ends what an agent may read.

use clap::Args;
use pdpp_auth::GrantSelector;
use serde_json::json;

use crate::app::App;
use crate::failure::{Exit, Failure};
use crate::output::Output;
use crate::table::counted;

/// End what an agent may read; takes effect on its next call
#[derive(Debug, Args)]
pub struct RevokeArgs {
    /// A package id, a grant id or a client name
    what: GrantSelector,
}

/// Ends it, and forgets the credentials that open nothing any more.
pub async fn run(args: RevokeArgs, app: &App, output: &Output) -> Result<Exit, Failure> {
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
    Ok(Exit::Done)
}
