//! The database file is deleted or replaced under a server; directories that others can open.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

use crate::http;
use crate::program::Home;
use crate::running::Running;
use crate::sample::{imported, letter, letters};

const RECORDS: &str = "/v1/streams/letters/records?limit=1";

#[test]
fn a_server_whose_database_file_is_gone_or_another_one_stops_and_says_so() {
    for replaced in [false, true] {
        let home = Home::file_store();
        imported(&home, "post", &letters(0..30));
        let line = ["grant", "create", "--client", "agent", "--allow", "post/letters", "--json"];
        let issued = home.json(&line);
        let token = issued["access_token"].as_str().unwrap().to_owned();
        let connection = issued["grants"][0]["connection_id"].as_str().unwrap();
        let store = home.data_dir().join("pdpp.sqlite");
        let (aside, copy) = (home.path().join("aside"), home.path().join("copy"));
        fs::copy(&store, &copy).unwrap();
        let server = Running::alone(&home);
        let owner = home.json(&["owner", "token", "create", "--label", "script", "--json"]);
        let owner = owner["access_token"].as_str().unwrap().to_owned();
        assert_eq!(server.get(RECORDS, &token).status, 200);
        fs::rename(&store, &aside).unwrap();
        if replaced {
            fs::rename(&copy, &store).unwrap();
        }
        let url = format!("{}/v1/ingest/letters?connection_id={connection}", server.base_url());
        let line = letter(30, "a letter").replacen(r#""stream":"letters","#, "", 1);
        let refused = http::try_ingest(&url, &owner, &line).unwrap();
        assert_eq!(refused.status, 503, "{:?}", refused.body);
        let read = server.get(RECORDS, &token);
        assert_eq!((read.status, read.error_code()), (503, "unavailable"), "{:?}", read.body);
        let ready = http::get(&format!("{}/readyz", server.base_url()), None);
        assert_eq!(ready.status, 503);
        assert!(ready.body.to_string().contains("replaced"), "{:?}", ready.body);
        if replaced {
            // The log still belongs to the file before; nothing opens the two together.
            let other = home.run(&["grant", "list", "--json"]);
            assert_eq!(other.code, 1, "{}", other.stdout);
            assert_eq!(other.error()["code"], "foreign_log", "{}", other.stderr);
        }
        fs::rename(&aside, &store).unwrap();
        assert_eq!(server.get(RECORDS, &token).status, 503, "until it is started again");
        drop(server);
        let again = Running::alone(&home);
        assert_eq!(again.get(RECORDS, &token).status, 200);
        drop(again);
        let report = home.json(&["verify", "--json"]);
        assert_eq!((&report["records"], &report["faults"]), (&30.into(), &serde_json::json!([])));
    }
}

#[test]
fn a_data_directory_that_others_can_open_is_refused_with_the_command_that_closes_it() {
    let home = Home::file_store();
    imported(&home, "post", &letters(0..1));
    for mode in [0o755, 0o750, 0o702, 0o770] {
        fs::set_permissions(home.data_dir(), fs::Permissions::from_mode(mode)).unwrap();
        let serve = &["serve", "--listen", "127.0.0.1:0", "--json"][..];
        for line in [&["grant", "list", "--json"][..], serve] {
            let answer = home.run(line);
            assert_eq!(answer.code, 77, "{mode:o} {line:?}: {}", answer.stderr);
            let message = answer.error()["message"].to_string();
            assert!(message.contains("chmod 700"), "{message}");
        }
    }
    fs::set_permissions(home.data_dir(), fs::Permissions::from_mode(0o700)).unwrap();
    assert_eq!(home.run(&["grant", "list"]).code, 0);
}

#[test]
fn a_credentials_directory_that_is_a_link_is_refused() {
    let home = Home::file_store();
    imported(&home, "post", &letters(0..1));
    let elsewhere = home.path().join("elsewhere");
    fs::create_dir(&elsewhere).unwrap();
    symlink(&elsewhere, home.data_dir().join("credentials")).unwrap();
    let line = ["grant", "create", "--client", "agent", "--allow", "post/letters", "--json"];
    let refused = home.run(&line);
    assert_eq!(refused.code, 77, "{}", refused.stdout);
    assert_eq!(refused.error()["code"], "credential_exposed");
    assert_eq!(fs::read_dir(&elsewhere).unwrap().count(), 0, "nothing was left there");
    assert_eq!(home.json(&["grant", "list", "--json"])["packages"], serde_json::json!([]));
}
