//! Postgres that takes no writes for a while.

use pdpp_testkit::postgres::{Beside, Cluster, is_left_out};

use super::{World, is_typed};
use crate::program::Home;

#[test]
fn a_server_that_becomes_a_replica_is_said_to_be_away_until_it_takes_writes_again() {
    if is_left_out() {
        return;
    }
    let cluster = Cluster::start().unwrap();
    let world = World::on(Home::on_server(cluster.url()));
    world.wait_until_served();
    cluster.become_replica().unwrap();
    for number in 0..4 {
        // The first ones may find that their sessions have ended.
        let (written, read) = (world.write(3_000 + number).unwrap(), world.read().unwrap());
        assert!(is_typed(&written), "{written:?}");
        // A replica may lag behind a revocation, so nothing is read there either.
        assert!(is_typed(&read), "{read:?}");
    }
    let refused = world.home.run(&["owner", "token", "create", "--json"]);
    assert_eq!((refused.code, refused.error()["code"].as_str()), (69, Some("store_unavailable")));
    Beside::open(&cluster.url()).unwrap().run("SELECT pg_promote()").unwrap();
    world.wait_until_written(4_000);
    world.wait_until_served();
    world.check(&[4_000]);
}
