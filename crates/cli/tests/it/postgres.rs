//! The program on a Postgres database, alone and with a second one beside it.

use serde_json::json;

use crate::program::Home;
use crate::running::Running;
use crate::sample::{import, imported, letters, record_count};

#[test]
fn everything_from_import_to_verify_works_on_a_database() {
    let Some(home) = Home::on_postgres() else { return };
    let none = home.run(&["connection", "list", "--json"]);
    assert_eq!((none.code, &none.error()["code"]), (1, &json!("no_store")), "{}", none.stderr);
    let dry = import(&home, "post", &letters(0..5), &["--dry-run", "--json"]);
    assert_eq!(dry.code, 0, "{}", dry.stderr);
    assert_eq!(home.run(&["connection", "list"]).code, 1, "a dry run makes no store");

    let report = imported(&home, "post", &letters(0..30));
    assert_eq!(report["added"], 30, "{report}");
    let again = imported(&home, "post", &letters(0..30));
    assert_eq!((&again["added"], &again["unchanged"]), (&json!(0), &json!(30)), "{again}");
    assert_eq!(record_count(&home, "post"), 30);
    let issued = home.json(&["grant", "create", "--client", "agent", "--allow", "post", "--json"]);
    assert!(issued["access_token"].is_string());
    assert_eq!(home.json(&["verify", "--json"])["faults"], json!([]));
    let erased = home.json(&["connection", "remove", "post", "--yes", "--json"]);
    assert_eq!(erased["erased"]["records"], 30, "{erased}");
    assert_eq!(home.json(&["verify", "--json"])["records"], 0);
    assert!(!home.data_dir().join("pdpp.sqlite").exists(), "no file beside the database");
}

#[test]
fn two_servers_share_cursors_and_revocation() {
    let Some(home) = Home::on_postgres() else { return };
    imported(&home, "post", &letters(0..30));
    let issued = home.json(&["grant", "create", "--client", "agent", "--allow", "post", "--json"]);
    let token = issued["access_token"].as_str().unwrap();
    let servers = [Running::alone(&home), Running::alone(&home)];

    // Page by page, each at the other server.
    let (mut ids, mut next) = (Vec::new(), String::new());
    for page in 0..6 {
        let path = format!("/v1/streams/letters/records?limit=5&order=asc{next}");
        let answer = servers[page % 2].get(&path, token);
        assert_eq!(answer.status, 200, "{:?}", answer.body);
        let data = answer.body["data"].as_array().unwrap();
        ids.extend(data.iter().map(|record| record["id"].as_str().unwrap().to_owned()));
        if let Some(cursor) = answer.body["next_cursor"].as_str() {
            next = format!("&cursor={cursor}");
        }
    }
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), 30, "no record is lost or repeated");

    home.json(&["grant", "revoke", "agent", "--json"]);
    for server in &servers {
        let refused = server.get("/v1/streams/letters/records", token);
        assert_eq!((refused.status, refused.error_code()), (403, "grant_revoked"));
    }
}

#[test]
fn the_demo_lives_in_a_schema_of_its_own() {
    let Some(home) = Home::on_postgres() else { return };
    let demo = Running::start(&home, &["demo", "--json", "--listen", "127.0.0.1:0"]);
    let token = demo.ready["access_token"].as_str().unwrap().to_owned();
    let mail = demo.get("/v1/streams/messages/records?limit=5&order=desc", &token);
    assert_eq!((mail.status, mail.body["data"].as_array().unwrap().len()), (200, 5));
    assert_eq!(home.run(&["connection", "list"]).code, 1, "the real store is another one");
    drop(demo);
    let again = Running::start(&home, &["demo", "--reset", "--json", "--listen", "127.0.0.1:0"]);
    assert_ne!(again.ready["access_token"].as_str(), Some(token.as_str()), "made anew");
}

/// A store in a file goes into a database and back: what was given out before goes on working.
#[test]
fn a_store_moves_to_postgres_and_back_and_nobody_notices() {
    let (home, Some(there)) = (Home::file_store(), Home::on_postgres()) else { return };
    imported(&home, "post", &letters(0..12));
    let long = crate::sample::letter(50, &"a long letter ".repeat(2_000));
    imported(&home, "post", &format!("{long}\n"));
    let issued = home.json(&["grant", "create", "--client", "agent", "--allow", "post", "--json"]);
    let token = issued["access_token"].as_str().unwrap();
    let path = "/v1/streams/letters/records?limit=5&order=asc";
    let server = Running::serve(&home);
    let first = server.get(path, token);
    let rest = format!("{path}&cursor={}", first.body["next_cursor"].as_str().unwrap());
    let expected = server.get(&rest, token).body;
    drop(server);

    let (file, url) = (home.data_dir(), there.database_url().unwrap());
    let file = file.to_str().unwrap();
    let moved = home.json(&["migrate-store", "--from", file, "--to", url, "--json"]);
    assert_eq!((&moved["records"], &moved["same"]), (&json!(13), &json!(true)), "{moved}");
    let server = Running::serve(&there);
    assert_eq!(server.get(&rest, token).body, expected, "cursor and token go on");
    let found = server.get("/v1/search?q=long%20letter", token);
    assert_eq!(found.status, 200, "{:?}", found.body);
    drop(server);
    imported(&there, "post", &letters(60..62));

    let again = home.run(&["migrate-store", "--from", file, "--to", url]);
    assert_eq!(again.code, 1, "a store that is in use is not overwritten: {}", again.stderr);
    let back = home.path().join("back");
    let back = back.to_str().unwrap();
    let moved = home.json(&["migrate-store", "--from", url, "--to", back, "--json"]);
    assert_eq!((&moved["records"], &moved["same"]), (&json!(15), &json!(true)), "{moved}");
    let line = ["serve", "--json", "--listen", "127.0.0.1:0", "--data-dir", back];
    let server = Running::start(&home, &line);
    assert_eq!(server.get(path, token).body["data"], first.body["data"]);
}
