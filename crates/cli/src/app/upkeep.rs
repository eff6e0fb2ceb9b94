//! What a long-running process does for its store beside answering: it notes the time, and removes what
//! is older than the owner keeps.

use std::sync::Arc;
use std::time::Duration;

use jiff::SignedDuration;
use pdpp_auth::{Auth, Pruned, PrunedBy};
use pdpp_store::{Store, StoreError};

use crate::app::CliApp;
use crate::app::clock::StoreClock;

/// How often the store is told the time, and asked for it.
const NOTE_EVERY: Duration = Duration::from_mins(1);
/// What the store may be behind before it is told.
const WORTH_A_WRITE: SignedDuration = SignedDuration::from_secs(30);
/// How often old events and versions are looked for.
const PRUNE_EVERY: Duration = Duration::from_hours(6);

/// Keeps the time of the store for as long as the process runs.
pub fn keep_time(app: &CliApp) {
    let (store, clock) = (Arc::clone(&app.store), Arc::clone(&app.store_clock));
    tokio::spawn(async move {
        loop {
            note_time(store.as_ref(), &clock).await;
            tokio::time::sleep(NOTE_EVERY).await;
        }
    });
}

/// The same, and removes what is older than the owner keeps.
pub fn keep_in_order(app: &CliApp) {
    keep_time(app);
    let auth = Arc::clone(&app.auth);
    tokio::spawn(async move {
        loop {
            prune(&auth).await;
            tokio::time::sleep(PRUNE_EVERY).await;
        }
    });
}

/// Looks first: while audit events are written the store knows the time anyway.
async fn note_time(store: &dyn Store, clock: &StoreClock) {
    let noting = async {
        let stored = store.seen_time().await?;
        clock.adopt(stored);
        let seen = clock.seen();
        if seen.at.duration_since(stored.at) >= WORTH_A_WRITE {
            clock.adopt(store.note_time(seen).await?);
        }
        Ok::<(), StoreError>(())
    };
    if let Err(error) = noting.await {
        tracing::debug!("cannot record the time: {error}");
    }
}

async fn prune(auth: &Auth) {
    match auth.apply_retention(PrunedBy::Server).await {
        Ok(Pruned { events: 0, versions: 0 }) => {}
        Ok(Pruned { events, versions }) => {
            tracing::info!(events, versions, "removed old events and versions");
        }
        Err(error) => tracing::warn!("cannot remove old events and versions: {error}"),
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::sync::Mutex;

    use jiff::Timestamp;
    use pdpp_auth::AuthError;
    use pdpp_contract::ports::Clock;
    use pdpp_store::{Database, StoreOptions};
    use pdpp_testkit::postgres::{FreshDatabase, fresh_database};

    use super::*;
    use crate::platform::entropy::SystemEntropy;

    /// A machine whose clock somebody sets.
    struct Machine(Mutex<Timestamp>);

    impl Machine {
        fn set(&self, hours: i64) {
            *self.0.lock().unwrap() += SignedDuration::from_hours(hours);
        }
    }

    impl Clock for Machine {
        fn now(&self) -> Timestamp {
            *self.0.lock().unwrap()
        }
    }

    /// A process that opens the store: what decides about authority, and its clock.
    async fn process(
        at: &Path,
        url: Option<&str>,
        machine: &Arc<Machine>,
    ) -> (Arc<dyn Store>, Arc<StoreClock>, Auth) {
        let mut options = StoreOptions::new(at.join("store.db"), Arc::new(SystemEntropy));
        if let Some(url) = url {
            options = options.on_postgres(Database::new(url));
        }
        let store = pdpp_store::open(options).await.unwrap();
        let seen = store.seen_time().await.unwrap();
        let machine: Arc<dyn Clock> = Arc::<Machine>::clone(machine);
        let clock = Arc::new(StoreClock::new(machine, seen));
        let told: Arc<dyn Clock> = Arc::<StoreClock>::clone(&clock);
        let auth = Auth::new(store.clone(), told, Arc::new(SystemEntropy));
        (store, clock, auth)
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_clock_that_is_set_back_revives_nothing_that_expired() {
        let database = fresh_database().await;
        for url in [None, database.as_ref().map(FreshDatabase::url)] {
            let directory = tempfile::tempdir().unwrap();
            let machine = Machine(Mutex::new("2026-11-01T12:00:00Z".parse().unwrap()));
            let machine = Arc::new(machine);
            let (store, clock, auth) = process(directory.path(), url, &machine).await;
            let owner = auth.local_owner();
            let lifetime = Some("1h".parse().unwrap());
            let issued = auth.create_owner_token(&owner, None, lifetime).await.unwrap();
            let token = issued.access_token.reveal().to_owned();
            auth.verify(&token).await.unwrap();
            machine.set(2);
            let expired = |verdict| matches!(verdict, Err(AuthError::TokenExpired));
            assert!(expired(auth.verify(&token).await.map(drop)), "it has expired");
            machine.set(-2);
            assert!(expired(auth.verify(&token).await.map(drop)), "in the same process");
            note_time(store.as_ref(), &clock).await;
            drop((store, clock, auth));
            let (store, _, auth) = process(directory.path(), url, &machine).await;
            assert!(expired(auth.verify(&token).await.map(drop)), "and after a restart");
            // The machine's clock alone would let it in again.
            let bare: Arc<dyn Clock> = Arc::<Machine>::clone(&machine);
            let alone = Auth::new(store, bare, Arc::new(SystemEntropy));
            assert!(alone.verify(&token).await.is_ok());
        }
    }
}
