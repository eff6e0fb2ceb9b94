//! What an owner does with live accounts: the library behind the command line and the server.

use std::sync::Arc;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use pdpp_auth::OwnerAccess;
use pdpp_contract::ids::DisplayName;
use pdpp_contract::ports::{Clock, Entropy};
use pdpp_contract::{ConnectionId, ConnectionName, SourceDeclaration};
use pdpp_engine::Engine;
use pdpp_store::Store;
use pdpp_store::accounts::{
    NewAccount, RunCounts, RunEnd, RunFault, RunStart, StoredAccount, StoredRun,
};
use pdpp_store::connections::{ConnectionRef, NewConnection};

use crate::credential::{AccountSecret, KeyFault, KeyRing};
use crate::fault::SyncFault;
use crate::imap;
use crate::run::{RunContext, RunParts, RunProgress, TextReaders};
use crate::schedule::{Ended, next_run};
use crate::settings::AccountSettings;

/// How long a run holds its account without saying so again.
pub const LEASE: Duration = Duration::from_mins(1);
/// Most characters of a fault that are remembered.
const MAX_FAULT_CHARS: usize = 300;

/// What works on the accounts of one store.
#[derive(Clone)]
pub struct Accounts {
    store: Arc<dyn Store>,
    engine: Engine,
    clock: Arc<dyn Clock>,
    entropy: Arc<dyn Entropy>,
    texts: TextReaders,
    lease: Duration,
}

/// An account to add, or to set anew.
pub struct AddAccount {
    /// The owner's short name of its connection.
    pub name: ConnectionName,
    /// What people call it; `None` leaves an existing label.
    pub display_name: Option<DisplayName>,
    /// The id of the connection if it is new.
    pub new_id: ConnectionId,
    /// Its settings.
    pub settings: AccountSettings,
    /// Its secret.
    pub secret: AccountSecret,
    /// Seconds between two runs.
    pub every_seconds: u32,
}

/// What an addition did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AddedAccount {
    /// Its connection.
    pub connection: ConnectionId,
    /// Whether it is new; otherwise its settings and secret were replaced.
    pub is_new: bool,
}

/// A run that has ended.
#[derive(Debug)]
pub struct RunOutcome {
    /// What it did.
    pub counts: RunCounts,
    /// Why it ended early.
    pub fault: Option<SyncFault>,
    /// When the next one is due.
    pub next_run_at: Timestamp,
}

impl Accounts {
    /// Works on a store.
    pub fn new(
        store: Arc<dyn Store>,
        engine: Engine,
        clock: Arc<dyn Clock>,
        entropy: Arc<dyn Entropy>,
        texts: TextReaders,
    ) -> Self {
        Self { store, engine, clock, entropy, texts, lease: LEASE }
    }

    /// The same with runs that hold their account for another time.
    #[must_use]
    pub fn with_lease(self, lease: Duration) -> Self {
        Self { lease, ..self }
    }

    /// Every account, by name.
    pub async fn list(&self, _: &OwnerAccess) -> Result<Vec<StoredAccount>, SyncFault> {
        Ok(self.store.accounts().await?)
    }

    /// The account of this name, or of the connection with this id.
    pub async fn find(
        &self,
        owner: &OwnerAccess,
        which: &ConnectionRef,
    ) -> Result<StoredAccount, SyncFault> {
        let is_it = |account: &StoredAccount| match which {
            ConnectionRef::Id(id) => account.connection == *id,
            ConnectionRef::Name(name) => account.name == *name,
        };
        let found = self.list(owner).await?.into_iter().find(is_it);
        found.ok_or_else(|| {
            SyncFault::NoAccount(match which {
                ConnectionRef::Id(id) => id.to_string(),
                ConnectionRef::Name(name) => name.to_string(),
            })
        })
    }

    /// The newest runs of an account, the newest first.
    pub async fn runs(
        &self,
        _: &OwnerAccess,
        connection: &ConnectionId,
        limit: u32,
    ) -> Result<Vec<StoredRun>, SyncFault> {
        Ok(self.store.runs(connection, limit).await?)
    }

    /// Keeps an account; its connection is made if it is new. One that is there already gets the new settings
    /// and secret. Whoever calls has tested the connection.
    pub async fn add(
        &self,
        _: &OwnerAccess,
        keys: &KeyRing,
        add: AddAccount,
    ) -> Result<AddedAccount, SyncFault> {
        let AddAccount { name, display_name, new_id, settings, secret, every_seconds } = add;
        let now = self.clock.now();
        let declaration = declaration_of(&settings)?;
        let planned = NewConnection { id: new_id, name, display_name, declaration, now };
        let connection = self.store.ensure_connection(planned).await?.id;
        let settings_json = serde_json::to_string(&settings).map_err(|_| SyncFault::Settings)?;
        let credential = Some(keys.seal(&connection, &secret, self.entropy.as_ref())?);
        let new = NewAccount {
            connection: connection.clone(),
            kind: settings.kind().to_owned(),
            settings_json: settings_json.clone(),
            credential: credential.clone(),
            every_seconds,
            now,
        };
        let is_new = self.store.add_account(new).await?;
        if !is_new {
            let store = &self.store;
            store.change_account(&connection, &settings_json, credential, now).await?;
        }
        Ok(AddedAccount { connection, is_new })
    }

    /// Stops or resumes the schedule of an account.
    pub async fn pause(
        &self,
        _: &OwnerAccess,
        connection: &ConnectionId,
        is_paused: bool,
    ) -> Result<(), SyncFault> {
        let now = self.clock.now();
        let found = self.store.pause_account(connection, is_paused, now).await?;
        if found { Ok(()) } else { Err(SyncFault::NoAccount(connection.to_string())) }
    }

    /// Forgets an account and its credential; the records stay.
    pub async fn remove(
        &self,
        _: &OwnerAccess,
        connection: &ConnectionId,
    ) -> Result<(), SyncFault> {
        let found = self.store.remove_account(connection).await?;
        if found { Ok(()) } else { Err(SyncFault::NoAccount(connection.to_string())) }
    }

    /// Seals every credential under the newest key; says how many there are. All of them, or none.
    pub async fn reseal(&self, owner: &OwnerAccess, keys: &KeyRing) -> Result<u64, SyncFault> {
        let mut sealed = Vec::new();
        for account in self.list(owner).await? {
            let Some(before) = account.credential else { continue };
            let secret = keys.open(&account.connection, &before)?;
            let after = keys.seal(&account.connection, &secret, self.entropy.as_ref())?;
            sealed.push((account.connection, before, after));
        }
        let count = u64::try_from(sealed.len()).unwrap_or(u64::MAX);
        if self.store.reseal_credentials(sealed).await? { Ok(count) } else { Err(SyncFault::Busy) }
    }

    /// Whether an account is due by its schedule.
    pub fn is_due(&self, account: &StoredAccount) -> bool {
        let now = self.clock.now();
        !account.is_paused
            && account.next_run_at <= now
            && account.lease_until.is_none_or(|until| until <= now)
    }

    /// Runs an account to its end. The outcome of the run is kept; only what happens before it begins is an
    /// error.
    pub async fn run(
        &self,
        owner: &OwnerAccess,
        keys: &KeyRing,
        account: &StoredAccount,
        is_scheduled: bool,
        progress: RunProgress,
    ) -> Result<RunOutcome, SyncFault> {
        let connection = &account.connection;
        let now = self.clock.now();
        let lease = SignedDuration::try_from(self.lease).unwrap_or(SignedDuration::from_secs(60));
        let start = RunStart { is_scheduled, now, lease_until: now + lease };
        let Some(run) = self.store.begin_run(connection, start).await? else {
            return Err(SyncFault::Busy);
        };
        let parts = RunParts {
            store: Arc::clone(&self.store),
            engine: self.engine.clone(),
            owner: owner.clone(),
            clock: Arc::clone(&self.clock),
            texts: Arc::clone(&self.texts),
        };
        let context = RunContext::begin(parts, connection.clone(), run, progress).await?;
        let synced = tokio::select! {
            synced = sync(account, keys, &context, self.store.as_ref()) => synced,
            taken_over = context.hold(self.lease) => Err(taken_over),
        };
        let counts = context.counts();
        let fault = synced.err();
        let ended = fault.as_ref().map_or(Ended::Well, |fault| Ended::Badly {
            action: fault.action(),
            failures_before: account.failures,
        });
        let now = self.clock.now();
        let next_run_at = next_run(now, account.every_seconds, ended, self.entropy.as_ref());
        let end = RunEnd { now, fault: fault.as_ref().map(remembered), counts, next_run_at };
        self.store.end_run(connection, run, end).await?;
        Ok(RunOutcome { counts, fault, next_run_at })
    }
}

async fn sync(
    account: &StoredAccount,
    keys: &KeyRing,
    context: &RunContext,
    store: &dyn Store,
) -> Result<(), SyncFault> {
    let settings = settings_of(account)?;
    let sealed = account.credential.as_deref().ok_or(KeyFault::Damaged)?;
    let secret = keys.open(&account.connection, sealed)?;
    // Files come before the records that refer to them.
    let _arrivals = store.begin_arrivals().await?;
    match &settings {
        AccountSettings::Imap(imap) => imap::sync(imap, &secret, context).await,
    }
}

/// The settings of an account.
pub fn settings_of(account: &StoredAccount) -> Result<AccountSettings, SyncFault> {
    serde_json::from_str(&account.settings_json).map_err(|_| SyncFault::Settings)
}

/// What the records of an account look like.
fn declaration_of(settings: &AccountSettings) -> Result<SourceDeclaration, SyncFault> {
    let text = match settings {
        AccountSettings::Imap(_) => pdpp_import::formats::mail::DECLARATION,
    };
    SourceDeclaration::parse(text).map_err(|_| SyncFault::Settings)
}

fn remembered(fault: &SyncFault) -> RunFault {
    let message: String = fault.to_string().chars().take(MAX_FAULT_CHARS).collect();
    RunFault { code: fault.code().to_owned(), message }
}
