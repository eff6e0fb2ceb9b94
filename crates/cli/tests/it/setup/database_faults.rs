//! A client of a store in Postgres that cannot read: it, the doctor and the commands say why.

use std::fs;
use std::process::Command;

use serde_json::Value;

use super::furnish;
use crate::program::Home;
use crate::running::Running;

/// What the doctor says about a client.
fn diagnosis(home: &Home, client: &str) -> (String, String) {
    let report = home.run(&["doctor", "--json"]).document();
    let findings = report["findings"].as_array().unwrap();
    let about = |finding: &&Value| {
        finding["check"] == "client_setup" && finding["what"].as_str().unwrap().contains(client)
    };
    let found = findings.iter().find(about).unwrap_or_else(|| panic!("{report}"));
    let text = |name: &str| found[name].as_str().unwrap_or_default().to_owned();
    (text("what"), text("remedy"))
}

#[test]
fn two_ways_to_name_a_database_are_one_too_many() {
    let home = Home::file_store();
    let file = home.file("address", "postgres://localhost/x");
    let line =
        ["connection", "list", "--database-url", "postgres://h/x", "--database-url-file", &file];
    assert_eq!(home.run(&line).code, 64);
    let wrong = home.file("wrong", "my-secret-note");
    let refused = home.run(&["connection", "list", "--database-url-file", &wrong]);
    assert_eq!(refused.code, 64, "{}", refused.stderr);
    assert!(!refused.stderr.contains("my-secret-note"), "{}", refused.stderr);
}

#[test]
fn a_revoked_client_is_told_that_and_not_that_a_file_is_missing() {
    let Some(home) = Home::on_postgres().map(furnish) else { return };
    let done = home.json(&["setup", "codex", "--json"]);
    home.json(&["grant", "revoke", "codex", "--json"]);
    let line: Vec<&str> =
        done["command"].as_array().unwrap().iter().map(|word| word.as_str().unwrap()).collect();
    let output = Command::new(line[0]).args(&line[1..]).env_clear().output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(78), "{said}");
    assert!(said.contains("its grant was revoked"), "{said}");
    let (what, remedy) = diagnosis(&home, "Codex");
    assert!(what.contains("has no credential"), "{what}");
    assert!(remedy.contains("grant create --client codex"), "{remedy}");
}

#[test]
fn the_doctor_follows_a_client_to_its_own_database() {
    let Some(home) = Home::on_postgres().map(furnish) else { return };
    let url = home.database_url().unwrap();
    let own = home.file("address", url);
    home.json(&["setup", "codex", "--database-url-file", &own, "--json"]);
    let open_to = |mode: u32| {
        fs::set_permissions(&own, std::os::unix::fs::PermissionsExt::from_mode(mode)).unwrap();
    };
    open_to(0o644);
    let (what, remedy) = diagnosis(&home, "Codex");
    assert!(what.contains("other users can read"), "{what}");
    assert_eq!(remedy, format!("run: chmod 600 {own}"));
    open_to(0o600);
    assert_eq!(diagnosis(&home, "Codex").0, "Codex is set up");

    // A schema in which there is nothing.
    let separator = if url.contains('?') { '&' } else { '?' };
    fs::write(&own, format!("{url}{separator}options=-csearch_path%3Dpg_temp")).unwrap();
    let (what, remedy) = diagnosis(&home, "Codex");
    assert_eq!(what, format!("Codex cannot read: the database of {own} holds no store"));
    assert!(remedy.starts_with("name the right one, or create one with: pdpp import"), "{remedy}");
    fs::remove_file(&own).unwrap();
    let (what, remedy) = diagnosis(&home, "Codex");
    assert!(what.starts_with("Codex cannot find its database: "), "{what}");
    let again = "pdpp setup codex --database-url-file FILE";
    assert_eq!(remedy, format!("put {own} back, or {again}"));
}

#[test]
fn a_look_ahead_says_that_it_would_be_refused() {
    let Some(home) = Home::on_postgres().map(furnish) else { return };
    home.json(&["grant", "revoke", "codex", "--json"]);
    let shown = home.json(&["setup", "codex", "--dry-run", "--json"]);
    let refusal = shown["would_be_refused"].as_str().unwrap();
    assert!(refusal.contains("its grant was revoked"), "{refusal}");
    let shown = home.json(&["setup", "cursor", "--dry-run", "--json"]);
    assert!(shown["would_be_refused"].is_null(), "{shown}");
}

#[test]
fn a_demo_keeps_what_was_shown_and_is_not_erased_under_its_server() {
    let Some(home) = Home::on_postgres() else { return };
    let demo = Running::start(&home, &["demo", "--json", "--listen", "127.0.0.1:0"]);
    let file = home.data_dir().join("demo/database-url");
    let shown = fs::read_to_string(&file).unwrap();
    let away = ["demo", "--database-url", "postgres://nobody@127.0.0.1:9/none", "--json"];
    assert_eq!(home.run(&away).code, 69);
    assert_eq!(fs::read_to_string(&file).unwrap(), shown);
    let reset = home.run(&["demo", "--reset", "--listen", "127.0.0.1:0", "--json"]);
    assert_eq!((reset.code, &reset.error()["code"]), (69, &"store_in_use".into()));
    let token = demo.ready["access_token"].as_str().unwrap();
    assert_eq!(demo.get("/v1/streams", token).status, 200);
}

#[test]
fn a_move_names_its_places_and_spares_the_files_of_others() {
    let Some(home) = Home::on_postgres().map(furnish) else { return };
    let own = home.file("address", home.database_url().unwrap());
    let empty = home.run(&["migrate-store", "--from", &own, "--to", ""]);
    assert_eq!(empty.code, 64, "{}", empty.stderr);
    let none = home.run(&["migrate-store", "--from", "nowhere", "--to", "new"]);
    assert!(none.stderr.contains("no store at nowhere; --from"), "{}", none.stderr);
    fs::create_dir(home.path().join("photos")).unwrap();
    home.file("photos/cat.jpg", "a cat");
    let among = home.run(&["migrate-store", "--from", &own, "--to", "photos"]);
    assert_eq!(among.code, 64, "{}", among.stderr);
    assert!(among.stderr.contains("cat.jpg"), "{}", among.stderr);
    let moved = home.run(&["migrate-store", "--from", &own, "--to", "new"]);
    assert_eq!(moved.code, 0, "{}", moved.stderr);
    assert!(moved.stdout.contains(" into new. Both stores are identical."), "{}", moved.stdout);
}
