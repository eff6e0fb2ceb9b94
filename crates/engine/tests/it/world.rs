//! A small world: a store in a temporary directory, an engine over it, grants on demand.

use std::sync::Arc;

use pdpp_auth::{AllowSpec, Auth, Caller, PackageRequest};
use pdpp_contract::import::ImportItem;
use pdpp_contract::{
    AccessMode, ApiError, ClientName, ConnectionId, ConnectionName, SourceDeclaration,
};
use pdpp_engine::import::{ImportReport, ImportRequest};
use pdpp_engine::{Engine, GrantedReader};
use pdpp_store::{Database, Store, StoreOptions};
use pdpp_testkit::postgres::{FreshDatabase, fresh_database};
use pdpp_testkit::{FixedClock, SeededEntropy};
use serde_json::{Value, json};

pub struct World {
    pub engine: Engine,
    pub auth: Auth,
    pub store: Arc<dyn Store>,
    pub clock: Arc<FixedClock>,
    pub dir: tempfile::TempDir,
    /// The database that holds the store instead of a file.
    _database: Option<FreshDatabase>,
}

impl World {
    pub async fn new(seed: u64) -> Self {
        Self::with(seed, None).await
    }

    /// A world whose store is in Postgres; `None` when that is left out.
    pub async fn on_postgres(seed: u64) -> Option<Self> {
        Some(Self::with(seed, Some(fresh_database().await?)).await)
    }

    async fn with(seed: u64, database: Option<FreshDatabase>) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let clock = Arc::new(FixedClock::at("2026-11-15T12:00:00Z"));
        let entropy = Arc::new(SeededEntropy::new(seed));
        let mut options = StoreOptions::new(dir.path().join("pdpp.sqlite"), entropy.clone());
        if let Some(database) = &database {
            options = options.on_postgres(Database::new(database.url()));
        }
        let store = pdpp_store::open(options).await.unwrap();
        let engine = Engine::new(store.clone(), clock.clone());
        let auth = Auth::new(store.clone(), clock.clone(), entropy);
        Self { engine, auth, store, clock, dir, _database: database }
    }

    /// Imports lines into a connection whose id is fixed by its name.
    pub async fn import(&self, name: &str, declaration: &Value, lines: &[Value]) -> ImportReport {
        let texts: Vec<String> = lines.iter().map(Value::to_string).collect();
        self.import_texts(name, declaration, &texts).await
    }

    /// The same where a refusal is expected.
    pub async fn try_import(
        &self,
        name: &str,
        declaration: &Value,
        lines: &[String],
    ) -> Result<ImportReport, ApiError> {
        let request = ImportRequest {
            name: ConnectionName::new(name).unwrap(),
            display_name: None,
            declaration: SourceDeclaration::parse(&declaration.to_string()).unwrap(),
            new_id: connection_id(name),
            dry_run: false,
        };
        let lines: Vec<_> = lines
            .iter()
            .zip(1..)
            .map(|(line, position)| {
                Ok(ImportItem::from_line("test", position, line.clone().into_bytes()))
            })
            .collect();
        let owner = self.auth.local_owner();
        let progress = Box::new(|_: &_| {});
        self.engine.import(&owner, request, Box::new(lines.into_iter()), progress).await
    }

    pub async fn import_texts(
        &self,
        name: &str,
        declaration: &Value,
        lines: &[String],
    ) -> ImportReport {
        self.try_import(name, declaration, lines).await.unwrap()
    }

    /// A fresh grant's token.
    pub async fn token(&self, allow: &[&str]) -> String {
        let request = PackageRequest {
            client: ClientName::new("agent").unwrap(),
            allow: allow.iter().map(|spec| spec.parse::<AllowSpec>().unwrap()).collect(),
            expires_in: None,
            access_mode: AccessMode::Continuous,
            leave_out_codes: false,
            leave_out_secrets: false,
        };
        let owner = self.auth.local_owner();
        let issued = self.auth.issue_package(&owner, request).await.unwrap();
        issued.access_token.reveal().to_owned()
    }

    /// A reader for a fresh grant.
    pub async fn reader(&self, allow: &[&str]) -> GrantedReader {
        self.reader_leaving_out(allow, false).await
    }

    pub async fn reader_leaving_out(&self, allow: &[&str], codes: bool) -> GrantedReader {
        let request = PackageRequest {
            client: ClientName::new("agent").unwrap(),
            allow: allow.iter().map(|spec| spec.parse::<AllowSpec>().unwrap()).collect(),
            expires_in: None,
            access_mode: AccessMode::Continuous,
            leave_out_codes: codes,
            leave_out_secrets: codes,
        };
        let owner = self.auth.local_owner();
        let issued = self.auth.issue_package(&owner, request).await.unwrap();
        self.reader_with(issued.access_token.reveal()).await
    }

    /// The reader of one call with a token.
    pub async fn reader_with(&self, token: &str) -> GrantedReader {
        match self.auth.verify(token).await.unwrap() {
            Caller::Agent(access) => self.engine.reader(&access),
            Caller::Owner(_) => panic!("an agent's token opened an owner's door"),
        }
    }
}

pub fn connection_id(name: &str) -> ConnectionId {
    ConnectionId::new(format!("cin_{}", name.replace('-', ""))).unwrap()
}

/// A mail-like source: messages with a time, threads without one.
pub fn mail() -> Value {
    json!({
        "protocol_version": "0.1.0",
        "source": {"kind": "connector", "id": "https://registry.pdpp.dev/connectors/gmail"},
        "declaration_version": "1",
        "publisher": {"id": "https://pdpp.dev"},
        "display": {"name": "Mail"},
        "streams": [
            {
                "name": "messages",
                "semantics": "mutable_state",
                "schema": {"type": "object", "required": ["id"], "properties": {
                    "id": {"type": "string"},
                    "sent_at": {"type": ["string", "null"], "format": "date-time"},
                    "subject": {"type": "string"},
                    "body": {"type": ["string", "object", "array"]},
                    "size": {"type": "integer"},
                    "text": {"type": "string"}
                }},
                "primary_key": ["id"],
                "cursor_field": "sent_at",
                "consent_time_field": "sent_at",
                "selection": {"fields": true, "resources": true},
                "query": {
                    "range_filters": {"sent_at": ["gte", "lt"], "size": ["gte", "gt", "lte", "lt"]},
                    "search": {"lexical_fields": ["subject", "text"]},
                    "aggregations": {
                        "count": true, "group_by": ["subject", "size"],
                        "group_by_time": ["sent_at"], "count_distinct": ["subject", "sent_at"],
                        "sum": ["size"], "min": ["size", "sent_at"], "max": ["size", "sent_at"]
                    }
                }
            },
            {
                "name": "threads",
                "semantics": "mutable_state",
                "schema": {"type": "object", "required": ["id"], "properties": {
                    "id": {"type": "string"},
                    "title": {"type": "string"}
                }},
                "primary_key": ["id"],
                "selection": {"fields": true, "resources": true}
            }
        ]
    })
}

/// One message line.
pub fn message(id: &str, data: Value) -> Value {
    let mut data = data;
    data["id"] = json!(id);
    json!({"type": "RECORD", "stream": "messages", "key": id, "data": data,
           "emitted_at": "2026-11-01T00:00:00Z"})
}

/// One thread line.
pub fn thread(id: &str, title: &str) -> Value {
    json!({"type": "RECORD", "stream": "threads", "key": id, "data": {"id": id, "title": title},
           "emitted_at": "2026-11-01T00:00:00Z"})
}
