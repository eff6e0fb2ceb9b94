//! Time never goes back for a store: what it has seen counts, until the owner resets it.

use serde_json::json;

use crate::program::Home;
use crate::running::Running;
use crate::sample::{imported, letters};

/// A clock that was years ahead for a moment. Only a database can be told so from outside.
fn has_seen_years_ahead(home: &Home) {
    home.load("UPDATE store_clock SET seen_at = '2099-01-01T00:00:00.000000000Z'");
}

#[test]
fn a_store_that_has_seen_a_later_time_judges_by_it_until_the_owner_resets_it() {
    let Some(home) = Home::on_postgres() else { return };
    imported(&home, "post", &letters(0..3));
    let issued = home.json(&["grant", "create", "--client", "a", "--allow", "post", "--json"]);
    let token = issued["access_token"].as_str().unwrap();
    let path = "/v1/streams/letters/records";
    let server = Running::alone(&home);
    assert_eq!(server.get(path, token).status, 200);
    drop(server);
    has_seen_years_ahead(&home);
    let server = Running::alone(&home);
    let refused = server.get(path, token);
    assert_eq!((refused.status, refused.error_code()), (403, "grant_expired"));
    drop(server);
    let shown = home.json(&["owner", "clock", "show", "--json"]);
    assert!(shown["seconds_ahead"].as_u64().unwrap() > 1_000_000, "{shown}");
    let doctor = home.run(&["doctor", "--json", "--listen", "127.0.0.1:0"]).document();
    let findings = doctor["findings"].as_array().unwrap();
    let clock = findings.iter().find(|found| found["check"] == "clock").unwrap();
    assert!(
        clock["state"] == "fault" && clock.to_string().contains("owner clock reset"),
        "{clock}"
    );

    let unasked = home.run(&["owner", "clock", "reset", "--json"]);
    assert_eq!(unasked.code, 64, "{}", unasked.stdout);
    let reset = home.json(&["owner", "clock", "reset", "--yes", "--json"]);
    assert_eq!((&reset["reset"], &reset["before"]), (&json!(true), &json!("2099-01-01T00:00:00Z")));
    let events = home.json(&["audit", "--limit", "1", "--json"]);
    assert_eq!(events["events"][0]["operation"], "clock_reset");
    let server = Running::alone(&home);
    assert_eq!(server.get(path, token).status, 200);
    let again = home.json(&["owner", "clock", "reset", "--yes", "--json"]);
    assert_eq!(again["reset"], false, "{again}");
    assert_eq!(home.json(&["audit", "verify", "--json"])["intact"], true);
}

#[test]
fn a_server_says_that_its_store_is_ahead_and_how_to_mend_it() {
    let Some(home) = Home::on_postgres() else { return };
    imported(&home, "post", &letters(0..1));
    has_seen_years_ahead(&home);
    // The address is taken, so that it ends after what it has to say.
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let listen = taken.local_addr().unwrap().to_string();
    let answer = home.run(&["serve", "--listen", &listen]);
    assert!(answer.stderr.contains("ahead of the system clock"), "{}", answer.stderr);
    assert!(answer.stderr.contains("owner clock reset"), "{}", answer.stderr);
}
