//! `pdpp mcp` as its starter sees it: exit codes, credentials, a clean standard output.

use std::fs;

use serde_json::json;

use super::lane::Road;
use super::world::{World, close_to_others};
use crate::program::Home;

fn owner_token() -> String {
    format!("pdpp_owner_{}", "a1B".repeat(17).get(..49).unwrap())
}

#[test]
fn wrong_usage_and_missing_credentials_have_their_exit_codes() {
    let home = Home::new();
    for (arguments, code) in [
        (vec!["mcp"], 64),
        (vec!["mcp", "--nonsense"], 64),
        (vec!["mcp", "--provider-url", "ftp://x"], 64),
        (vec!["mcp", "--provider-url", "http://example.org"], 64),
        (vec!["mcp", "--client", "a", "--provider-url", "https://example.org"], 64),
        (vec!["mcp", "--client", "nobody"], 78),
        (vec!["mcp", "--provider-url", "https://example.org"], 78),
    ] {
        let answer = home.run(&arguments);
        assert_eq!(answer.code, code, "{arguments:?}: {}", answer.stderr);
        assert_eq!(answer.stdout, "", "{arguments:?}");
    }
    let missing = home.run(&["mcp", "--provider-url", "https://example.org"]);
    assert!(missing.stderr.contains("pdpp connect https://example.org"), "{}", missing.stderr);
}

#[test]
fn an_owner_s_credential_anywhere_near_stops_it_before_all_else() {
    let home = Home::new();
    let token = owner_token();
    for variable in ["PDPP_OWNER_TOKEN", "PDPP_OWNER_PASSWORD", "SOMETHING_ELSE"] {
        let output = home.command(&["mcp", "--nonsense"]).env(variable, &token).output().unwrap();
        assert_eq!(output.status.code(), Some(77), "{variable}");
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(said.contains(variable) && !said.contains(&token), "{said}");
        assert!(output.stdout.is_empty());
    }
    let argument = home.run(&["mcp", "--server-name", &token]);
    assert_eq!(argument.code, 77, "{}", argument.stderr);
    assert!(!argument.stderr.contains(&token));
}

#[test]
fn a_cached_credential_is_judged_before_it_is_used() {
    let home = Home::new();
    let clients = home.path().join("cache/clients");
    fs::create_dir_all(&clients).unwrap();
    let path = clients.join("localhost_1.json");
    let run = |kept: &serde_json::Value| {
        fs::write(&path, kept.to_string()).unwrap();
        close_to_others(&path);
        home.run(&["mcp", "--provider-url", "http://localhost:1", "--cache-root", "cache"])
    };
    let own = json!({"credential": {"access_token": "t"}});
    assert_eq!(run(&json!({"credential": {"access_token": owner_token()}})).code, 77);
    assert_eq!(run(&json!({"credential": {"access_token": "t", "token_kind": "owner"}})).code, 77);
    assert_eq!(
        run(&json!({"credential": {"access_token": "t", "expires_at": "2020-01-01T00:00:00Z"}}))
            .code,
        78
    );
    assert_eq!(run(&json!({"something": "else"})).code, 78);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        run(&own);
        fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
        let open =
            home.run(&["mcp", "--provider-url", "http://localhost:1", "--cache-root", "cache"]);
        assert_eq!(open.code, 77);
        assert!(open.stderr.contains("chmod 600"), "{}", open.stderr);
    }
}

#[test]
fn an_unreachable_provider_ends_it_with_its_own_code() {
    let home = Home::new();
    let clients = home.path().join("cache/clients");
    fs::create_dir_all(&clients).unwrap();
    let path = clients.join("127.0.0.1_1.json");
    fs::write(&path, json!({"credential": {"access_token": "t"}}).to_string()).unwrap();
    close_to_others(&path);
    let mut command =
        home.command(&["mcp", "--provider-url", "http://127.0.0.1:1", "--cache-root", "cache"]);
    // The client keeps its end open: only the missing provider can end the program.
    let mut child = command
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let stdin = child.stdin.take();
    assert_eq!(child.wait().unwrap().code(), Some(69));
    drop(stdin);
}

#[test]
fn every_call_is_noted_with_what_it_read_and_the_end_is_clean() {
    let world = World::new();
    for road in [Road::Local, Road::Http] {
        let mut wire = world.wire(road, "2025-11-25");
        let work = world.id("work");
        let list = json!({"stream": "messages", "connection_id": work, "limit": 3});
        wire.request("tools/call", json!({"name": "query_records", "arguments": list})).unwrap();
        wire.request("tools/call", json!({"name": "fetch", "arguments": {"id": "bad"}})).unwrap();
        if road == Road::Local {
            assert_eq!(wire.close(), Some(0));
        }
    }
    // Its end writes out what the server has noted.
    let World { home, server, ids, .. } = world;
    assert_eq!(server.terminate(), Some(0));
    let (_, work) = ids.iter().find(|(name, _)| name == "work").unwrap();
    let log = home.json(&["audit", "list", "--json"]);
    let events = log["events"].as_array().unwrap();
    let noted: Vec<_> =
        events.iter().filter(|event| event["operation"] == "mcp_query_records").collect();
    assert_eq!(noted.len(), 2, "{log}");
    for event in noted {
        assert_eq!(event["connection_ids"], json!([work]), "{event}");
        assert_eq!(event["records_returned"], 3, "{event}");
        assert!(event["bytes_returned"].as_u64().unwrap() > 100, "{event}");
        assert_eq!((&event["outcome"], &event["stream"]), (&json!("ok"), &json!("messages")));
    }
    let refused = events.iter().filter(|event| event["operation"] == "mcp_fetch").count();
    assert_eq!(refused, 2, "{log}");
}

#[test]
fn calls_before_a_signal_are_noted_too() {
    let world = World::new();
    let mut wire = world.wire(Road::Local, "2025-11-25");
    for _ in 0..20 {
        let call = json!({"name": "schema", "arguments": {}});
        wire.request("tools/call", call).unwrap();
    }
    assert_eq!(wire.terminate(), Some(0));
    let log = world.home.json(&["audit", "list", "--client", "journey", "--json"]);
    let noted = log["events"].as_array().unwrap();
    let calls = noted.iter().filter(|event| event["operation"] == "mcp_schema").count();
    assert_eq!(calls, 20, "{log}");
}

#[test]
fn a_server_name_is_what_the_client_is_told() {
    let world = World::new();
    let command = world.home.command(&["mcp", "--client", "journey", "--server-name", "my data"]);
    let wire = super::wire::Wire::pipes(command, "2025-06-18");
    assert_eq!(wire.greeting["serverInfo"]["name"], "my data");
}
