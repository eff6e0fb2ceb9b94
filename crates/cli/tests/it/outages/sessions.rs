//! Sessions with Postgres that are too few, or whose callers hang up.

use std::io::Write;
use std::net::TcpStream;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use pdpp_testkit::postgres::{Beside, Cluster, is_left_out};

use super::{PAGE, PATIENCE, World, is_typed, wait_until};
use crate::program::Home;
use crate::running::Running;

/// Far less than the 20 seconds that a read takes when nobody ends it.
const SOON: Duration = Duration::from_secs(10);
const WAITING: &str = "
    SELECT count(*)
      FROM pg_stat_activity
     WHERE datname = current_database() AND wait_event_type = 'Lock'";

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
    wait_until(PATIENCE, "somebody is refused", || {
        std::thread::scope(|scope| {
            for _ in 0..12 {
                scope.spawn(|| {
                    let reply = world.read().unwrap();
                    assert!(reply.status == 200 || is_typed(&reply), "{reply:?}");
                    refused.fetch_add(u64::from(reply.status != 200), Ordering::SeqCst);
                });
            }
        });
        refused.load(Ordering::SeqCst) > 0
    });
    drop(hogs);
    world.wait_until_served();
    let number = 2_000;
    world.wait_until_written(number);
    world.check(&[number]);
}

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
        // One agent has half of the places for agents, which are one fewer than the sessions.
        wait_until(PATIENCE, "four wait", || looking.number(WAITING).unwrap() == 4);
        beside.run("ROLLBACK").unwrap();
        for reader in readers {
            let reply = reader.join().unwrap();
            assert!(reply.status == 200 || is_typed(&reply), "{reply:?}");
        }
    });
    world.wait_until_served();
}

#[test]
fn a_read_whose_caller_hangs_up_ends_at_the_server_too() {
    let Some(home) = Home::on_postgres() else { return };
    let world = World::on(home);
    let alone = Running::alone(&world.home);
    let open = || Beside::open(world.home.database_url().unwrap()).unwrap();
    let (beside, looking) = (open(), open());
    beside.run("BEGIN; LOCK TABLE records IN ACCESS EXCLUSIVE MODE").unwrap();
    let wait = |many: i64| looking.number(WAITING).unwrap() == many;
    let address = alone.base_url().trim_start_matches("http://");
    let mut caller = TcpStream::connect(address).unwrap();
    let token = &world.agent;
    let request =
        format!("GET {PAGE} HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {token}\r\n\r\n");
    caller.write_all(request.as_bytes()).unwrap();
    wait_until(PATIENCE, "the read waits", || wait(1));
    drop(caller);
    wait_until(SOON, "the read has ended", || wait(0));
    beside.run("ROLLBACK").unwrap();
    assert_eq!(alone.get(PAGE, token).status, 200);
}
