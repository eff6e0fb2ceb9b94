//! Postgres that goes away, is full or is slow, and a server that is killed: what was acknowledged
//! stays, what fails says so in a word, and everything goes on without a restart.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use pdpp_testkit::postgres::{Beside, Cluster, is_left_out};
use serde_json::{Value, json};

use crate::http::{Reply, try_get, try_ingest};
use crate::program::Home;
use crate::running::Running;
use crate::sample::{imported, letter, letters, record_count};

/// Far beyond what a service needs to come back.
const PATIENCE: Duration = Duration::from_mins(2);
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
        let start = Instant::now();
        while !self.read().is_ok_and(|reply| reply.status == 200) {
            assert!(start.elapsed() < PATIENCE, "no service again: {:?}", self.read());
        }
    }

    /// Every acknowledged letter is there, and the store is sound.
    fn check(&self, acknowledged: &[u64]) {
        for number in acknowledged {
            let path = format!("/v1/streams/letters/records/l{number}");
            let found = self.servers.get(&path, &self.agent);
            assert_eq!(found.status, 200, "letter {number} is lost: {:?}", found.body);
        }
        assert_eq!(self.home.json(&["verify", "--json"])["faults"], json!([]));
    }
}

/// A refusal that says what to do: the store is away, come back soon.
fn is_typed(reply: &Reply) -> bool {
    reply.status == 503 && reply.error_code() == "unavailable" && reply.retry_after
}

#[test]
fn postgres_that_crashes_under_readers_and_writers_loses_nothing_acknowledged() {
    if is_left_out() {
        return;
    }
    let cluster = Cluster::start().unwrap();
    let world = World::on(Home::on_server(cluster.url()));
    let over = AtomicBool::new(false);
    let (reads, refused, written) = (AtomicU64::new(0), AtomicU64::new(0), AtomicU64::new(0));
    let acknowledged = std::thread::scope(|scope| {
        let writer = scope.spawn(|| {
            let mut acknowledged = Vec::new();
            let mut number = 1_000;
            while !over.load(Ordering::SeqCst) {
                number += 1;
                let reply = world.write(number).unwrap();
                match reply.status {
                    200 => {
                        acknowledged.push(number);
                        written.fetch_add(1, Ordering::SeqCst);
                    }
                    _ => assert!(is_typed(&reply), "{reply:?}"),
                }
            }
            acknowledged
        });
        let reader = scope.spawn(|| {
            while !over.load(Ordering::SeqCst) {
                let reply = world.read().unwrap();
                match reply.status {
                    200 => reads.fetch_add(1, Ordering::SeqCst),
                    _ => refused.fetch_add(1, Ordering::SeqCst),
                };
                assert!(reply.status == 200 || is_typed(&reply), "{reply:?}");
            }
        });
        let wait_for = |count: &AtomicU64, more: u64| {
            let (start, until) = (Instant::now(), count.load(Ordering::SeqCst) + more);
            let ended = || reader.is_finished() || writer.is_finished();
            while count.load(Ordering::SeqCst) < until && !ended() {
                assert!(start.elapsed() < PATIENCE);
                std::thread::yield_now();
            }
        };
        for _ in 0..2 {
            wait_for(&reads, 5);
            wait_for(&written, 2);
            cluster.stop().unwrap();
            wait_for(&refused, 3);
            cluster.start_again().unwrap();
            wait_for(&reads, 5);
            wait_for(&written, 2);
        }
        over.store(true, Ordering::SeqCst);
        reader.join().unwrap();
        writer.join().unwrap()
    });
    assert!(acknowledged.len() > 3, "{acknowledged:?}");
    world.check(&acknowledged);
}

#[test]
fn a_killed_server_takes_nothing_acknowledged_with_it_and_the_other_goes_on() {
    let Some(home) = Home::on_postgres() else { return };
    let world = World::on(home);
    world.servers.only(Some(0));
    let mut acknowledged = Vec::new();
    let (send, heard) = std::sync::mpsc::channel();
    std::thread::scope(|scope| {
        let shared = &world;
        scope.spawn(move || {
            // Until nobody answers any more.
            for number in 1_000.. {
                match shared.write(number) {
                    Ok(reply) => {
                        assert_eq!(reply.status, 200, "{reply:?}");
                        send.send(number).unwrap();
                    }
                    Err(_) => return,
                }
            }
        });
        acknowledged.extend(heard.iter().take(7));
        // The eighth is on its way or was just answered.
        world.servers.kill_nine(0);
        acknowledged.extend(heard.iter());
    });
    world.servers.only(Some(1));
    let after = world.write(5_000).unwrap();
    assert_eq!(after.status, 200, "the other one writes: {after:?}");
    acknowledged.push(5_000);
    world.check(&acknowledged);
    let kept = record_count(&world.home, "post");
    let known = 30 + u64::try_from(acknowledged.len()).unwrap();
    assert!(kept == known || kept == known + 1, "{kept} of {known}: at most the one under way");
}

#[test]
fn a_server_without_room_for_sessions_is_said_in_a_word_and_used_again() {
    if is_left_out() {
        return;
    }
    let room = "-c max_connections=14 -c superuser_reserved_connections=0";
    let cluster = Cluster::start_with(room).unwrap();
    let world = World::on(Home::on_server(cluster.url()));
    world.wait_until_served();
    let mut hogs = Vec::new();
    while let Ok(hog) = Beside::open(&cluster.url()) {
        hogs.push(hog);
    }
    // Each of the servers has a session or two; twelve readers at once want more.
    let refused = AtomicU64::new(0);
    let start = Instant::now();
    while refused.load(Ordering::SeqCst) == 0 {
        assert!(start.elapsed() < PATIENCE, "nobody was refused");
        std::thread::scope(|scope| {
            for _ in 0..12 {
                scope.spawn(|| {
                    let reply = world.read().unwrap();
                    assert!(reply.status == 200 || is_typed(&reply), "{reply:?}");
                    refused.fetch_add(u64::from(reply.status != 200), Ordering::SeqCst);
                });
            }
        });
    }
    drop(hogs);
    world.wait_until_served();
    let number = 2_000;
    let start = Instant::now();
    while world.write(number).unwrap().status != 200 {
        assert!(start.elapsed() < PATIENCE, "no write again");
    }
    world.check(&[number]);
}

const WAITING: &str = "
    SELECT count(*)
      FROM pg_stat_activity
     WHERE datname = current_database() AND wait_event_type = 'Lock'";

#[test]
fn more_readers_than_sessions_wait_for_their_turn() {
    let Some(home) = Home::on_postgres() else { return };
    let world = World::on(home);
    world.servers.only(Some(0));
    // Who looks must not be inside a transaction: there the list of sessions stands still.
    let open = || Beside::open(world.home.database_url().unwrap()).unwrap();
    let (beside, looking) = (open(), open());
    beside.run("BEGIN; LOCK TABLE records IN ACCESS EXCLUSIVE MODE").unwrap();
    std::thread::scope(|scope| {
        let readers: Vec<_> = (0..12).map(|_| scope.spawn(|| world.read().unwrap())).collect();
        let start = Instant::now();
        loop {
            let waiting = looking.number(WAITING).unwrap();
            if waiting == 8 {
                break;
            }
            assert!(start.elapsed() < PATIENCE, "only {waiting} wait");
        }
        beside.run("ROLLBACK").unwrap();
        for reader in readers {
            let reply = reader.join().unwrap();
            assert!(reply.status == 200 || is_typed(&reply), "{reply:?}");
        }
    });
    world.wait_until_served();
}
