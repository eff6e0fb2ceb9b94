//! The way to a server.

use std::str::FromStr;
use std::time::Duration;

use tokio_postgres::Config;

use super::driver::Connection;
use super::errors::{from_driver, unreachable};
use super::presence;
use super::tls::{Encryption, Tls};
use crate::Database;
use crate::error::{StoreError, StoreResult};

/// How long a connection may take to come about.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// Statements are written for the order of an index, as on SQLite: a plan that sorts, or reads a
/// table from end to end, is never the better one, and a plan does not depend on the values. What is
/// acknowledged is on the server's disk, also where other programs need not be so careful.
const SETTINGS: &str = "
    SET enable_seqscan = off;
    SET enable_sort = off;
    SET enable_hashjoin = off;
    SET enable_mergejoin = off;
    SET jit = off;
    SET plan_cache_mode = force_generic_plan;
    SET lock_timeout = '30s';
    SET idle_in_transaction_session_timeout = '10min';
    SET client_min_messages = warning;
    SELECT set_config('synchronous_commit', 'on', false)
     WHERE current_setting('synchronous_commit') = 'off';";

/// Where the server is and who we are there.
#[derive(Clone)]
pub(super) struct Server {
    config: Config,
    tls: Tls,
    schema: Option<&'static str>,
    /// The key of the store that was opened there.
    store_key: Option<[u8; 32]>,
}

/// Why a URL is not one of a database.
#[derive(Debug, thiserror::Error)]
#[error(
    "the database URL cannot be read: {0}; it looks like postgres://user:password@host/database"
)]
pub(super) struct BadUrl(pub String);

impl Server {
    pub(super) fn parse(database: &Database) -> StoreResult<Self> {
        let encryption = Encryption::of(database.url())?;
        let mut config = Config::from_str(&encryption.url).map_err(|error| {
            // The driver names the part that it could not read, and quotes no value.
            StoreError::unavailable(BadUrl(error.to_string()))
        })?;
        config.ssl_mode(encryption.mode);
        if config.get_connect_timeout().is_none() {
            config.connect_timeout(CONNECT_TIMEOUT);
        }
        if config.get_application_name().is_none() {
            config.application_name("pdpp");
        }
        Ok(Self {
            config,
            tls: encryption.connector()?,
            schema: database.schema(),
            store_key: None,
        })
    }

    /// The same; its sessions refuse another store than the one with this key.
    pub(super) fn of_store(self, key: [u8; 32]) -> Self {
        Self { store_key: Some(key), ..self }
    }

    /// Opens a session; each of its statements ends on the server after the time given.
    pub(super) fn connect(&self, statement_timeout: Option<Duration>) -> StoreResult<Connection> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(StoreError::unavailable)?;
        let made = runtime.block_on(self.config.connect(self.tls.clone()));
        let session = match made {
            Ok((client, wire)) => Connection::new(runtime, client, wire),
            Err(error) => {
                runtime.shutdown_background();
                return Err(unreachable(&error));
            }
        };
        let millis = statement_timeout.map_or(0, |limit| limit.as_millis().max(1));
        let mut settings = format!("{SETTINGS} SET statement_timeout = {millis};");
        if let Some(schema) = self.schema {
            settings.push_str(&format!(
                "CREATE SCHEMA IF NOT EXISTS {schema}; SET search_path = {schema};"
            ));
        }
        session.execute_batch(&settings).map_err(from_driver)?;
        presence::join(&session, self.store_key.as_ref())?;
        Ok(session)
    }
}

impl Connection {
    /// Whether the server is still there.
    pub(super) fn answers(&self) -> bool {
        self.is_sound() && self.execute_batch("").is_ok()
    }
}
