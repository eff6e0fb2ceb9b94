//! A database that does not answer, or whose address is gone: one fault, and what helps.

use std::fs;

use pdpp_testkit::postgres::{Cluster, is_left_out};
use serde_json::Value;

use super::{Said, doctor};
use crate::program::Home;
use crate::running::Running;
use crate::setup::furnish;

const NOWHERE: &str = "postgres://ada@127.0.0.1:9/none";

fn all_faults(said: &Said) -> Vec<&Value> {
    let findings = said.document["findings"].as_array().unwrap();
    findings.iter().filter(|found| found["state"] == "fault").collect()
}

#[test]
fn a_server_whose_database_is_away_is_one_fault_and_no_proxy_s() {
    if is_left_out() {
        return;
    }
    let cluster = Cluster::start().unwrap();
    let home = Home::on_server(cluster.url());
    let server = Running::alone(&home);
    cluster.stop().unwrap();
    let said = doctor(&home, &[server.base_url()]);
    assert!(!said.document.to_string().contains("proxy"), "{}", said.document);
    assert_eq!(all_faults(&said).len(), 1, "{}", said.document);
    said.names("store", "no connection to Postgres", "check that Postgres is running");
    assert_eq!(said.code, 69, "nobody answers, and nothing else is wrong");
    assert_eq!(said.stops_at("Claude Code").as_deref(), Some("the store of the server"));
    // Somebody else looks, who has a store of their own.
    let said = doctor(&Home::file_store(), &[server.base_url()]);
    said.names(
        "health",
        "the server is running, but its store does not respond",
        "Postgres is running",
    );
    said.only("health");
    assert_eq!(said.code, 69);
    assert!(!said.document.to_string().contains("proxy"), "{}", said.document);
}

#[test]
fn a_database_that_refuses_the_connection_is_named_once_with_its_remedy() {
    let home = Home::on_server(NOWHERE.to_owned());
    let said = doctor(&home, &[]);
    let faults = said.faults("store");
    let [(what, remedy)] = &faults[..] else { panic!("{faults:?}") };
    assert!(!what.contains("; ") && !what.contains("check the database URL"), "{what}");
    assert!(remedy.starts_with("check that Postgres is running"), "{remedy}");
    said.only("store");
    assert_eq!(said.code, 69);
}

#[test]
fn a_client_whose_database_is_away_is_a_silence_too() {
    if is_left_out() {
        return;
    }
    let cluster = Cluster::start().unwrap();
    let home = furnish(Home::file_store());
    let address = home.file("address", &cluster.url());
    let from = home.data_dir();
    home.json(&["migrate-store", "--from", from.to_str().unwrap(), "--to", &address, "--json"]);
    home.json(&["setup", "codex", "--database-url-file", &address, "--json"]);
    cluster.stop().unwrap();
    let said = doctor(&home, &[]);
    said.names("client_setup", "Codex cannot read", "");
    said.only("client_setup");
    assert_eq!(said.code, 69, "{}", said.document);
}

#[test]
fn an_address_that_is_gone_is_a_fault_and_the_other_checks_go_on() {
    let home = Home::file_store();
    let gone = home.path().join("gone").to_str().unwrap().to_owned();
    let by_option = doctor(&home, &["--database-url-file", &gone]);
    let mut command = home.command(&["doctor", "--json", "--listen", "127.0.0.1:0"]);
    let output = command.env("PDPP_DATABASE_URL_FILE", &gone).output().unwrap();
    let by_variable = Said {
        code: output.status.code().unwrap(),
        document: serde_json::from_slice(&output.stdout).unwrap(),
    };
    for said in [by_option, by_variable] {
        said.names("store", "cannot read its address: ", &format!("restore {gone}"));
        said.names("store", &gone, "--database-url-file FILE");
        said.only("store");
        let text = said.document.to_string();
        assert!(text.contains("\"listener\"") && text.contains("\"environment\""), "{text}");
        // That would make an empty store beside the real one.
        assert!(!text.contains("pdpp import") && !text.contains("pdpp demo"), "{text}");
        assert!(!text.contains("--database-url URL"), "{text}");
    }
}

#[test]
fn where_clients_read_a_database_nobody_is_told_to_begin_in_a_file() {
    let Some(home) = Home::on_postgres().map(furnish) else { return };
    let own = home.file("address", home.database_url().unwrap());
    home.json(&["setup", "codex", "--database-url-file", &own, "--json"]);
    fs::remove_file(&own).unwrap();
    // The person has forgotten that the store is in a database.
    let mut command = home.command(&["doctor", "--json", "--listen", "127.0.0.1:0"]);
    let output = command.env_remove("PDPP_DATABASE_URL").output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(!text.contains("pdpp import") && !text.contains("pdpp demo"), "{text}");
    assert!(text.contains(&format!("pdpp doctor --database-url-file {own}")), "{text}");
    assert!(text.contains(&format!("put {own} back")), "{text}");
}
