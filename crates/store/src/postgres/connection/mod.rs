//! The way to a server.

mod hosts;
pub(crate) mod pool;
pub(crate) mod presence;
mod tls;
pub(crate) mod writer;
pub(crate) mod writer_guard;

use std::str::FromStr;
use std::time::{Duration, Instant};

use tokio_postgres::Config;
use tokio_postgres::config::{Host, SslMode, TargetSessionAttrs};

use crate::Database;
use crate::error::{StoreError, StoreResult};
use crate::postgres::driver::{Connection, Error, Result};
use crate::postgres::errors::{from_driver, unanswered, unreachable};
use hosts::Hosts;
use tls::{Encryption, Tls};

/// How long a connection may take to come about, with each server of a list.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// How long a session may take to say that it is there.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(2);

/// When the network takes a connection away without a word, the system finds out in this time,
/// whether something is under way or not.
const UNHEARD_FOR: Duration = Duration::from_secs(30);
const KEEPALIVE_AFTER: Duration = Duration::from_secs(15);
const KEEPALIVE_EVERY: Duration = Duration::from_secs(5);
const KEEPALIVE_TRIES: u32 = 3;

/// Statements are written for the order of an index, as on SQLite: a plan that sorts, or reads a
/// table from end to end, is never the better one, and a plan does not depend on the values. What is
/// acknowledged is on the server's disk, also where other programs need not be so careful. A client that
/// vanished is noticed as soon as here a server.
const SETTINGS: &str = "
    SET enable_seqscan = off;
    SET enable_sort = off;
    SET enable_hashjoin = off;
    SET enable_mergejoin = off;
    SET jit = off;
    SET gin_fuzzy_search_limit = 0;
    SET plan_cache_mode = force_generic_plan;
    SET lock_timeout = '30s';
    SET idle_in_transaction_session_timeout = '10min';
    SET tcp_keepalives_idle = 15;
    SET tcp_keepalives_interval = 5;
    SET tcp_keepalives_count = 3;
    SET tcp_user_timeout = '30s';
    SET client_min_messages = warning;
    SELECT set_config('synchronous_commit', 'on', false)
     WHERE current_setting('synchronous_commit') = 'off';";

/// Where the server is and who we are there.
#[derive(Clone)]
pub(crate) struct Server {
    hosts: Hosts,
    tls: Tls,
    schema: Option<&'static str>,
    patience: Duration,
    /// The key of the store that was opened there.
    store_key: Option<[u8; 32]>,
}

impl Server {
    pub(crate) fn parse(database: &Database) -> StoreResult<Self> {
        let encryption = Encryption::of(database.url())?;
        let mut config = Config::from_str(&encryption.url).map_err(|error| {
            // The driver names the part that it could not read, and quotes no value.
            StoreError::BadUrl(error.to_string())
        })?;
        // As elsewhere: what stays on the machine is not encrypted.
        let is_local = config.get_hosts().iter().all(|host| !matches!(host, Host::Tcp(_)));
        let is_local = is_local && config.get_hostaddrs().is_empty();
        config.ssl_mode(if is_local { SslMode::Disable } else { encryption.mode });
        let patience = *config.get_connect_timeout().unwrap_or(&CONNECT_TIMEOUT);
        config.connect_timeout(patience);
        notice_silence(&mut config);
        // A replica lags: it would show what was erased, and let in who was revoked, a moment ago.
        config.target_session_attrs(TargetSessionAttrs::ReadWrite);
        if config.get_application_name().is_none() {
            config.application_name("pdpp");
        }
        let hosts = Hosts::of(&config);
        let patience = patience.saturating_mul(hosts.count());
        Ok(Self {
            hosts,
            tls: encryption.connector()?,
            schema: database.schema(),
            patience,
            store_key: None,
        })
    }

    /// The same; its sessions refuse another store than the one with this key.
    pub(super) fn of_store(self, key: [u8; 32]) -> Self {
        Self { store_key: Some(key), ..self }
    }

    /// Opens a session whose statements take as long as they take.
    pub(super) fn connect(&self) -> StoreResult<Connection> {
        self.open(Duration::ZERO, self.patience, unanswered(self.patience))
            .and_then(|session| self.joined(session))
    }

    /// Opens a session, before the deadline, whose statements end on the server after the time given.
    pub(super) fn connect_reader(
        &self,
        statement_timeout: Duration,
        deadline: Instant,
    ) -> StoreResult<Connection> {
        self.connect_beside(statement_timeout, deadline).and_then(|session| self.joined(session))
    }

    /// The same for whoever only looks at what the server does: also while somebody has the store alone.
    pub(super) fn connect_beside(
        &self,
        statement_timeout: Duration,
        deadline: Instant,
    ) -> StoreResult<Connection> {
        let left = deadline.saturating_duration_since(Instant::now());
        let statement_timeout = statement_timeout.max(Duration::from_millis(1));
        if left < self.patience {
            return self.open(statement_timeout, left, StoreError::DeadlineExceeded);
        }
        self.open(statement_timeout, self.patience, unanswered(self.patience))
    }

    /// Ends a session whose answer nobody waits for, and what it is at.
    pub(super) fn cancel(&self, session: Connection) {
        session.cancel(&self.tls);
    }

    fn open(
        &self,
        statement_timeout: Duration,
        limit: Duration,
        late: StoreError,
    ) -> StoreResult<Connection> {
        let deadline = Instant::now() + limit;
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(StoreError::unavailable)?;
        // The driver's own limit ends with the first answer of the network, not of the server.
        let session = match runtime.block_on(self.hosts.connect(&self.tls, deadline)) {
            Ok((client, wire)) => Connection::new(runtime, client, wire),
            Err(refusal) => {
                runtime.shutdown_background();
                return Err(refusal.map_or(late, |error| unreachable(&error)));
            }
        };
        let millis = statement_timeout.as_millis();
        let mut settings = format!("{SETTINGS} SET statement_timeout = {millis};");
        if let Some(schema) = self.schema {
            settings.push_str(&format!(
                "CREATE SCHEMA IF NOT EXISTS {schema}; SET search_path = {schema};"
            ));
        }
        session.set_deadline(Some(deadline));
        session.execute_batch(&settings).map_err(|error| match error {
            Error::Late => late,
            other => from_driver(other),
        })?;
        Ok(session)
    }

    /// Its deadline holds until it belongs to those who work on the store.
    fn joined(&self, session: Connection) -> StoreResult<Connection> {
        presence::join(&session, self.store_key.as_ref())?;
        session.set_deadline(None);
        Ok(session)
    }
}

/// What a URL says about it stays.
fn notice_silence(config: &mut Config) {
    if config.get_tcp_user_timeout().is_none() {
        config.tcp_user_timeout(UNHEARD_FOR);
    }
    if config.get_keepalives_idle() == Config::new().get_keepalives_idle() {
        config.keepalives_idle(KEEPALIVE_AFTER);
    }
    if config.get_keepalives_interval().is_none() {
        config.keepalives_interval(KEEPALIVE_EVERY);
    }
    if config.get_keepalives_retries().is_none() {
        config.keepalives_retries(KEEPALIVE_TRIES);
    }
}

impl Connection {
    /// Whether the server is still there. Not for a session that is at work.
    pub(crate) fn answers(&self) -> bool {
        self.is_sound() && self.promptly(|db| db.execute_batch("")).is_ok()
    }

    /// Asks something that costs the server nothing.
    pub(super) fn promptly<T>(&self, ask: impl FnOnce(&Self) -> Result<T>) -> Result<T> {
        self.set_deadline(Some(Instant::now() + ANSWER_TIMEOUT));
        let answer = ask(self);
        self.set_deadline(None);
        answer
    }
}
