//! An answer under way ends with the access that it stands on, in a way its reader notices.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt, Full};
use jiff::SignedDuration;
use pdpp_contract::access::GrantSelector;
use pdpp_contract::{ClientName, GrantId};
use pdpp_http::HttpOptions;
use pdpp_mcp::CallContext;
use pdpp_mcp::serve::McpService;
use pdpp_testkit::postgres::{FreshDatabase, fresh_database};
use serde_json::json;

use crate::client::Call;
use crate::pages::browser::Browser;
use crate::reading::{Ending, Reading, Version};
use crate::world::{World, note, notebook};

/// Far more than all buffers between server and reader hold.
const LARGE: usize = 8 << 20;
/// What may still arrive: the send buffer, the reader's own, and what was handed over between two looks.
const BUFFERED: usize = 1 << 20;
/// The promise is a second; the rest is for a machine that is busy with other tests.
const PATIENCE: Duration = Duration::from_secs(3);

/// Answers everybody at length.
pub struct Talker;

#[async_trait]
impl McpService for Talker {
    async fn answer(
        &self,
        _: CallContext,
        _: http::Request<Bytes>,
    ) -> http::Response<BoxBody<Bytes, Infallible>> {
        http::Response::new(Full::new(Bytes::from(vec![b'x'; LARGE])).boxed())
    }
}

/// A world with long answers, and the database that must outlive it.
struct Stage {
    world: World,
    blob: String,
    _database: Option<FreshDatabase>,
}

impl Stage {
    async fn in_a_file() -> Self {
        let talker = Some(Arc::new(Talker) as Arc<dyn McpService>);
        Self::fill(World::with_agents(HttpOptions::default(), talker).await, None).await
    }

    async fn in_postgres() -> Option<Self> {
        let database = fresh_database().await?;
        let talker = Some(Arc::new(Talker) as Arc<dyn McpService>);
        let place = (database.url(), 11);
        let world = World::on_database(place, HttpOptions::default(), talker).await;
        Some(Self::fill(world, Some(database)).await)
    }

    async fn fill(world: World, database: Option<FreshDatabase>) -> Self {
        let owner = world.owner().await;
        let upload = Call::new("POST", "/v1/blobs").bearer(&owner).body(vec![7; LARGE]);
        let id = upload.send(world.addr).await.json()["blob_id"].as_str().unwrap().to_owned();
        let mut declaration = notebook();
        declaration["streams"][0]["schema"]["properties"]["file"] = json!({"type": "object"});
        let file = json!({"blob_id": id, "mime_type": "text/csv"});
        let long = json!({"text": "x".repeat(LARGE), "file": file});
        world.import("blue", &declaration, &[note("long", long)]).await;
        world.import("red", &declaration, &[note("short", json!({"text": "y"}))]).await;
        Self { world, blob: format!("/v1/blobs/{id}"), _database: database }
    }

    /// Every kind of long answer.
    fn calls(&self, token: &str) -> Vec<Call> {
        let get = |target: &str| Call::get(target).bearer(token);
        vec![
            get(&self.blob),
            get("/v1/streams/notes/records?connection_id=cin_blue"),
            get("/v1/streams/notes/records/long?connection_id=cin_blue"),
            Call::new("POST", "/mcp").bearer(token).body("{}"),
        ]
    }

    async fn revoke(&self) {
        let agent = GrantSelector::Client(ClientName::new("agent").unwrap());
        self.world.auth.revoke(&self.world.auth.local_owner(), &agent).await.unwrap();
    }
}

/// Every answer, in both versions of HTTP, to a reader that goes on reading.
async fn every_answer_ends(stage: &Stage) {
    for version in [Version::One, Version::Two] {
        let token = stage.world.agent(&["blue", "red"]).await;
        for call in stage.calls(&token) {
            let token = stage.world.agent(&["blue", "red"]).await;
            let call = call.bearer_instead(&token);
            let mut reading = Reading::begin(stage.world.addr, version, &call).await;
            stage.revoke().await;
            let (bytes, ending) = reading.rest().await;
            assert!(bytes < BUFFERED, "{version:?} {call:?}: {bytes} bytes after the revocation");
            assert_eq!(ending, Ending::BrokenOff, "{version:?} {call:?}");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_revocation_ends_every_answer_under_way() {
    every_answer_ends(&Stage::in_a_file().await).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_revocation_ends_every_answer_under_way_on_postgres() {
    let Some(stage) = Stage::in_postgres().await else { return };
    every_answer_ends(&stage).await;
}

/// Readers that take nothing: the server waits in the middle of a write, and no next piece is asked for.
async fn no_slow_reader_is_waited_for(stage: &Stage) {
    let token = stage.world.agent(&["blue"]).await;
    let mut waiting = Vec::new();
    for version in [Version::Two, Version::One] {
        for call in stage.calls(&token) {
            waiting.push((version, Reading::begin(stage.world.addr, version, &call).await));
        }
    }
    stage.revoke().await;
    let looked = async {
        for (_, reading) in &waiting {
            reading.is_reset().await;
        }
    };
    tokio::time::timeout(PATIENCE, looked).await.expect("connections are reset within a second");
    for (version, mut reading) in waiting {
        let (bytes, ending) = reading.rest().await;
        assert!(bytes < BUFFERED, "{version:?}: {bytes} bytes after the revocation");
        assert_eq!(ending, Ending::BrokenOff, "{version:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_reader_that_takes_nothing_is_broken_off_within_the_second() {
    no_slow_reader_is_waited_for(&Stage::in_a_file().await).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_reader_that_takes_nothing_is_broken_off_within_the_second_on_postgres() {
    let Some(stage) = Stage::in_postgres().await else { return };
    no_slow_reader_is_waited_for(&stage).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_grant_s_end_an_expiry_and_an_owner_token_s_end_break_off_as_well() {
    let stage = Stage::in_a_file().await;
    let (world, owner) = (&stage.world, stage.world.auth.local_owner());
    for end in ["grant", "expiry", "owner token"] {
        let token = match end {
            "owner token" => world.owner().await,
            _ => world.agent(&["blue", "red"]).await,
        };
        let call = Call::get(&stage.blob).bearer(&token);
        let mut reading = Reading::begin(world.addr, Version::One, &call).await;
        match end {
            "grant" => {
                let agent = GrantSelector::Client(ClientName::new("agent").unwrap());
                let packages = world.auth.package(&owner, &agent).await.unwrap();
                let grant: GrantId = packages.last().unwrap().grants[0].grant_id.clone();
                world.auth.revoke(&owner, &GrantSelector::Grant(grant)).await.unwrap();
            }
            "expiry" => world.clock.advance(SignedDuration::from_hours(24 * 91)),
            _ => {
                let fingerprint =
                    pdpp_store::tokens::TokenHash::of(&token).fingerprint().to_string();
                world.auth.revoke_owner_token(&owner, &fingerprint).await.unwrap();
            }
        }
        let (bytes, ending) = reading.rest().await;
        assert!(bytes < BUFFERED && ending == Ending::BrokenOff, "{end}: {bytes} {ending:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_owner_s_click_ends_an_answer_under_way() {
    let stage = Stage::in_a_file().await;
    let mut browser = Browser::signed_in(&stage.world).await;
    let token = stage.world.agent(&["blue"]).await;
    let packages = stage.world.auth.packages(&stage.world.auth.local_owner()).await.unwrap();
    let action = format!("/owner/access/{}/stop", packages.last().unwrap().package_id);
    let csrf_token = browser.csrf_token("/owner/access", &action).await;
    let call = Call::get(&stage.blob).bearer(&token);
    let mut reading = Reading::begin(stage.world.addr, Version::One, &call).await;
    assert_eq!(browser.post(&action, &[("csrf_token", &csrf_token)]).await.status, 303);
    let (bytes, ending) = reading.rest().await;
    assert!(bytes < BUFFERED && ending == Ending::BrokenOff, "{bytes} {ending:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn answers_whose_access_stands_arrive_whole() {
    let stage = Stage::in_a_file().await;
    let token = stage.world.agent(&["blue"]).await;
    // Somebody else's end is not theirs.
    let other = stage.world.agent_called("other", &["blue"]).await;
    for version in [Version::One, Version::Two] {
        for call in stage.calls(&token) {
            let mut reading = Reading::begin(stage.world.addr, version, &call).await;
            let gone = GrantSelector::Client(ClientName::new("other").unwrap());
            stage.world.auth.revoke(&stage.world.auth.local_owner(), &gone).await.unwrap();
            let (bytes, ending) = reading.rest().await;
            assert!(bytes > LARGE - BUFFERED, "{version:?} {call:?}: {bytes}");
            assert_eq!(ending, Ending::Whole, "{version:?} {call:?}");
        }
    }
    assert_eq!(stage.world.get(&stage.blob, &other).await.status, 403);
}
