//! A client of a store in Postgres: it finds the database, and its settings hold no password.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use super::{CLIENTS, file_of, furnish, settings};
use crate::mcp::wire::Wire;
use crate::program::{Answer, Home};
use crate::running::Running;

/// The command that was written, started as a client would: with an environment of its own.
fn started(done: &Value) -> Wire {
    let line: Vec<&str> =
        done["command"].as_array().unwrap().iter().map(|word| word.as_str().unwrap()).collect();
    let mut command = Command::new(line[0]);
    command.args(&line[1..]).env_clear().current_dir("/");
    Wire::pipes(command, "2025-06-18")
}

/// What a tool of it answers.
fn told(done: &Value, tool: &str, arguments: &Value) -> String {
    let call = json!({"name": tool, "arguments": arguments});
    let answer = started(done).request("tools/call", call).unwrap();
    answer["content"][0]["text"].as_str().unwrap().to_owned()
}

fn reads_letters(done: &Value) -> bool {
    told(done, "query_records", &json!({"stream": "letters"})).contains("Dear reader 2")
}

fn address_of(home: &Home, client: &str) -> PathBuf {
    home.data_dir().join(format!("credentials/{client}.database-url"))
}

/// What nobody may find in a client's settings, nor anywhere on the screen.
const PASSWORD: &str = "sesame";

/// A home with clients and a password in the URL of its database.
fn guarded() -> Option<Home> {
    Some(furnish(Home::on_postgres()?.with_password(PASSWORD)))
}

/// Runs a command that must succeed and must not tell the password.
fn silent(home: &Home, line: &[&str]) -> Answer {
    let answer = home.run(line);
    let said = format!("{}{}", answer.stdout, answer.stderr);
    assert_eq!(answer.code, 0, "{line:?}: {said}");
    assert!(!said.contains(PASSWORD), "{line:?}: {said}");
    answer
}

#[test]
fn every_client_finds_the_database_and_its_settings_do_not_name_it() {
    let Some(home) = guarded() else { return };
    for (client, file) in CLIENTS {
        silent(&home, &["setup", client, "--print"]);
        silent(&home, &["setup", client, "--print", "--json"]);
        silent(&home, &["setup", client, "--dry-run"]);
        let done = silent(&home, &["setup", client, "--json"]).document();
        assert_eq!(done["change"], "added", "{client}");
        let text = fs::read_to_string(file_of(&home, client)).unwrap();
        assert!(!text.contains(PASSWORD), "{client}: {text}");
        let kept = address_of(&home, client);
        let address = fs::read_to_string(&kept).unwrap();
        assert_eq!(address.trim(), home.database_url().unwrap());
        assert!(address.contains(PASSWORD), "the test looks for what is there");
        assert!(is_private(&kept), "{client}");
        assert!(reads_letters(&done), "{client}");

        let again = silent(&home, &["setup", client, "--json"]).document();
        assert_eq!(again["change"], "unchanged", "{client}");
        silent(&home, &["setup", client, "--remove", "--json"]);
        assert_eq!(fs::read_to_string(file_of(&home, client)).unwrap(), settings(file));
        silent(&home, &["setup", client]);
        silent(&home, &["setup", client, "--remove"]);
        assert_eq!(fs::read_to_string(file_of(&home, client)).unwrap(), settings(file));
    }
}

#[test]
fn the_address_goes_when_the_grant_does() {
    let Some(home) = Home::on_postgres().map(furnish) else { return };
    home.json(&["setup", "codex", "--json"]);
    home.json(&["setup", "cursor", "--json"]);
    home.json(&["grant", "revoke", "codex", "--json"]);
    assert!(!address_of(&home, "codex").exists());
    assert!(address_of(&home, "cursor").exists(), "another client's stays");
}

#[test]
fn looking_first_keeps_no_address() {
    let Some(home) = Home::on_postgres().map(furnish) else { return };
    let shown = home.json(&["setup", "codex", "--dry-run", "--json"]);
    let kept = address_of(&home, "codex");
    assert!(shown["diff"].as_str().unwrap().contains(kept.to_str().unwrap()), "{shown}");
    let printed = home.run(&["setup", "codex", "--print"]);
    assert_eq!(printed.code, 0, "{}", printed.stderr);
    assert!(printed.stderr.contains(kept.to_str().unwrap()), "{}", printed.stderr);
    assert!(!kept.exists());
}

#[test]
fn a_file_of_the_person_s_own_is_named_and_not_copied() {
    let Some(home) = Home::on_postgres().map(furnish) else { return };
    let own = home.file("where-it-is", &format!("{}\n", home.database_url().unwrap()));
    let output = home
        .command(&["setup", "codex", "--json", "--database-url-file", "where-it-is"])
        .env_remove("PDPP_DATABASE_URL")
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let done: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(done["command"].as_array().unwrap().contains(&json!(own)), "{done}");
    assert!(!address_of(&home, "codex").exists());
    assert!(reads_letters(&done));
}

#[test]
fn what_the_demo_shows_leads_to_its_store_in_the_database() {
    let Some(home) = Home::on_postgres() else { return };
    let demo = Running::start(&home, &["demo", "--json", "--listen", "127.0.0.1:0"]);
    let data_dir = home.data_dir().join("demo");
    let file = data_dir.join("database-url");
    assert!(is_private(&file));
    let (data_dir, file) = (data_dir.to_str().unwrap(), file.to_str().unwrap());
    fs::create_dir(home.path().join(".cursor")).unwrap();
    let line = ["setup", "cursor", "--client", "demo-agent", "--name", "pdpp-demo", "--json"];
    let line = [&line[..], &["--data-dir", data_dir, "--database-url-file", file]].concat();
    let output = home.command(&line).env_remove("PDPP_DATABASE_URL").output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let done: Value = serde_json::from_slice(&output.stdout).unwrap();
    let found = told(&done, "search", &json!({"query": "boiler"}));
    assert!(found.contains("evt-boiler"), "{found}");
    drop(demo);
}

fn is_private(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    fs::metadata(path).unwrap().permissions().mode() & 0o777 == 0o600
}
