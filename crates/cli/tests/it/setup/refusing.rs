//! What stops a setup, before anything was touched.

use std::fs;

use super::{CLIENTS, backups, file_of, furnished};
use crate::program::Home;

#[test]
fn settings_that_are_broken_are_left_exactly_as_they_are() {
    let home = furnished();
    for (client, file) in CLIENTS {
        let broken = if file.ends_with("toml") { "model = \n" } else { "{\"theme\": \"dark\"\n" };
        fs::write(file_of(&home, client), broken).unwrap();
        for line in [vec!["setup", client, "--json"], vec!["setup", client, "--remove", "--json"]] {
            let answer = home.run(&line);
            assert_eq!(answer.code, 65, "{client}: {}", answer.stderr);
            let error = answer.error();
            assert_eq!(error["code"], "config_broken");
            assert!(error["message"].as_str().unwrap().contains("line "), "{error}");
        }
        assert_eq!(fs::read_to_string(file_of(&home, client)).unwrap(), broken);
        assert!(backups(&home, client).is_empty());
    }
}

#[test]
fn a_client_without_a_living_grant_is_not_set_up() {
    let home = furnished();
    let before = fs::read_to_string(file_of(&home, "codex")).unwrap();
    let missing = home.run(&["setup", "codex", "--client", "nobody"]);
    assert_eq!(missing.code, 78, "{}", missing.stderr);
    assert!(missing.stderr.contains("pdpp grant create --client nobody"), "{}", missing.stderr);
    let kept = home.data_dir().join("credentials/codex.json");
    let aside = home.path().join("codex.json");
    fs::copy(&kept, &aside).unwrap();
    home.json(&["grant", "revoke", "codex", "--json"]);
    fs::copy(&aside, &kept).unwrap();
    let revoked = home.run(&["setup", "codex"]);
    assert_eq!(revoked.code, 78, "{}", revoked.stderr);
    let elsewhere = home.run(&["setup", "codex", "--provider-url", "https://data.example.org"]);
    assert_eq!(elsewhere.code, 78, "{}", elsewhere.stderr);
    assert!(elsewhere.stderr.contains("pdpp connect https://data.example.org"));
    assert_eq!(fs::read_to_string(file_of(&home, "codex")).unwrap(), before);
}

#[test]
fn a_client_that_is_not_here_is_named_with_a_way_on() {
    let home = Home::file_store();
    for (client, file) in CLIENTS {
        let answer = home.run(&["setup", client, "--json"]);
        let error = answer.error();
        assert_eq!((answer.code, &error["code"]), (1, &"client_not_found".into()), "{client}");
        let message = error["message"].as_str().unwrap();
        assert!(message.contains(file) && message.contains("--print"), "{message}");
        let other = ["setup", client, "--name", "pdpp-demo", "--client", "demo-agent", "--json"];
        let error = home.run(&other).error();
        let message = error["message"].as_str().unwrap();
        let same = format!("pdpp setup {client} --name pdpp-demo --client demo-agent --print");
        assert!(message.contains(&same), "{message}");
    }
}

#[test]
fn an_entry_of_the_same_name_that_is_not_ours_stays() {
    let home = furnished();
    let theirs = "{\"mcpServers\": {\"pdpp\": {\"url\": \"https://x\"}}}";
    fs::write(file_of(&home, "cursor"), theirs).unwrap();
    for line in
        [["setup", "cursor", "--json"].to_vec(), ["setup", "cursor", "--remove", "--json"].to_vec()]
    {
        let error = home.run(&line).error();
        assert_eq!(error["code"], "name_taken");
    }
    assert_eq!(fs::read_to_string(file_of(&home, "cursor")).unwrap(), theirs);
    home.json(&["setup", "cursor", "--name", "pdpp2", "--json"]);
}

#[test]
fn an_owner_s_credential_stops_it_before_all_else() {
    let home = furnished();
    let token = home.json(&["owner", "token", "create", "--json"]);
    let token = token["access_token"].as_str().unwrap();
    for (variable, line) in
        [("PDPP_OWNER_TOKEN", ["setup", "codex"]), ("ANYTHING", ["setup", "no-such-client"])]
    {
        let output = home.command(&line).env(variable, token).output().unwrap();
        assert_eq!(output.status.code(), Some(77));
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(said.contains(variable) && !said.contains(token), "{said}");
    }
    let kept = home.data_dir().join("credentials/codex.json");
    let owner = fs::read_to_string(&kept).unwrap().replace("\"client\"", "\"owner\"");
    fs::write(&kept, owner).unwrap();
    assert_eq!(home.run(&["setup", "codex"]).code, 77);
}

#[test]
fn wrong_usage_exits_with_64() {
    let home = Home::file_store();
    for line in [
        &["setup", "emacs"][..],
        &["setup", "--print"],
        &["setup", "--remove"],
        &["setup", "codex", "--print", "--remove"],
        &["setup", "codex", "--name", "My Data"],
        &["setup", "codex", "--provider-url", "http://example.org"],
        &["setup", "codex", "--provider-url", "https://x.org", "--client", "a"],
    ] {
        let answer = home.run(line);
        assert_eq!(answer.code, 64, "{line:?}: {}", answer.stderr);
    }
}
