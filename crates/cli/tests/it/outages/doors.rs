//! What people and clients meet at the other doors while Postgres is away: a word, and no failure of ours.

use pdpp_testkit::postgres::{Cluster, is_left_out};

use super::World;
use crate::http::try_get;
use crate::program::Home;

const DOCUMENTS: [&str; 2] =
    ["/.well-known/oauth-authorization-server", "/.well-known/openid-configuration"];
const PAGES: [&str; 2] = ["/owner/login", "/owner"];

#[test]
fn documents_and_pages_say_that_the_store_does_not_answer() {
    if is_left_out() {
        return;
    }
    let cluster = Cluster::start().unwrap();
    let world = World::on(Home::on_server(cluster.url()));
    let base = world.servers.base_url();
    cluster.stop().unwrap();
    for path in DOCUMENTS {
        let reply = try_get(&format!("{base}{path}"), None).unwrap();
        assert_eq!((reply.status, reply.retry_after), (503, true), "{path}: {}", reply.body);
        assert_eq!(reply.body["error"], "temporarily_unavailable", "{path}");
    }
    for path in PAGES {
        let reply = try_get(&format!("{base}{path}"), None).unwrap();
        assert_eq!((reply.status, reply.retry_after), (503, true), "{path}: {}", reply.body);
        assert!(reply.body.to_string().contains("does not respond"), "{path}: {}", reply.body);
    }
    cluster.start_again().unwrap();
    world.wait_until_served();
    for path in DOCUMENTS {
        assert_eq!(try_get(&format!("{base}{path}"), None).unwrap().status, 200, "{path}");
    }
}
