//! What a server does for live accounts: it runs those that are due, a few at a time.

use std::sync::Arc;
use std::time::Duration;

use pdpp_auth::OwnerAccess;
use pdpp_store::accounts::StoredAccount;
use pdpp_sync::accounts::Accounts;
use pdpp_sync::fault::SyncFault;
use tokio::task::JoinSet;

use crate::app::CliApp;
use crate::commands::account::accounts;
use crate::data_dir::account_keys::KeyFile;

/// How often due accounts are looked for.
const LOOK_EVERY: Duration = Duration::from_secs(15);
/// Accounts that one server syncs at the same time.
const MAX_RUNNING: usize = 2;

/// Runs accounts on their schedules for as long as the process lives.
pub fn keep_current(app: &CliApp, keys: KeyFile) {
    let schedule = Schedule { accounts: accounts(app), owner: app.owner(), keys };
    tokio::spawn(async move {
        let mut running = JoinSet::new();
        loop {
            while running.try_join_next().is_some() {}
            if let Err(error) = schedule.start_due(&mut running).await {
                tracing::warn!("cannot look for due accounts: {error}");
            }
            tokio::time::sleep(LOOK_EVERY).await;
        }
    });
}

struct Schedule {
    accounts: Accounts,
    owner: OwnerAccess,
    keys: KeyFile,
}

impl Schedule {
    async fn start_due(&self, running: &mut JoinSet<()>) -> Result<(), SyncFault> {
        let mut due = self.accounts.list(&self.owner).await?;
        due.retain(|account| self.accounts.is_due(account));
        due.sort_by_key(|account| account.next_run_at);
        for account in due {
            if running.len() >= MAX_RUNNING {
                break;
            }
            // Read each time: the owner may have rotated them.
            let keys = match self.keys.read() {
                Ok(keys) => keys,
                Err(failure) => {
                    tracing::warn!("accounts cannot be synced: {}", failure.sentence());
                    break;
                }
            };
            let (accounts, owner) = (self.accounts.clone(), self.owner.clone());
            running.spawn(async move { run(&accounts, &owner, &keys, &account).await });
        }
        Ok(())
    }
}

async fn run(
    accounts: &Accounts,
    owner: &OwnerAccess,
    keys: &pdpp_sync::credential::KeyRing,
    account: &StoredAccount,
) {
    let name = account.name.as_str();
    match accounts.run(owner, keys, account, true, Arc::new(|_, _| {})).await {
        // Another server was faster, or has it.
        Err(SyncFault::Busy) => {}
        Err(error) => tracing::warn!(account = name, "an account was not synced: {error}"),
        Ok(outcome) => match outcome.fault {
            Some(fault) => {
                tracing::warn!(
                    account = name,
                    code = fault.code(),
                    "an account was not synced: {fault}"
                );
            }
            None => {
                let counts = outcome.counts;
                tracing::info!(
                    account = name,
                    added = counts.added,
                    changed = counts.changed,
                    kept = counts.kept,
                    rejected = counts.rejected,
                    "synced an account"
                );
            }
        },
    }
}
