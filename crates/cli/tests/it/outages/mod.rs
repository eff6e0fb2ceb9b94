//! Postgres that goes away, is full or is slow, and a server that is killed: what was acknowledged
//! stays, what fails says so in a word, and everything goes on without a restart.

mod crashes;
mod doors;
mod privileges;
mod replicas;
mod sessions;
mod unfit;

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::http::{Reply, try_get, try_ingest};
use crate::program::Home;
use crate::running::Running;
use crate::sample::{imported, letter, letters};

/// Far beyond what a service needs to come back.
const PATIENCE: Duration = Duration::from_mins(2);
/// Between two looks at what is waited for: the core belongs to that.
const PACE: Duration = Duration::from_millis(10);
const PAGE: &str = "/v1/streams/letters/records?limit=5";

/// A store with a few letters, two servers over it, and who may read and write it.
struct World {
    home: Home,
    servers: Running,
    agent: String,
    owner: String,
    ingest: String,
}

impl World {
    fn on(home: Home) -> Self {
        imported(&home, "post", &letters(0..30));
        let issued = home.json(&["grant", "create", "--client", "a", "--allow", "post", "--json"]);
        let owner = home.json(&["owner", "token", "create", "--json"]);
        let shown = home.json(&["connection", "show", "post", "--json"]);
        let text = |document: &Value, name: &str| document[name].as_str().unwrap().to_owned();
        let servers = Running::in_turn(&home, &[]);
        let id = text(&shown, "connection_id");
        let base = servers.base_url();
        let ingest = format!("{base}/v1/ingest/letters?connection_id={id}");
        let (agent, owner) = (text(&issued, "access_token"), text(&owner, "access_token"));
        Self { home, servers, agent, owner, ingest }
    }

    fn read(&self) -> Result<Reply, ureq::Error> {
        try_get(&format!("{}{PAGE}", self.servers.base_url()), Some(&self.agent))
    }

    /// Writes one letter and answers whether that was acknowledged.
    fn write(&self, number: u64) -> Result<Reply, ureq::Error> {
        let line = letter(number, &format!("a letter in hard times {number}"));
        let mut line: Value = serde_json::from_str(&line).unwrap();
        line.as_object_mut().unwrap().remove("stream");
        try_ingest(&self.ingest, &self.owner, &line.to_string())
    }

    /// Asks until the answer is good; nothing is started anew meanwhile.
    fn wait_until_served(&self) {
        let is_served = || self.read().is_ok_and(|reply| reply.status == 200);
        wait_until(PATIENCE, "there is service again", is_served);
    }

    /// The same for a write of this letter.
    fn wait_until_written(&self, number: u64) {
        let is_written = || self.write(number).unwrap().status == 200;
        wait_until(PATIENCE, "something is written again", is_written);
    }

    /// Every acknowledged letter is there, and the store is sound.
    fn check(&self, acknowledged: &[u64]) {
        for number in acknowledged {
            let path = format!("/v1/streams/letters/records/l{number}");
            let look = || self.servers.get(&path, &self.agent);
            let mut found = look();
            // A server whose audit log still waits for the database asks to be tried again; that is no loss.
            wait_until(PATIENCE, "every server answers again", || {
                if is_typed(&found) {
                    found = look();
                }
                !is_typed(&found)
            });
            assert_eq!(found.status, 200, "letter {number} is lost: {:?}", found.body);
        }
        assert_eq!(self.home.json(&["verify", "--json"])["faults"], json!([]));
    }
}

/// Looks again and again, at an easy pace, until it is so.
fn wait_until(patience: Duration, what: &str, mut is_so: impl FnMut() -> bool) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    let mut pace = runtime.block_on(async { tokio::time::interval(PACE) });
    pace.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < patience, "waited in vain until {what}");
        runtime.block_on(pace.tick());
    }
}

/// A refusal that says what to do: the store is away, come back soon.
fn is_typed(reply: &Reply) -> bool {
    reply.status == 503 && reply.error_code() == "unavailable" && reply.retry_after
}
