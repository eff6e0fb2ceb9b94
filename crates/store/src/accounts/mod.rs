//! Accounts that keep themselves current: what is known of each, its runs, and where its records stand at
//! their source.

pub mod sync;

use async_trait::async_trait;
use jiff::Timestamp;
use pdpp_contract::ids::DisplayName;
use pdpp_contract::{ConnectionId, ConnectionName};

use crate::error::StoreResult;

/// An account to keep.
#[derive(Clone)]
pub struct NewAccount {
    /// The connection that its records go into.
    pub connection: ConnectionId,
    /// The kind of account, such as `imap`.
    pub kind: String,
    /// Its settings as JSON, without secrets.
    pub settings_json: String,
    /// Its credential, sealed.
    pub credential: Option<Vec<u8>>,
    /// Seconds between two runs.
    pub every_seconds: u32,
    /// When it was added; its first run is due at once.
    pub now: Timestamp,
}

/// An account as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredAccount {
    /// The connection that its records go into.
    pub connection: ConnectionId,
    /// The owner's short name of that connection.
    pub name: ConnectionName,
    /// What people call it.
    pub display_name: Option<DisplayName>,
    /// The kind of account.
    pub kind: String,
    /// Its settings as JSON.
    pub settings_json: String,
    /// Its credential, sealed.
    pub credential: Option<Vec<u8>>,
    /// Seconds between two runs.
    pub every_seconds: u32,
    /// Whether its schedule stands still.
    pub is_paused: bool,
    /// When it was added.
    pub created_at: Timestamp,
    /// When its next run is due.
    pub next_run_at: Timestamp,
    /// Runs in a row that failed.
    pub failures: u32,
    /// When the last run began that read everything there was.
    pub current_at: Option<Timestamp>,
    /// The same, of runs by the schedule alone.
    pub fresh_at: Option<Timestamp>,
    /// Until when a run holds it.
    pub lease_until: Option<Timestamp>,
}

/// The number of a run; whoever has the newest one of an account may write for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct RunNo(pub u64);

/// Why a run ended early.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunFault {
    /// The cause for programs.
    pub code: String,
    /// The cause for people, in one sentence.
    pub message: String,
}

/// What a run did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RunCounts {
    /// New records.
    pub added: u64,
    /// Records with other data than before.
    pub changed: u64,
    /// Records that the source deleted and that were kept.
    pub kept: u64,
    /// Items that were rejected.
    pub rejected: u64,
    /// Bytes that the source sent.
    pub bytes: u64,
}

/// A run as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredRun {
    /// Its number.
    pub run_no: RunNo,
    /// Whether the schedule began it.
    pub is_scheduled: bool,
    /// When it began.
    pub started_at: Timestamp,
    /// When it ended; `None` while it runs, or when it was killed.
    pub ended_at: Option<Timestamp>,
    /// Why it ended early.
    pub fault: Option<RunFault>,
    /// What it did.
    pub counts: RunCounts,
}

/// The beginning of a run.
#[derive(Debug, Clone, Copy)]
pub struct RunStart {
    /// Whether the schedule begins it. Then the account must be due and not paused.
    pub is_scheduled: bool,
    /// When it begins.
    pub now: Timestamp,
    /// Until when nobody else may begin one.
    pub lease_until: Timestamp,
}

/// The end of a run.
#[derive(Debug, Clone)]
pub struct RunEnd {
    /// When it ended.
    pub now: Timestamp,
    /// Why it ended early; without a fault everything was read.
    pub fault: Option<RunFault>,
    /// What it did.
    pub counts: RunCounts,
    /// When the next one is due.
    pub next_run_at: Timestamp,
}

/// Accounts and their runs.
#[async_trait]
pub trait AccountStore: Send + Sync {
    /// Keeps an account. `false` when its connection has one, or is gone.
    async fn add_account(&self, new: NewAccount) -> StoreResult<bool>;

    /// Every account, by name.
    async fn accounts(&self) -> StoreResult<Vec<StoredAccount>>;

    /// Stops or resumes the schedule; a resumed account is due at once. `false` when there is none.
    async fn pause_account(
        &self,
        connection: &ConnectionId,
        is_paused: bool,
        now: Timestamp,
    ) -> StoreResult<bool>;

    /// Replaces the settings and the credential, and lets the account be due at once. `false` when there
    /// is none.
    async fn change_account(
        &self,
        connection: &ConnectionId,
        settings_json: &str,
        credential: Option<Vec<u8>>,
        now: Timestamp,
    ) -> StoreResult<bool>;

    /// Replaces credentials, each only if it is still the first of the pair: all of them, or none and
    /// `false`.
    async fn reseal_credentials(
        &self,
        sealed: Vec<(ConnectionId, Vec<u8>, Vec<u8>)>,
    ) -> StoreResult<bool>;

    /// Removes an account with its credential, places and runs; the records stay. `false` when there is
    /// none.
    async fn remove_account(&self, connection: &ConnectionId) -> StoreResult<bool>;

    /// Begins a run. `None` when another one holds the account, when the schedule is not due, or when there
    /// is no such account. Of several that begin at once, one succeeds.
    async fn begin_run(
        &self,
        connection: &ConnectionId,
        start: RunStart,
    ) -> StoreResult<Option<RunNo>>;

    /// Holds the account for longer. `false` when the run is not the newest any more.
    async fn keep_lease(
        &self,
        connection: &ConnectionId,
        run: RunNo,
        lease_until: Timestamp,
    ) -> StoreResult<bool>;

    /// Ends a run and lets the account go. `false`, and nothing changed, when it is not the newest any more.
    async fn end_run(
        &self,
        connection: &ConnectionId,
        run: RunNo,
        end: RunEnd,
    ) -> StoreResult<bool>;

    /// The newest runs, the newest first.
    async fn runs(&self, connection: &ConnectionId, limit: u32) -> StoreResult<Vec<StoredRun>>;
}
