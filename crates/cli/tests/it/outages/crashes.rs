//! Postgres or a server of ours that ends without a word of farewell.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use pdpp_testkit::postgres::{Cluster, is_left_out};

use super::{PATIENCE, World, is_typed, wait_until};
use crate::program::Home;
use crate::sample::record_count;

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
            let enough = count.load(Ordering::SeqCst) + more;
            let ended = || reader.is_finished() || writer.is_finished();
            wait_until(PATIENCE, "enough calls are answered", || {
                count.load(Ordering::SeqCst) >= enough || ended()
            });
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
