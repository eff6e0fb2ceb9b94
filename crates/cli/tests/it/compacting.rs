//! `pdpp compact`: what was deleted leaves room, and the room goes back to the disk.

use serde_json::json;

use crate::program::Home;
use crate::running::Running;
use crate::sample::{imported, letter, letters, record_count};

fn bytes(document: &serde_json::Value, name: &str) -> u64 {
    document[name].as_u64().unwrap_or_else(|| panic!("{name}: {document}"))
}

#[test]
fn a_removed_connection_leaves_room_that_compacting_gives_back() {
    for home in [Some(Home::file_store()), Home::on_postgres()].into_iter().flatten() {
        imported(&home, "post", &letters(0..20));
        let long = letter(90, &"a letter of many words ".repeat(60_000));
        imported(&home, "large", &format!("{long}\n"));
        home.json(&["connection", "remove", "large", "--yes", "--json"]);
        let grant = home.json(&["grant", "create", "--client", "a", "--allow", "post", "--json"]);
        let token = grant["access_token"].as_str().unwrap();
        let is_file = home.database_url().is_none();
        let line: &[&str] =
            if is_file { &["compact", "--json"] } else { &["compact", "--full", "--json"] };

        let server = Running::alone(&home);
        let first = server.get("/v1/streams/letters/records?limit=5&order=asc", token).body;
        let refused = home.run(line);
        assert_eq!((refused.code, &refused.error()["code"]), (69, &json!("store_in_use")));
        drop(server);

        let compacted = home.json(line);
        let (before, after) = (bytes(&compacted, "bytes_before"), bytes(&compacted, "bytes_after"));
        // An erasure on Postgres has given back a part already.
        let expected = if is_file { 1_000_000 } else { 0 };
        assert!(after + expected < before, "{compacted}");
        if is_file {
            let on_disk = home.data_dir().join("pdpp.sqlite").metadata().unwrap().len();
            assert_eq!(on_disk, after, "the file is as small as it says");
            let left: Vec<_> = std::fs::read_dir(home.data_dir()).unwrap().flatten().collect();
            assert!(!format!("{left:?}").contains("etilqs"), "{left:?}");
        }
        assert_eq!(home.json(&["verify", "--json"])["faults"], json!([]));
        assert_eq!(record_count(&home, "post"), 20);
        let server = Running::alone(&home);
        let cursor = first["next_cursor"].as_str().unwrap();
        let rest = format!("/v1/streams/letters/records?limit=5&order=asc&cursor={cursor}");
        assert_eq!(server.get(&rest, token).status, 200, "numbers stay as they were");
    }
}

#[test]
fn cleaning_a_database_goes_on_beside_a_server() {
    let Some(home) = Home::on_postgres() else { return };
    imported(&home, "post", &letters(0..5));
    let _server = Running::alone(&home);
    let cleaned = home.json(&["compact", "--json"]);
    assert_eq!(cleaned["rewritten"], false, "{cleaned}");
    let file = Home::file_store();
    imported(&file, "post", &letters(0..1));
    assert_eq!(file.run(&["compact", "--full"]).code, 64, "a file is always rewritten");
}
