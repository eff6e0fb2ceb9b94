//! An open sample store and the reader of an agent that sees three of its eight connections.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use pdpp_auth::{AllowSpec, Auth, AuthError, Caller, OwnerAccess, PackageRequest};
use pdpp_contract::import::ImportItem;
use pdpp_contract::{AccessMode, ClientName, ConnectionId, ConnectionName};
use pdpp_engine::import::{ImportReport, ImportRequest};
use pdpp_engine::{Engine, GrantedReader};
use pdpp_store::connections::ConnectionRef;
use pdpp_store::{Store, StoreResult};

use super::data::mail::{self, ImportLine};
use crate::error::BenchError;
use crate::host::{Host, OpenStore, StoreLocation};

/// How many of the connections the agent sees.
pub const GRANTED: u64 = 3;

/// An open store.
pub struct World {
    pub store: Arc<dyn Store>,
    pub engine: Engine,
    pub auth: Arc<Auth>,
    location: StoreLocation,
}

/// An agent: what it reads with, and the token that opens the same over HTTP.
pub struct Agent {
    pub reader: GrantedReader,
    pub token: String,
}

/// What an import of sample lines did.
pub struct Imported {
    pub record_bytes: u64,
    pub took: Duration,
}

impl World {
    /// Opens the store of a data directory, or makes an empty one.
    pub async fn open(host: &dyn Host, location: &StoreLocation) -> Result<Self, BenchError> {
        let OpenStore { store, engine, auth } = host.open(location).await?;
        Ok(Self { store, engine, auth, location: location.clone() })
    }

    /// The owner at this machine.
    pub fn owner(&self) -> OwnerAccess {
        self.auth.local_owner()
    }

    /// The id of one of the sample connections.
    pub async fn connection_id(&self, number: u64) -> Result<ConnectionId, BenchError> {
        let name = ConnectionRef::Name(connection_name(number).parse()?);
        let found = self.store.find_connection(&name).await?;
        Ok(found.ok_or_else(|| unexpected("a sample connection is missing"))?.id)
    }

    /// Lets child processes of the program read as this agent.
    pub fn keep_credential(
        &self,
        host: &dyn Host,
        client: &ClientName,
        token: &str,
    ) -> Result<(), BenchError> {
        host.keep_credential(&self.location, client, token)
    }

    /// A fresh agent that sees three connections, every field, all of time.
    pub async fn agent(&self) -> Result<Agent, BenchError> {
        self.agent_with("").await
    }

    /// The same with a limit on time, such as `@2018-01-01..2022-01-01`.
    pub async fn agent_with(&self, limit: &str) -> Result<Agent, BenchError> {
        let spec = |number| {
            let name = connection_name(number);
            format!("{name}/messages{limit}").parse::<AllowSpec>()
        };
        let allow = (0..GRANTED).map(spec).collect::<Result<_, _>>().map_err(AuthError::from)?;
        let request = PackageRequest {
            client: ClientName::new("bench")?,
            allow,
            expires_in: None,
            access_mode: AccessMode::Continuous,
            leave_out_codes: false,
            leave_out_secrets: false,
        };
        let issued = self.auth.issue_package(&self.owner(), request).await?;
        let token = issued.access_token.reveal().to_owned();
        match self.auth.verify(&token).await? {
            Caller::Agent(access) => Ok(Agent { reader: self.engine.reader(&access), token }),
            Caller::Owner(_) => Err(unexpected("an agent's token opened an owner's door")),
        }
    }

    /// Imports lines into one of the connections, through the door every import goes through.
    pub async fn import<L>(&self, connection: u64, lines: L) -> Result<Imported, BenchError>
    where
        L: Iterator<Item = ImportLine> + Send + 'static,
    {
        let bytes = Arc::new(AtomicU64::new(0));
        let counted = Arc::clone(&bytes);
        let lines = lines.zip(1..).map(move |(line, position)| {
            counted.fetch_add(line.record_bytes, Ordering::Relaxed);
            Ok(ImportItem::from_line("bench", position, line.bytes))
        });
        let request = ImportRequest {
            name: ConnectionName::new(connection_name(connection))?,
            display_name: None,
            declaration: mail::declaration()?,
            new_id: new_connection_id(connection)?,
            dry_run: false,
        };
        let start = Instant::now();
        let owner = self.owner();
        let imported = self.engine.import(&owner, request, Box::new(lines), Box::new(|_| {}));
        let report = imported.await?;
        let took = start.elapsed();
        all_added(&report)?;
        Ok(Imported { record_bytes: bytes.load(Ordering::Relaxed), took })
    }
}

/// Runs something that waits on a thread of its own.
pub async fn on_a_thread<T: Send + 'static>(
    work: impl FnOnce() -> StoreResult<T> + Send + 'static,
) -> Result<T, BenchError> {
    let done = tokio::task::spawn_blocking(work).await;
    Ok(done.map_err(|_| unexpected("a thread stopped"))??)
}

/// The id that a sample connection gets when it is created.
pub fn new_connection_id(number: u64) -> Result<ConnectionId, BenchError> {
    Ok(ConnectionId::new(format!("cin_{number:032x}"))?)
}

/// The short name of a sample connection.
pub fn connection_name(number: u64) -> String {
    format!("mail-{number}")
}

/// Sample lines that are not taken would make every number a lie.
fn all_added(report: &ImportReport) -> Result<(), BenchError> {
    if report.added == report.seen {
        return Ok(());
    }
    let reason = report.rejections.first().map_or("it was there already", |first| &first.message);
    let missing = report.seen - report.added;
    Err(unexpected(&format!("{missing} sample records were not added: {reason}")))
}

/// Something that cannot happen with sample data, did.
pub fn unexpected(message: &str) -> BenchError {
    BenchError::Unexpected(message.to_owned())
}
