//! A store with two mail accounts, a clock that moves when told, and repeatable randomness.

use std::sync::{Arc, Mutex};

use jiff::{SignedDuration, Timestamp};
use pdpp_auth::{Auth, AuthError, IssuedPackage, OwnerAccess, PackageRequest};
use pdpp_contract::ports::{Clock, Entropy};
use pdpp_contract::{AccessMode, ConnectionId, Json, RecordKey, SourceDeclaration};
use pdpp_store::connections::NewConnection;
use pdpp_store::prepare::{Classification, RecordWrite, StreamShape, prepare};
use pdpp_store::writes::WriteMode;
use pdpp_store::{Store, StoreOptions};

pub const START: &str = "2026-03-01T12:00:00.25Z";

const DECLARATION: &str = r#"{
  "protocol_version": "0.1.0",
  "source": {"kind": "connector", "id": "https://sources.example/gmail"},
  "declaration_version": "7",
  "publisher": {"id": "https://sources.example"},
  "display": {"name": "Mail"},
  "streams": [
    {"name": "messages", "semantics": "mutable_state", "primary_key": ["id"],
     "selection": {"fields": true, "resources": true},
     "cursor_field": "sent_at", "consent_time_field": "sent_at",
     "schema": {"type": "object", "required": ["id"], "properties": {
       "id": {"type": "string"}, "subject": {"type": "string"}, "from": {"type": "string"},
       "body": {"type": "string"}, "sent_at": {"type": "string", "format": "date-time"}}}},
    {"name": "labels", "semantics": "mutable_state", "primary_key": ["id"],
     "selection": {"fields": true, "resources": true},
     "schema": {"type": "object", "required": ["id"], "properties": {
       "id": {"type": "string"}, "name": {"type": "string"}}}}
  ]
}"#;

/// A clock that stands still until it is moved.
pub struct Hand(Mutex<Timestamp>);

impl Hand {
    pub fn to(&self, now: Timestamp) {
        *self.0.lock().unwrap() = now;
    }

    pub fn forward(&self, by: SignedDuration) {
        let mut now = self.0.lock().unwrap();
        *now += by;
    }
}

impl Clock for Hand {
    fn now(&self) -> Timestamp {
        *self.0.lock().unwrap()
    }
}

/// Bytes that differ from call to call and repeat from run to run.
struct Dice(Mutex<u64>);

impl Entropy for Dice {
    fn fill(&self, bytes: &mut [u8]) {
        let mut state = self.0.lock().unwrap();
        for byte in bytes {
            *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            *byte = state.to_be_bytes()[0];
        }
    }
}

pub struct Bench {
    pub auth: Auth,
    pub store: Arc<dyn Store>,
    pub clock: Arc<Hand>,
    pub owner: OwnerAccess,
    _directory: tempfile::TempDir,
}

impl Bench {
    pub async fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let entropy = Arc::new(Dice(Mutex::new(1)));
        let options = StoreOptions::new(directory.path().join("store.db"), entropy.clone());
        let store = pdpp_store::open(options).await.unwrap();
        let clock = Arc::new(Hand(Mutex::new(START.parse().unwrap())));
        for (id, name) in [("cin_work", "work-mail"), ("cin_home", "home-mail")] {
            let new = NewConnection {
                id: id.parse().unwrap(),
                name: name.parse().unwrap(),
                display_name: None,
                declaration: SourceDeclaration::parse(DECLARATION).unwrap(),
                now: clock.now(),
            };
            store.ensure_connection(new).await.unwrap();
        }
        let auth = Auth::new(store.clone(), clock.clone(), entropy);
        let owner = auth.local_owner();
        Self { auth, store, clock, owner, _directory: directory }
    }

    pub async fn try_issue(&self, specs: &[&str]) -> Result<IssuedPackage, AuthError> {
        self.auth.issue_package(&self.owner, request(specs)).await
    }

    pub async fn issue(&self, specs: &[&str]) -> IssuedPackage {
        self.try_issue(specs).await.unwrap()
    }

    /// Writes a message of the work account, anew or again.
    pub async fn put_message(&self, id: &str, subject: &str) {
        let declaration = SourceDeclaration::parse(DECLARATION).unwrap();
        let shape = StreamShape::new(&declaration, declaration.stream("messages").unwrap());
        let key = RecordKey::new(vec![id.to_owned()]).unwrap();
        let text = |text: &str| Json::String(text.to_owned());
        let data = [("id".to_owned(), text(id)), ("subject".to_owned(), text(subject))];
        let write = RecordWrite {
            id: key.id().unwrap(),
            key_order: key.sort_bytes(),
            emitted_at: self.clock.now().to_string(),
            data: Some(data.into()),
            carries: Classification::default(),
        };
        let batch = vec![prepare(&shape, &self.store.hash_key(), write)];
        let account = connection("cin_work");
        let written = self.store.write_records(&account, batch, WriteMode::AllOrNothing).await;
        assert!(written.unwrap().expect("a connection").kept);
    }

    /// Why a token is refused.
    pub async fn refusal(&self, token: &str) -> AuthError {
        self.auth.verify(token).await.expect_err("the token was accepted")
    }

    pub async fn is_live(&self, issued: &IssuedPackage) -> bool {
        self.auth.verify(issued.access_token.reveal()).await.is_ok()
    }
}

pub fn request(specs: &[&str]) -> PackageRequest {
    PackageRequest {
        client: "claude".parse().unwrap(),
        allow: specs.iter().map(|spec| spec.parse().unwrap()).collect(),
        expires_in: None,
        access_mode: AccessMode::Continuous,
        leave_out_codes: false,
        leave_out_secrets: false,
    }
}

pub fn connection(id: &str) -> ConnectionId {
    id.parse().unwrap()
}
