//! What a person has after a setup, and after it was taken back.

use std::fs;
use std::process::Stdio;

use super::{CLIENTS, backups, file_of, furnished, settings};
use crate::program::Home;

#[test]
fn every_client_is_set_up_keeps_its_settings_and_comes_back_clean() {
    let home = furnished();
    for (client, file) in CLIENTS {
        let path = file_of(&home, client);
        let before = settings(file);
        let done = home.json(&["setup", client, "--json"]);
        assert_eq!((&done["client"], &done["change"]), (&client.into(), &"added".into()));
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.contains("mine") && text.contains("pdpp"), "{client}: {text}");
        assert!(!text.contains("pdpp_client_"), "{client}: a token stands in {text}");
        let kept = backups(&home, client);
        assert_eq!(kept.len(), 1, "{client}");
        assert_eq!(fs::read_to_string(&kept[0]).unwrap(), before);
        assert_eq!(done["backup"], kept[0].to_str().unwrap());

        let again = home.json(&["setup", client, "--json"]);
        assert_eq!(again["change"], "unchanged", "{client}");
        assert_eq!(again["diff"], "");
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
        assert_eq!(backups(&home, client).len(), 1, "{client}: what did not change needs no copy");

        let gone = home.json(&["setup", client, "--remove", "--json"]);
        assert_eq!(gone["change"], "removed", "{client}");
        assert_eq!(fs::read_to_string(&path).unwrap(), before, "{client}");
        assert_eq!(home.json(&["setup", client, "--remove", "--json"])["change"], "absent");
    }
}

#[test]
fn what_was_written_starts_a_server_with_nothing_in_the_environment() {
    let home = furnished();
    let done = home.json(&["setup", "cursor", "--json"]);
    let line: Vec<&str> =
        done["command"].as_array().unwrap().iter().map(|word| word.as_str().unwrap()).collect();
    let mut command = std::process::Command::new(line[0]);
    command.args(&line[1..]).env_clear().current_dir("/");
    let wire = crate::mcp::wire::Wire::pipes(command, "2025-06-18");
    assert_eq!(wire.greeting["serverInfo"]["name"], "pdpp");
}

#[test]
fn a_first_setup_makes_the_file_and_shows_every_line_of_it() {
    let home = Home::file_store();
    crate::sample::imported(&home, "post", &crate::sample::letters(0..1));
    home.json(&["grant", "create", "--client", "codex", "--allow", "post", "--json"]);
    fs::create_dir(home.path().join(".codex")).unwrap();
    let answer = home.run(&["setup", "codex"]);
    assert_eq!(answer.code, 0, "{}", answer.stderr);
    let text = fs::read_to_string(file_of(&home, "codex")).unwrap();
    for line in text.lines() {
        assert!(answer.stdout.contains(&format!("+ {line}")), "{line}: {}", answer.stdout);
    }
    assert!(text.starts_with("[mcp_servers.pdpp]\n"), "{text}");
    assert!(answer.stdout.contains("pdpp setup codex --remove"), "{}", answer.stdout);
    assert!(backups(&home, "codex").is_empty(), "there was nothing to keep");
}

#[test]
fn a_dry_run_shows_the_change_and_makes_none() {
    let home = furnished();
    let before = fs::read_to_string(file_of(&home, "vscode")).unwrap();
    let done = home.json(&["setup", "vscode", "--dry-run", "--json"]);
    assert!(done["diff"].as_str().unwrap().contains("\"pdpp\""), "{done}");
    assert_eq!(fs::read_to_string(file_of(&home, "vscode")).unwrap(), before);
    assert!(backups(&home, "vscode").is_empty());
    home.json(&["setup", "vscode", "--json"]);
    let with = fs::read_to_string(file_of(&home, "vscode")).unwrap();
    let done = home.json(&["setup", "vscode", "--remove", "--dry-run", "--json"]);
    assert_eq!(done["change"], "removed");
    assert_eq!(fs::read_to_string(file_of(&home, "vscode")).unwrap(), with);
}

#[test]
fn another_name_and_another_grant_stand_beside_the_first() {
    let home = furnished();
    home.json(&["grant", "create", "--client", "narrow", "--allow", "post", "--json"]);
    home.json(&["setup", "gemini", "--json"]);
    home.json(&["setup", "gemini", "--client", "narrow", "--name", "narrow-one", "--json"]);
    let text = fs::read_to_string(file_of(&home, "gemini")).unwrap();
    assert!(text.contains("\"pdpp\"") && text.contains("\"narrow-one\""), "{text}");
    home.json(&["setup", "gemini", "--remove", "--json"]);
    let text = fs::read_to_string(file_of(&home, "gemini")).unwrap();
    assert!(!text.contains("\"pdpp\"") && text.contains("\"narrow-one\""), "{text}");
}

#[test]
fn without_a_client_it_shows_which_are_here() {
    let home = furnished();
    fs::remove_dir_all(home.path().join(".cursor")).unwrap();
    home.json(&["setup", "codex", "--json"]);
    let seen = home.json(&["setup", "--json"]);
    let state = |name: &str| {
        let clients = seen["clients"].as_array().unwrap();
        let found = clients.iter().find(|client| client["client"] == name).unwrap();
        (found["found"].as_bool().unwrap(), found["state"].as_str().unwrap().to_owned())
    };
    assert_eq!(state("codex"), (true, "set_up".to_owned()));
    assert_eq!(state("gemini"), (true, "not_set_up".to_owned()));
    assert_eq!(state("cursor"), (false, "not_set_up".to_owned()));
    let words = home.run(&["setup"]);
    assert!(words.stdout.starts_with("CLIENT "), "{}", words.stdout);
}

#[test]
fn print_writes_nothing_and_prints_what_can_be_pasted() {
    let home = Home::file_store();
    for (client, file) in CLIENTS {
        let mut command = home.command(&["setup", client, "--print"]);
        let output = command.stdin(Stdio::null()).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{client}");
        let text = String::from_utf8(output.stdout).unwrap();
        if file.ends_with("json") {
            let read: serde_json::Value = serde_json::from_str(&text).unwrap();
            assert!(read.is_object(), "{client}");
        } else {
            assert!(text.starts_with("[mcp_servers.pdpp]"), "{text}");
        }
        let place = String::from_utf8(output.stderr).unwrap();
        assert!(place.contains(file), "{client}: {place}");
    }
    assert_eq!(fs::read_dir(home.path()).unwrap().count(), 0, "nothing was made");
}
