//! Postgres that does not let its user do what a store needs.

use pdpp_testkit::postgres::{Beside, Cluster, is_left_out};
use serde_json::Value;

use super::World;
use crate::http::Reply;
use crate::program::Home;
use crate::sample::{imported, letters, record_count};

/// Who keeps the store, and somebody whom it does not concern.
const ROLES: &str = "
    CREATE ROLE keeper LOGIN;
    CREATE SCHEMA kept AUTHORIZATION keeper;
    ALTER ROLE keeper SET search_path = kept;
    CREATE ROLE stranger LOGIN;
    GRANT USAGE ON SCHEMA kept TO stranger;
    ALTER ROLE stranger SET search_path = kept";

/// A fault that trying again does not mend, in words that tell nothing about the database.
fn is_closed_mouthed(reply: &Reply) {
    assert_eq!((reply.status, reply.error_code()), (500, "api_error"), "{reply:?}");
    assert!(!reply.retry_after, "{reply:?}");
    let message = reply.body["error"]["message"].as_str().unwrap();
    assert!(message.contains("must own the store's tables"), "{message}");
    for secret in ["sesame", "keeper", "postgres", "42501", "permission denied", "INSERT", "SELECT"]
    {
        assert!(!reply.body.to_string().contains(secret), "{secret}: {reply:?}");
    }
}

/// A command's refusal, which its owner reads: the server's words, and no password or statement.
fn is_named(error: &Value) {
    assert_eq!(error["code"], "store_not_allowed", "{error}");
    let message = error["message"].as_str().unwrap();
    assert!(message.contains("permission denied"), "{message}");
    for secret in ["sesame", "INSERT", "SELECT", "postgres://"] {
        assert!(!message.contains(secret), "{secret}: {message}");
    }
}

#[test]
fn a_privilege_that_is_taken_away_is_a_fault_without_details_until_it_is_back() {
    if is_left_out() {
        return;
    }
    let cluster = Cluster::start().unwrap();
    let url = |role: &str| cluster.url().replace("postgres@", &format!("{role}:sesame@"));
    let beside = Beside::open(&cluster.url()).unwrap();
    beside.run(ROLES).unwrap();
    let world = World::on(Home::on_server(url("keeper")));
    assert_eq!(world.write(1_000).unwrap().status, 200);

    beside.run("REVOKE INSERT, UPDATE ON kept.records FROM keeper").unwrap();
    is_closed_mouthed(&world.write(1_001).unwrap());
    assert_eq!(world.read().unwrap().status, 200, "reads go on");
    beside.run("REVOKE SELECT ON kept.records FROM keeper").unwrap();
    is_closed_mouthed(&world.read().unwrap());
    let refused = world.home.run(&["verify", "--json"]);
    assert_eq!(refused.code, 1, "{}", refused.stderr);
    is_named(&refused.error());

    beside.run("GRANT ALL ON kept.records TO keeper").unwrap();
    assert_eq!(world.read().unwrap().status, 200);
    assert_eq!(world.write(1_002).unwrap().status, 200);
    world.check(&[1_000, 1_002]);

    let stranger = Home::on_server(url("stranger"));
    let refused = stranger.run(&["connection", "list", "--json"]);
    assert_eq!(refused.code, 1, "{}", refused.stderr);
    is_named(&refused.error());
}

/// The server would only warn that it cannot vacuum such a table, and what was erased would stay in it.
#[test]
fn an_erasure_that_could_not_be_ended_is_refused_before_it_begins() {
    if is_left_out() {
        return;
    }
    let cluster = Cluster::start().unwrap();
    let beside = Beside::open(&cluster.url()).unwrap();
    beside.run(ROLES).unwrap();
    let home = Home::on_server(cluster.url().replace("postgres@", "keeper:sesame@"));
    imported(&home, "post", &letters(0..5));
    beside
        .run("ALTER TABLE kept.texts OWNER TO postgres; GRANT ALL ON kept.texts TO keeper")
        .unwrap();
    let erase = ["connection", "remove", "post", "--yes", "--json"];
    let refused = home.run(&erase);
    assert_eq!(refused.code, 1, "{}", refused.stderr);
    is_named(&refused.error());
    assert_eq!(record_count(&home, "post"), 5, "nothing was changed");

    beside.run("ALTER TABLE kept.texts OWNER TO keeper").unwrap();
    assert_eq!(home.json(&erase)["erased"]["records"], 5);
}
