//! `pdpp account sync`: runs accounts now.

use std::io::{IsTerminal, Write as _};
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use pdpp_store::accounts::StoredAccount;
use pdpp_store::connections::ConnectionRef;
use pdpp_sync::accounts::{Accounts, LEASE, RunOutcome};
use pdpp_sync::credential::KeyRing;
use pdpp_sync::fault::SyncFault;
use pdpp_sync::run::RunProgress;
use serde_json::{Value, json};

use super::{accounts, fault};
use crate::app::CliApp;
use crate::commands::connection::connection_ref;
use crate::data_dir::account_keys::KeyFile;
use crate::failure::{Exit, Failure};
use crate::output::table::{counted, grouped};
use crate::output::{Output, note};

/// How often an account that another run holds is asked for again.
const ASK_EVERY: Duration = Duration::from_secs(1);

/// Bring accounts up to date now
#[derive(Debug, Args)]
pub struct SyncArgs {
    /// The accounts: names or cin_ ids [default: all]
    #[arg(value_name = "NAME", value_parser = connection_ref)]
    accounts: Vec<ConnectionRef>,
    /// Do not show progress
    #[arg(long, short)]
    quiet: bool,
    /// Seconds for which a run holds its account without saying so again
    #[arg(long, hide = true, value_name = "N")]
    lease_seconds: Option<u64>,
}

/// Runs them one after the other.
pub async fn run(
    args: SyncArgs,
    keys: &KeyFile,
    app: &CliApp,
    output: &Output,
) -> Result<Exit, Failure> {
    let lease = args.lease_seconds.map_or(LEASE, Duration::from_secs);
    let (accounts, owner) = (accounts(app).with_lease(lease), app.owner());
    let unread = |error| fault::failure(error, "NAME", &app.data_dir);
    let mut chosen = Vec::new();
    for which in &args.accounts {
        chosen.push(accounts.find(&owner, which).await.map_err(unread)?);
    }
    if args.accounts.is_empty() {
        chosen = accounts.list(&owner).await.map_err(unread)?;
    }
    let keys = if chosen.is_empty() { None } else { Some(keys.read()?) };
    let (mut documents, mut lines, mut worst) = (Vec::new(), Vec::new(), None);
    for account in &chosen {
        let Some(keys) = &keys else { continue };
        let outcome = wait_and_run(&accounts, app, keys, account, lease, args.quiet).await;
        let outcome = outcome.map_err(|error| located(error, account, app))?;
        let changes = outcome.counts.added + outcome.counts.changed + outcome.counts.kept;
        if changes > 0 {
            app.note("account_sync", account.connection.clone(), changes).await?;
        }
        documents.push(document(account, &outcome));
        lines.push(words(account, &outcome));
        if let Some(error) = outcome.fault {
            worst = Some(located(error, account, app));
        }
    }
    output.answer(&json!({ "accounts": documents }), || {
        if lines.is_empty() { "No live accounts.\n".to_owned() } else { lines.concat() }
    })?;
    worst.map_or(Ok(Exit::Done), Err)
}

fn located(error: SyncFault, account: &StoredAccount, app: &CliApp) -> Failure {
    fault::failure(error, account.name.as_str(), &app.data_dir)
}

/// A run that was killed holds its account until its lease ends.
async fn wait_and_run(
    accounts: &Accounts,
    app: &CliApp,
    keys: &KeyRing,
    account: &StoredAccount,
    lease: Duration,
    quiet: bool,
) -> Result<RunOutcome, SyncFault> {
    let patience = tokio::time::Instant::now() + lease + ASK_EVERY;
    let mut is_told = false;
    loop {
        let progress = progress(account, quiet);
        match accounts.run(&app.owner(), keys, account, false, progress).await {
            Err(SyncFault::Busy) if tokio::time::Instant::now() < patience => {
                if !is_told && !quiet {
                    note(&format!("{}: another run is in progress; waiting for it", account.name));
                }
                is_told = true;
                tokio::time::sleep(ASK_EVERY).await;
            }
            outcome => return outcome,
        }
    }
}

fn progress(account: &StoredAccount, quiet: bool) -> RunProgress {
    let name = account.name.clone();
    let moves = std::io::stderr().is_terminal();
    Arc::new(move |done, all| {
        if quiet {
            return;
        }
        let mut to = std::io::stderr().lock();
        // A closed standard error must not stop the run.
        let (done, all) = (grouped(done), grouped(all));
        let _ = if moves {
            write!(to, "\r{name}: {done} of {all} messages")
        } else {
            writeln!(to, "{name}: {done} of {all} messages")
        };
    })
}

fn document(account: &StoredAccount, outcome: &RunOutcome) -> Value {
    json!({
        "name": account.name,
        "added": outcome.counts.added,
        "changed": outcome.counts.changed,
        "kept": outcome.counts.kept,
        "rejected": outcome.counts.rejected,
        "bytes": outcome.counts.bytes,
        "fault": outcome.fault.as_ref().map(SyncFault::code),
        "next_run_at": format!("{:.0}", outcome.next_run_at),
    })
}

fn words(account: &StoredAccount, outcome: &RunOutcome) -> String {
    let counts = outcome.counts;
    let mut parts = vec![
        format!("{} added", grouped(counts.added)),
        format!("{} changed", grouped(counts.changed)),
    ];
    if counts.kept > 0 {
        parts.push(format!("{} deleted at the source and kept here", grouped(counts.kept)));
    }
    if counts.rejected > 0 {
        parts.push(format!("{} rejected", counted(counts.rejected, "item", "items")));
    }
    format!("{}: {}\n", account.name, parts.join(", "))
}
