//! `pdpp connection`: what is stored, what it is called, and that removing erases it.

use serde_json::json;

use crate::program::Home;
use crate::sample::{import, imported, letter, letters};

#[test]
fn a_connection_is_listed_shown_and_renamed() {
    let home = Home::new();
    imported(&home, "post", &letters(0..4));
    let answer =
        import(&home, "old-post", &letters(0..2), &["--display-name", "Old post", "--json"]);
    assert_eq!(answer.code, 0, "{}", answer.stderr);
    let listed = home.json(&["connection", "list", "--json"]);
    let listed = listed["connections"].as_array().unwrap();
    let names: Vec<&str> = listed.iter().map(|one| one["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["old-post", "post"]);
    assert_eq!(listed[0]["display_name"], "Old post");
    assert_eq!(listed[0]["connector_key"], "post");
    let id = listed[1]["connection_id"].as_str().unwrap();
    assert!(id.starts_with("cin_"));
    let shown = home.json(&["connection", "show", id, "--json"]);
    assert_eq!(shown["name"], "post");
    let letters = &shown["streams"][0];
    assert_eq!((&letters["name"], &letters["record_count"]), (&json!("letters"), &json!(4)));
    assert_eq!(letters["fields"], json!(["id", "subject", "sent_at", "body", "secret"]));
    let renamed = home.json(&["connection", "rename", "post", "All my post", "--json"]);
    assert_eq!(renamed["display_name"], "All my post");
    let cleared = home.json(&["connection", "rename", id, "--clear", "--json"]);
    assert_eq!(cleared.get("display_name"), None);
}

#[test]
fn removing_needs_a_yes_when_nobody_can_be_asked() {
    let home = Home::new();
    imported(&home, "post", &letters(0..2));
    let answer = home.run(&["connection", "remove", "post"]);
    assert_eq!(answer.code, 64);
    assert!(answer.stderr.contains("--yes"), "{}", answer.stderr);
    assert_eq!(crate::sample::record_count(&home, "post"), 2);
}

#[test]
fn removing_erases_the_content_from_the_store_and_ends_the_grants() {
    let home = Home::new();
    let needle = "marmalade-under-the-floorboards";
    let long = format!("{} {needle}", "lorem ipsum ".repeat(2_000));
    imported(&home, "post", &format!("{}\n{}\n", letter(0, needle), letter(1, &long)));
    home.json(&["grant", "create", "--client", "a", "--allow", "post", "--json"]);
    assert!(home.store_holds(needle), "the content is stored");
    let erased = home.json(&["connection", "remove", "post", "--yes", "--json"]);
    assert_eq!(erased["erased"], json!({"records": 2, "texts": 1, "blobs": 0, "grants": 1}));
    assert!(!home.store_holds(needle), "the content is gone");
    assert_eq!(home.json(&["connection", "list", "--json"]), json!({"connections": []}));
    assert_eq!(home.run(&["connection", "show", "post"]).code, 1);
    let credential = home.data_dir().join("credentials/a.json");
    assert!(!credential.exists(), "a credential that opens nothing is forgotten");
    let packages = home.json(&["grant", "list", "--json"]);
    assert_eq!(packages["packages"][0]["standing"], "revoked");
    assert_eq!(home.json(&["verify", "--json"])["faults"], json!([]));
}
