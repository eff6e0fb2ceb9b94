//! Clients that were set up: each entry is looked at, and what helps leads back to the same store.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::{Said, doctor};
use crate::program::Home;
use crate::setup::furnish;

const PROGRAM: &str = env!("CARGO_BIN_EXE_pdpp");

fn settings(home: &Home) -> PathBuf {
    home.path().join(".codex/config.toml")
}

/// Writes an entry by hand.
fn write_entry(home: &Home, name: &str, arguments: &[&str]) {
    let words: Vec<String> = arguments.iter().map(|word| format!("{word:?}")).collect();
    let args = words.join(", ");
    let text = format!("[mcp_servers.{name}]\ncommand = {PROGRAM:?}\nargs = [{args}]\n");
    fs::write(settings(home), text).unwrap();
}

/// What is said about Codex: state, words and remedy.
fn about_codex(said: &Said) -> (String, String, String) {
    let findings = said.document["findings"].as_array().unwrap();
    let about = |found: &&Value| {
        found["check"] == "client_setup" && found["what"].as_str().unwrap().contains("Codex")
    };
    let found = findings.iter().find(about).unwrap_or_else(|| panic!("{}", said.document));
    let text = |name: &str| found[name].as_str().unwrap_or_default().to_owned();
    (text("state"), text("what"), text("remedy"))
}

fn break_program(home: &Home) {
    let text = fs::read_to_string(settings(home)).unwrap();
    fs::write(settings(home), text.replace(PROGRAM, "/gone/pdpp")).unwrap();
}

#[test]
fn an_entry_of_another_name_is_looked_at_too() {
    let home = furnish(Home::file_store());
    home.json(&["grant", "create", "--client", "narrow", "--allow", "post", "--json"]);
    home.json(&["setup", "codex", "--client", "narrow", "--name", "narrow-one", "--json"]);
    let (state, what, _) = about_codex(&doctor(&home, &[]));
    assert_eq!((state.as_str(), what.as_str()), ("ok", "Codex (narrow-one) is set up"));
    break_program(&home);
    let again = "pdpp setup codex --name narrow-one --client narrow";
    doctor(&home, &[]).names("client_setup", "Codex (narrow-one) starts /gone/pdpp", again);
    let text = fs::read_to_string(settings(&home)).unwrap();
    fs::write(settings(&home), text.replace("/gone/pdpp", "/gone/other-program")).unwrap();
    assert_eq!(doctor(&home, &[]).code, 0, "what starts another program is not ours");
}

/// After a move both stores know the same agents, and one directory keeps the credentials of both.
#[test]
fn a_client_of_a_moved_store_is_not_taken_for_one_of_the_old_store() {
    let (home, Some(there)) = (furnish(Home::file_store()), Home::on_postgres()) else { return };
    let (from, url) = (home.data_dir(), there.database_url().unwrap());
    let file = home.path().join("url");
    fs::write(&file, url).unwrap();
    let option = ["--database-url-file", file.to_str().unwrap()];
    home.json(&["migrate-store", "--from", from.to_str().unwrap(), "--to", option[1], "--json"]);
    home.json(&["setup", "codex", option[0], option[1], "--json"]);

    home.json(&["grant", "create", "--client", "zed", "--allow", "post", "--json"]);
    let there = doctor(&home, &option);
    assert_eq!(there.code, 0, "{}", there.document);
    let text = there.document.to_string();
    assert!(text.contains("the credential of zed does not work"), "{text}");
    assert!(
        text.contains("it may belong to another store: pdpp doctor") && !text.contains("rm "),
        "{text}"
    );

    // The same database is no other store, wherever the command is run.
    let elsewhere = home.path().join("elsewhere");
    let line = ["grant", "revoke", "codex", "--data-dir", elsewhere.to_str().unwrap()];
    let ended = home.run(&[&line[..], &option].concat());
    assert_eq!(
        (ended.code, ended.stderr.contains("another store")),
        (0, false),
        "{}",
        ended.stderr
    );
    let said = doctor(&home, &option);
    said.names("credential", "the credential of codex does not work", "grant create");

    let ended = home.run(&["grant", "revoke", "codex"]);
    assert_eq!(ended.code, 0, "{}", ended.stderr);
    let advice = format!("pdpp grant revoke codex --database-url-file {}", option[1]);
    assert!(ended.stderr.contains("Codex uses codex with another store"), "{}", ended.stderr);
    assert!(ended.stderr.contains(&advice), "{}", ended.stderr);
}

#[test]
fn an_entry_that_reads_elsewhere_is_set_up_for_that_again() {
    let home = furnish(Home::file_store());
    write_entry(&home, "pdpp", &["mcp", "--provider-url=https://data.example.org"]);
    break_program(&home);
    let again = "pdpp setup codex --provider-url https://data.example.org";
    doctor(&home, &[]).names("client_setup", "/gone/pdpp", again);
}

#[test]
fn a_relative_data_directory_is_the_same_one() {
    let home = furnish(Home::file_store());
    home.json(&["setup", "codex", "--json"]);
    let credential = home.data_dir().join("credentials/codex.json");
    let kept = fs::read(&credential).unwrap();
    home.json(&["grant", "revoke", "codex", "--json"]);
    fs::write(&credential, kept).unwrap();
    fs::set_permissions(&credential, std::os::unix::fs::PermissionsExt::from_mode(0o600)).unwrap();
    // What is wrong with the store that is looked at anyhow is said once.
    doctor(&home, &["--data-dir", "data"]).only("credential");
}

#[test]
fn a_credential_that_others_can_read_is_closed_and_not_made_anew() {
    let home = furnish(Home::file_store());
    home.json(&["setup", "codex", "--json"]);
    let credential = home.data_dir().join("credentials/codex.json");
    fs::set_permissions(&credential, std::os::unix::fs::PermissionsExt::from_mode(0o644)).unwrap();
    let (_, what, remedy) = about_codex(&doctor(&home, &[]));
    assert!(what.starts_with("Codex cannot read: other users can read "), "{what}");
    assert!(remedy.starts_with("run: chmod 600 "), "{remedy}");
}

#[test]
fn an_entry_that_leaves_its_store_to_the_environment_is_followed_there() {
    let Some(home) = Home::on_postgres().map(furnish) else { return };
    for way in [&["mcp", "--client", "codex"][..], &["mcp", "--client=codex"]] {
        write_entry(&home, "pdpp", way);
        let said = doctor(&home, &[]);
        assert_eq!((said.code, about_codex(&said).0.as_str()), (0, "ok"), "{}", said.document);
    }
}

#[test]
fn an_address_in_the_settings_is_followed_and_noted() {
    let Some(home) = Home::on_postgres().map(furnish) else { return };
    let home = home.with_password("sesame");
    let data_dir = home.data_dir().to_str().unwrap().to_owned();
    let url = home.database_url().unwrap();
    let line = ["mcp", "--client", "codex", "--data-dir", &data_dir];
    for way in
        [vec!["--database-url".to_owned(), url.to_owned()], vec![format!("--database-url={url}")]]
    {
        let way: Vec<&str> = way.iter().map(String::as_str).collect();
        write_entry(&home, "pdpp", &[&line[..], &way].concat());
        let said = doctor(&home, &[]);
        let (state, what, remedy) = about_codex(&said);
        assert_eq!((said.code, state.as_str()), (0, "note"), "{}", said.document);
        assert!(what.contains("has the database URL in its settings"), "{what}");
        assert!(remedy.ends_with("pdpp setup codex --database-url URL"), "{remedy}");
        assert!(!said.document.to_string().contains("sesame"), "{}", said.document);
    }
    let nowhere = "postgres://ada:sesame@127.0.0.1:9/none";
    write_entry(&home, "pdpp", &[&line[..], &["--database-url", nowhere]].concat());
    let said = doctor(&home, &[]);
    said.names("client_setup", "Codex cannot read: ", "check the database URL");
    assert!(!said.document.to_string().contains("sesame"), "{}", said.document);
}

#[test]
fn every_remedy_leads_to_the_database_of_the_entry() {
    let Some(home) = Home::on_postgres().map(furnish) else { return };
    let own = home.file("address", home.database_url().unwrap());
    fs::set_permissions(Path::new(&own), std::os::unix::fs::PermissionsExt::from_mode(0o600))
        .unwrap();
    home.json(&["setup", "codex", "--database-url-file", &own, "--json"]);
    let before = fs::read_to_string(settings(&home)).unwrap();
    break_program(&home);
    let remedy = || about_codex(&doctor(&home, &[])).2;
    assert_eq!(remedy(), format!("pdpp setup codex --database-url-file {own}"));
    fs::write(settings(&home), before).unwrap();
    let credential = home.data_dir().join("credentials/codex.json");
    let kept = fs::read(&credential).unwrap();
    fs::remove_file(&credential).unwrap();
    let create = "pdpp grant create --client codex --allow …";
    let end = "or remove it with: pdpp setup codex --remove";
    assert_eq!(remedy(), format!("{create} --database-url-file {own}; {end}"));
    fs::remove_file(&own).unwrap();
    assert_eq!(remedy(), format!("{create} --database-url-file FILE; {end}"));
    fs::write(&credential, kept).unwrap();
    fs::set_permissions(&credential, std::os::unix::fs::PermissionsExt::from_mode(0o600)).unwrap();
    let again = "pdpp setup codex --database-url-file FILE";
    assert_eq!(remedy(), format!("put {own} back, or {again}"));
}

#[test]
fn a_client_of_another_store_is_noted_and_led_to_this_one() {
    let home = furnish(Home::file_store());
    home.json(&["setup", "codex", "--name", "mine", "--json"]);
    let new = home.path().join("new").to_str().unwrap().to_owned();
    let old = home.data_dir().to_str().unwrap().to_owned();
    home.json(&["migrate-store", "--from", &old, "--to", &new, "--json"]);
    let said = doctor(&home, &["--data-dir", &new]);
    let (state, what, remedy) = about_codex(&said);
    assert_eq!((said.code, state.as_str()), (0, "note"), "{}", said.document);
    assert_eq!(what, format!("Codex (mine) is set up for another store ({old})"));
    assert_eq!(remedy, format!("for this one: pdpp setup codex --name mine --data-dir {new}"));
    assert_eq!(about_codex(&doctor(&home, &[])).0, "ok", "it is the usual store");
}

#[test]
fn a_client_that_stayed_behind_a_move_is_noted_by_its_database_or_directory() {
    let Some(home) = Home::on_postgres().map(furnish) else { return };
    let own = home.file("address", home.database_url().unwrap());
    fs::set_permissions(Path::new(&own), std::os::unix::fs::PermissionsExt::from_mode(0o600))
        .unwrap();
    home.json(&["setup", "codex", "--database-url-file", &own, "--json"]);
    let new = home.path().join("new").to_str().unwrap().to_owned();
    home.json(&["migrate-store", "--from", &own, "--to", &new, "--json"]);
    let mut command =
        home.command(&["doctor", "--json", "--data-dir", &new, "--listen", "127.0.0.1:0"]);
    let output = command.env_remove("PDPP_DATABASE_URL").output().unwrap();
    let document = serde_json::from_slice(&output.stdout).unwrap();
    let (state, what, remedy) = about_codex(&Said { code: 0, document });
    assert_eq!(state, "note", "{what}");
    assert!(what.ends_with(&format!("for another store (the database of {own})")), "{what}");
    assert_eq!(remedy, format!("for this one: pdpp setup codex --data-dir {new}"));
}

#[test]
fn a_client_whose_grant_was_ended_may_go_too() {
    let home = furnish(Home::file_store());
    home.json(&["setup", "codex", "--name", "mine", "--json"]);
    home.json(&["grant", "revoke", "codex", "--json"]);
    let end = "; or remove it with: pdpp setup codex --remove --name mine";
    doctor(&home, &[]).names("client_setup", "has no credential", end);
}
