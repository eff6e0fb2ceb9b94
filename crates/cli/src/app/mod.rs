//! Where all rooms meet: opens a store and builds what works on it.

pub mod clock;
pub mod issue;
pub mod syncing;
pub mod upkeep;

use std::sync::Arc;

use pdpp_auth::oauth::OauthOptions;
use pdpp_auth::{Auth, AuthError, OwnerAccess};
use pdpp_contract::ConnectionId;
use pdpp_contract::access::{AuditActor, AuditEvent, AuditWord};
use pdpp_contract::ports::{Clock, Entropy};
use pdpp_engine::Engine;
use pdpp_http::SafeFetcher;
use pdpp_store::blobs::Arrivals;
use pdpp_store::connections::{Connection, ConnectionRef};
use pdpp_store::layout::Layout;
use pdpp_store::seen_time::SeenTime;
use pdpp_store::{Store, StoreError, StoreOptions};

use crate::app::clock::{StoreClock, SystemClock};
use crate::data_dir::credentials::Credentials;
use crate::data_dir::ownership::{FilePresence, presence};
use crate::data_dir::{DataDir, create_private};
use crate::failure::{Exit, Failure, NO_STORE, NOT_A_STORE};
use crate::output::note;
use crate::platform::entropy::SystemEntropy;

/// Disk space that every store keeps for ending access, erasing and the audit log.
const RESERVE_BYTES: u64 = 8 * 1024 * 1024;
/// Records between two lines that tell how far a new classification is.
const JUDGED_PER_LINE: u64 = 100_000;
/// What a store has seen that was never used.
const NOTHING_SEEN: SeenTime = SeenTime { at: jiff::Timestamp::UNIX_EPOCH, resets: 0 };

/// An open store with everything that works on it.
pub struct CliApp {
    pub data_dir: DataDir,
    pub store: Arc<dyn Store>,
    pub engine: Engine,
    pub auth: Arc<Auth>,
    /// The store's time, for whoever asks what it is.
    pub clock: Arc<dyn Clock>,
    /// The same, for whoever keeps it.
    pub store_clock: Arc<StoreClock>,
    pub entropy: Arc<dyn Entropy>,
    /// Reads that the store can do at the same time.
    readers: usize,
    /// The directory of a store that only a dry run sees; gone with this value.
    #[expect(dead_code, reason = "kept for what happens when it goes")]
    scratch: Option<tempfile::TempDir>,
}

/// Which store will do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum OpenMode {
    /// Made when it does not exist.
    Any,
    /// The same, and also one that is not filled yet.
    AlsoUnfinished,
    /// One that is there.
    Existing,
}

impl CliApp {
    /// Opens the store in `data_dir`, and makes both when they do not exist.
    pub async fn open(data_dir: DataDir) -> Result<Self, Failure> {
        Self::open_store(data_dir, OpenMode::Any, Layout::default()).await
    }

    /// The same for a store that a whole other one goes into: an earlier try may have left it unfinished.
    pub async fn open_to_fill(data_dir: DataDir) -> Result<Self, Failure> {
        Self::open_to_fill_with(data_dir, Layout::default()).await
    }

    /// The same with the tables of a backup, which an older version may have written.
    pub async fn open_to_fill_with(data_dir: DataDir, layout: Layout) -> Result<Self, Failure> {
        Self::open_store(data_dir, OpenMode::AlsoUnfinished, layout).await
    }

    async fn open_store(
        data_dir: DataDir,
        mode: OpenMode,
        layout: Layout,
    ) -> Result<Self, Failure> {
        data_dir.check_database()?;
        match mode {
            OpenMode::Existing if data_dir.database().is_some() => data_dir.check_closed()?,
            // Nothing is put in here that was not there before.
            OpenMode::Existing => {
                create_private(data_dir.path())
                    .map_err(|error| Failure::file("create", data_dir.path(), &error))?;
                data_dir.check_closed()?;
            }
            OpenMode::Any | OpenMode::AlsoUnfinished => data_dir.create()?,
        }
        let entropy: Arc<dyn Entropy> = Arc::new(SystemEntropy);
        let mut options = StoreOptions::new(data_dir.store(), Arc::clone(&entropy));
        if let Some(database) = data_dir.database() {
            options = options.on_postgres(database.clone());
        }
        options.must_exist = mode == OpenMode::Existing;
        options.may_be_unfinished = mode == OpenMode::AlsoUnfinished;
        options.may_be_read_only = mode == OpenMode::Existing;
        options.reserve_bytes = RESERVE_BYTES;
        let readers = options.readers;
        options.layout = layout;
        let store =
            pdpp_store::open(options).await.map_err(|error| not_opened(error, &data_dir))?;
        // The tables of an older version do not say what was seen; nothing is classified in them.
        let seen = if layout.is_current() { store.seen_time().await? } else { NOTHING_SEEN };
        let store_clock = Arc::new(StoreClock::new(Arc::new(SystemClock), seen));
        let clock: Arc<dyn Clock> = Arc::<StoreClock>::clone(&store_clock);
        let engine = Engine::new(Arc::clone(&store), Arc::clone(&clock));
        if mode != OpenMode::AlsoUnfinished {
            reclassify(&engine).await?;
        }
        let auth = Auth::new(store.clone(), Arc::clone(&clock), Arc::clone(&entropy));
        // Reads certificates when the first document is fetched, which most commands never do.
        let auth = auth.with_oauth(OauthOptions { fetcher: Some(Arc::new(SafeFetcher::system())) });
        let auth = Arc::new(auth);
        Ok(Self {
            data_dir,
            store,
            engine,
            auth,
            clock,
            store_clock,
            entropy,
            readers,
            scratch: None,
        })
    }

    /// Calls of agents that a server works on at the same time. One reader of the store is left for
    /// the owner, for looking tokens up and for health checks.
    pub fn agent_places(&self) -> usize {
        self.readers.saturating_sub(1).max(1)
    }

    /// Opens the store that an import goes into, and takes away what killed ones left. A dry run into a store that does not exist looks at
    /// an empty one, and leaves none behind.
    pub async fn open_for_import(data_dir: DataDir, dry_run: bool) -> Result<Self, Failure> {
        if !dry_run {
            let app = Self::open(data_dir).await?;
            app.collect_blobs().await?;
            return Ok(app);
        }
        match Self::open_existing(data_dir).await {
            Err(failure) if failure.code == NO_STORE => {}
            other => return other,
        }
        let scratch = tempfile::tempdir().map_err(|error| {
            let message = format!("cannot create a temporary directory: {error}");
            Failure::new(Exit::Other, "file", message)
        })?;
        let app = Self::open(DataDir::new(scratch.path().join("store"))).await?;
        Ok(Self { scratch: Some(scratch), ..app })
    }

    /// Opens a store that must be there already.
    pub async fn open_existing(data_dir: DataDir) -> Result<Self, Failure> {
        match data_dir.presence() {
            FilePresence::There => {}
            FilePresence::Hidden => return Err(data_dir.closed()),
            FilePresence::Absent => return Err(no_store(&data_dir)),
        }
        Self::open_store(data_dir, OpenMode::Existing, Layout::default()).await
    }

    /// The owner at this machine.
    pub fn owner(&self) -> OwnerAccess {
        self.auth.local_owner()
    }

    /// A fresh id for a connection: `cin_` and nine characters of 45 random bits. Short, because every
    /// row that an agent reads begins with it.
    pub fn new_connection_id(&self) -> Result<ConnectionId, Failure> {
        let mut random = [0_u8; 9];
        self.entropy.fill(&mut random);
        let letter = |byte: u8| char::from_digit(u32::from(byte & 0x1f), 32).unwrap_or('0');
        Ok(ConnectionId::new(format!("cin_{}", random.map(letter).iter().collect::<String>()))?)
    }

    /// Credentials of agents on this machine.
    pub fn credentials(&self) -> Credentials {
        Credentials::new(self.data_dir.credentials())
    }

    /// Deletes the credentials on this machine that open nothing any more.
    pub async fn forget_ended_credentials(&self) -> Result<(), Failure> {
        let credentials = self.credentials();
        for package in self.auth.packages(&self.owner()).await? {
            if package.revoked_at.is_some() {
                credentials.forget(&package.client, &package.package_id)?;
            }
        }
        Ok(())
    }

    /// The connection of this short name or id.
    pub async fn connection(&self, which: &ConnectionRef) -> Result<Connection, Failure> {
        let found = self.store.find_connection(which).await?;
        found.ok_or_else(|| {
            let name = match which {
                ConnectionRef::Id(id) => id.to_string(),
                ConnectionRef::Name(name) => name.to_string(),
            };
            AuthError::UnknownConnection { name }.into()
        })
    }

    /// Notes in the audit log what the owner did at this machine, and to how many records.
    pub async fn note(
        &self,
        operation: &'static str,
        connection: ConnectionId,
        records: u64,
    ) -> Result<(), Failure> {
        let event = AuditEvent {
            at: self.clock.now(),
            actor: AuditActor::Owner,
            package_id: None,
            token_fingerprint: None,
            operation: AuditWord::new(operation),
            connection_ids: vec![connection],
            stream: None,
            records_returned: records,
            bytes_returned: 0,
            outcome: AuditWord::OK,
            request_id: None,
        };
        Ok(self.store.append_audit(vec![event]).await?)
    }

    /// Lists the files that one import brings as long as what this returns is kept; a dry run brings none.
    pub async fn begin_arrivals(&self, dry_run: bool) -> Result<Option<Arrivals>, Failure> {
        Ok(if dry_run { None } else { Some(self.store.begin_arrivals().await?) })
    }

    /// Erases blobs that nobody refers to: uploads whose records did not come within a day, and at
    /// once what imports brought that were killed.
    pub async fn collect_blobs(&self) -> Result<(), Failure> {
        let before = self.clock.now() - jiff::SignedDuration::from_hours(24);
        self.store.collect_blobs(before).await?;
        Ok(())
    }

    /// What people call a connection; its id when it is gone.
    pub async fn name_of(&self, id: &ConnectionId) -> Result<String, Failure> {
        let found = self.store.find_connection(&ConnectionRef::Id(id.clone())).await?;
        Ok(found.map_or_else(|| id.to_string(), |connection| connection.name.to_string()))
    }
}

fn no_store(data_dir: &DataDir) -> Failure {
    let message = format!("no store at {}", data_dir.path().display());
    let import = data_dir.advice("import");
    let advice = format!("check --data-dir, or create one with: {import}");
    Failure::new(Exit::Other, NO_STORE, message).with_advice(advice)
}

/// Judges what an earlier version stored by the rules of this one, once.
async fn reclassify(engine: &Engine) -> Result<(), Failure> {
    let mut told = 0;
    let report = engine
        .reclassify(&mut |records| {
            if told == 0 {
                note("Scanning existing records for one-time codes and secrets (runs once).");
            }
            if records / JUDGED_PER_LINE > told / JUDGED_PER_LINE {
                note(&format!("  {records} records"));
            }
            told = records.max(1);
        })
        .await?;
    if told > 0 {
        note(&format!("Done: {} records scanned, {} updated.", report.records, report.changed));
    }
    Ok(())
}

/// Why a store was not opened, with the name that it was given.
pub fn not_opened(error: StoreError, data_dir: &DataDir) -> Failure {
    // The database's own words name neither the file nor its owner.
    let is_closed = || {
        let opened = std::fs::OpenOptions::new().read(true).write(true).open(data_dir.store());
        presence(&opened) == FilePresence::Hidden
    };
    if data_dir.database().is_none() && matches!(error, StoreError::Unavailable(_)) && is_closed() {
        return data_dir.closed();
    }
    let failure = Failure::from(error).located(data_dir);
    // A URL is never shown: it may hold a password.
    let place = match data_dir.address() {
        None => data_dir.store().display().to_string(),
        Some(_) => data_dir.place(),
    };
    let in_database = data_dir.address().is_some();
    let said = |message: String| Failure { message, ..failure.clone() };
    match failure.code {
        NO_STORE if in_database => {
            let import = data_dir.advice("import");
            let advice = format!("name the right one, or create one with: {import}");
            said(format!("{place} holds no store")).with_advice(advice)
        }
        NOT_A_STORE if in_database => said(format!("{place} holds something else"))
            .with_advice("name an empty one, or give its user a schema of its own"),
        _ => said(format!("{place}: {}", failure.message)),
    }
}
