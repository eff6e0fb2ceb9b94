//! A running server over a small store: two notebooks of one kind, a diary with compound keys.

use std::net::SocketAddr;
use std::sync::Arc;

use pdpp_auth::oauth::OauthOptions;
use pdpp_auth::{AllowSpec, AuditLog, Auth, PackageRequest};
use pdpp_contract::ids::DisplayName;
use pdpp_contract::import::ImportItem;
use pdpp_contract::{AccessMode, ClientName, ConnectionId, ConnectionName, SourceDeclaration};
use pdpp_engine::Engine;
use pdpp_engine::import::ImportRequest;
use pdpp_http::{HttpOptions, Server, Services};
use pdpp_mcp::serve::McpService;
use pdpp_store::{Database, Store, StoreOptions};
use pdpp_testkit::{FixedClock, SeededEntropy};
use serde_json::{Value, json};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use crate::client::{Call, Reply};

pub struct World {
    pub addr: SocketAddr,
    pub base_url: String,
    pub auth: Arc<Auth>,
    pub audit: AuditLog,
    pub store: Arc<dyn Store>,
    pub engine: Engine,
    pub stop: Option<oneshot::Sender<()>>,
    pub server: Option<JoinHandle<u64>>,
    pub clock: Arc<FixedClock>,
    pub dir: tempfile::TempDir,
}

impl World {
    pub async fn new() -> Self {
        Self::with(HttpOptions::default()).await
    }

    pub async fn with(options: HttpOptions) -> Self {
        Self::with_agents(options, None).await
    }

    pub async fn with_agents(options: HttpOptions, agents: Option<Arc<dyn McpService>>) -> Self {
        Self::with_oauth(options, agents, OauthOptions::default()).await
    }

    pub async fn with_oauth(
        options: HttpOptions,
        agents: Option<Arc<dyn McpService>>,
        oauth: OauthOptions,
    ) -> Self {
        Self::over((None, 11), options, agents, oauth).await
    }

    /// A server over a database that others may use as well; each needs a seed of its own.
    pub async fn on_database(
        (url, seed): (&str, u64),
        options: HttpOptions,
        agents: Option<Arc<dyn McpService>>,
    ) -> Self {
        let database = Some(Database::new(url));
        Self::over((database, seed), options, agents, OauthOptions::default()).await
    }

    async fn over(
        (database, seed): (Option<Database>, u64),
        options: HttpOptions,
        agents: Option<Arc<dyn McpService>>,
        oauth: OauthOptions,
    ) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let clock = Arc::new(FixedClock::at("2026-11-15T12:00:00Z"));
        let entropy = Arc::new(SeededEntropy::new(seed));
        let path = dir.path().join("pdpp.sqlite");
        let place = StoreOptions { database, ..StoreOptions::new(path, entropy.clone()) };
        let store = pdpp_store::open(place).await.unwrap();
        let engine = Engine::new(store.clone(), clock.clone());
        let auth = Auth::new(store.clone(), clock.clone(), entropy.clone()).with_oauth(oauth);
        let auth = Arc::new(auth);
        let audit = AuditLog::start(store.clone());
        let services = Services {
            engine: engine.clone(),
            auth: auth.clone(),
            audit: audit.clone(),
            clock: clock.clone(),
            entropy,
            mcp: agents,
        };
        let listen = "127.0.0.1:0".parse().unwrap();
        let bound = Server::bind(listen, options, services).await.unwrap();
        let (addr, base_url) = (bound.local_addr(), bound.base_url().to_owned());
        let (stop, stopped) = oneshot::channel::<()>();
        let server = tokio::spawn(bound.run(async {
            let _ = stopped.await;
        }));
        let (stop, server) = (Some(stop), Some(server));
        Self { addr, base_url, auth, audit, store, engine, stop, server, clock, dir }
    }

    /// The same store with a new process in front of it.
    pub async fn restarted(mut self, options: HttpOptions) -> Self {
        self.stop.take().unwrap().send(()).unwrap();
        self.server.take().unwrap().await.unwrap();
        let services = Services {
            engine: self.engine.clone(),
            auth: self.auth.clone(),
            audit: self.audit.clone(),
            clock: self.clock.clone(),
            entropy: Arc::new(SeededEntropy::new(12)),
            mcp: None,
        };
        let listen = "127.0.0.1:0".parse().unwrap();
        let bound = Server::bind(listen, options, services).await.unwrap();
        let (addr, base_url) = (bound.local_addr(), bound.base_url().to_owned());
        let (stop, stopped) = oneshot::channel::<()>();
        let server = tokio::spawn(bound.run(async {
            let _ = stopped.await;
        }));
        Self { addr, base_url, stop: Some(stop), server: Some(server), ..self }
    }

    /// Three notes in each of two notebooks, two diary entries.
    pub async fn filled() -> Self {
        let world = Self::new().await;
        world.fill().await;
        world
    }

    pub async fn fill(&self) {
        let world = self;
        for (name, owner) in [("blue", "ada"), ("red", "bob")] {
            let note = |n: u32| {
                let at = format!("2026-0{n}-01T00:00:00Z");
                let data =
                    json!({"at": at, "author": owner, "text": format!("note {n} of {name}")});
                note(&format!("{name}-{n}"), data)
            };
            world.import(name, &notebook(), &[note(1), note(2), note(3)]).await;
        }
        world
            .import("diary", &diary(), &[entry("2026-01-01", "rain"), entry("2026-01-02", "sun")])
            .await;
    }

    pub async fn import(&self, name: &str, declaration: &Value, lines: &[Value]) {
        let request = ImportRequest {
            name: ConnectionName::new(name).unwrap(),
            display_name: Some(DisplayName::new(format!("The {name} one")).unwrap()),
            declaration: SourceDeclaration::parse(&declaration.to_string()).unwrap(),
            new_id: connection_id(name),
            dry_run: false,
        };
        let lines: Vec<_> = lines
            .iter()
            .zip(1..)
            .map(|(line, position)| {
                Ok(ImportItem::from_line("test", position, line.to_string().into_bytes()))
            })
            .collect();
        let count = u64::try_from(lines.len()).unwrap();
        let owner = self.auth.local_owner();
        let lines = Box::new(lines.into_iter());
        let report = self.engine.import(&owner, request, lines, Box::new(|_: &_| {})).await;
        let report = report.unwrap();
        assert_eq!(report.seen - report.rejected, count, "{report:?}");
    }

    /// The token of a fresh grant.
    pub async fn agent(&self, allow: &[&str]) -> String {
        self.agent_called("agent", allow).await
    }

    pub async fn agent_called(&self, name: &str, allow: &[&str]) -> String {
        let request = PackageRequest {
            client: ClientName::new(name).unwrap(),
            allow: allow.iter().map(|spec| spec.parse::<AllowSpec>().unwrap()).collect(),
            expires_in: None,
            access_mode: AccessMode::Continuous,
            leave_out_codes: false,
            leave_out_secrets: false,
        };
        let issued = self.auth.issue_package(&self.auth.local_owner(), request).await.unwrap();
        issued.access_token.reveal().to_owned()
    }

    /// A fresh owner token.
    pub async fn owner(&self) -> String {
        let owner = self.auth.local_owner();
        let issued = self.auth.create_owner_token(&owner, None, None).await.unwrap();
        issued.access_token.reveal().to_owned()
    }

    pub async fn get(&self, target: &str, token: &str) -> Reply {
        Call::get(target).bearer(token).send(self.addr).await
    }
}

pub fn connection_id(name: &str) -> ConnectionId {
    ConnectionId::new(format!("cin_{name}")).unwrap()
}

/// A source with one stream of notes.
pub fn notebook() -> Value {
    source(
        "notebook",
        &json!({
            "name": "notes",
            "semantics": "mutable_state",
            "schema": {"type": "object", "required": ["id"], "properties": {
                "id": {"type": "string"},
                "at": {"type": ["string", "null"], "format": "date-time"},
                "author": {"type": "string"},
                "size": {"type": "number"},
                "text": {"type": ["string", "object", "array"]}
            }},
            "primary_key": ["id"],
            "cursor_field": "at",
            "consent_time_field": "at",
            "selection": {"fields": true, "resources": true},
            "query": {"range_filters": {"at": ["gte", "lt"], "size": ["gte", "gt", "lte", "lt"]}}
        }),
    )
}

/// A source whose records have two key fields.
pub fn diary() -> Value {
    source(
        "diary",
        &json!({
            "name": "entries",
            "semantics": "mutable_state",
            "schema": {"type": "object", "required": ["who", "day"], "properties": {
                "who": {"type": "string"},
                "day": {"type": "string"},
                "weather": {"type": "string"}
            }},
            "primary_key": ["who", "day"],
            "selection": {"fields": true, "resources": true}
        }),
    )
}

fn source(name: &str, stream: &Value) -> Value {
    json!({
        "protocol_version": "0.1.0",
        "source": {"kind": "connector", "id": format!("https://registry.pdpp.dev/connectors/{name}")},
        "declaration_version": "1",
        "publisher": {"id": "https://pdpp.dev"},
        "display": {"name": name},
        "streams": [stream],
    })
}

/// One note's line.
pub fn note(id: &str, mut data: Value) -> Value {
    data["id"] = json!(id);
    json!({"type": "RECORD", "stream": "notes", "key": id, "data": data,
           "emitted_at": "2026-11-01T00:00:00Z"})
}

fn entry(day: &str, weather: &str) -> Value {
    json!({"type": "RECORD", "stream": "entries", "key": ["ada", day],
           "data": {"who": "ada", "day": day, "weather": weather},
           "emitted_at": "2026-11-01T00:00:00Z"})
}
