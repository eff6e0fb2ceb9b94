//! From import to grant to read to revocation, over the loopback.

use serde_json::{Value, json};

use crate::program::Home;
use crate::running::Running;
use crate::sample::{imported, letters};

fn token(issued: &Value) -> &str {
    issued["access_token"].as_str().unwrap()
}

#[test]
fn an_agent_reads_exactly_its_grant_until_it_is_revoked() {
    let home = Home::new();
    imported(&home, "post", &letters(0..30));
    let server = Running::serve(&home);
    let spec = "post/letters:subject,sent_at@2026-03-10..2026-03-20";
    let issued = home.json(&["grant", "create", "--client", "agent", "--allow", spec, "--json"]);
    let grant = &issued["grants"][0];
    assert_eq!(grant["connector_key"], "post");
    assert_eq!(grant["streams"][0]["fields"], json!(["id", "subject", "sent_at"]));
    let page = server.get("/v1/streams/letters/records?limit=100", token(&issued));
    assert_eq!(page.status, 200, "{:?}", page.body);
    let records = page.body["data"].as_array().unwrap();
    assert_eq!(records.len(), 10, "ten days of March");
    for record in records {
        assert_eq!(record["connection_id"], grant["connection_id"]);
        let fields: Vec<&String> = record["data"].as_object().unwrap().keys().collect();
        assert_eq!(fields, ["id", "sent_at", "subject"]);
    }
    let secret = server.get("/v1/streams/letters/records?fields=secret", token(&issued));
    let invented = server.get("/v1/streams/letters/records?fields=sacred", token(&issued));
    assert_eq!((secret.status, invented.status), (403, 403));
    assert_eq!(secret.error_code(), invented.error_code());
    assert_eq!(server.get("/v1/streams/parcels/records", token(&issued)).status, 403);

    let ended = home.json(&["grant", "revoke", "agent", "--json"]);
    assert_eq!(ended["packages"], json!([issued["package_id"]]));
    let refused = server.get("/v1/streams/letters/records", token(&issued));
    assert_eq!((refused.status, refused.error_code()), (403, "grant_revoked"));
    let again = home.json(&["grant", "revoke", "agent", "--json"]);
    assert_eq!(again, json!({"packages": [], "grants": []}));
}

#[cfg(unix)]
#[test]
fn what_an_agent_read_is_in_the_audit_log_without_its_token() {
    let home = Home::new();
    imported(&home, "post", &letters(0..3));
    let issued = home.json(&["grant", "create", "--client", "agent", "--allow", "post", "--json"]);
    let server = Running::serve(&home);
    assert_eq!(server.get("/v1/streams/letters/records", token(&issued)).status, 200);
    assert_eq!(server.terminate(), Some(0), "a server that is asked to stop writes its log out");
    let audit = home.json(&["audit", "--client", "agent", "--json"]);
    let events = audit["events"].as_array().unwrap();
    assert!(!events.is_empty());
    assert_eq!(events[0]["stream"], "letters");
    assert_eq!(events[0]["records_returned"], 3);
    assert_eq!(events[0]["client"], "agent");
    assert!(!audit.to_string().contains(token(&issued)));
    let everything = home.json(&["audit", "list", "--json"]);
    assert!(everything["events"].as_array().unwrap().len() > events.len());
    assert_eq!(home.json(&["audit", "verify", "--json"])["intact"], true);
    let later = home.json(&["audit", "--since", "2999-01-01", "--json"]);
    assert_eq!(later["events"], json!([]));
}

#[test]
fn a_package_of_two_connections_outlives_one_of_its_grants() {
    let home = Home::new();
    imported(&home, "post", &letters(0..3));
    imported(&home, "old-post", &letters(0..4));
    let line = [
        "grant", "create", "--client", "agent", "--allow", "post", "--allow", "old-post", "--json",
    ];
    let issued = home.json(&line);
    let server = Running::serve(&home);
    let count = || {
        let page = server.get("/v1/streams/letters/records?limit=100", token(&issued));
        assert_eq!(page.status, 200, "{:?}", page.body);
        page.body["data"].as_array().unwrap().len()
    };
    assert_eq!(count(), 7);
    let first = issued["grants"][0]["grant_id"].as_str().unwrap();
    let ended = home.json(&["grant", "revoke", first, "--json"]);
    assert_eq!((&ended["packages"], &ended["grants"]), (&json!([]), &json!([first])));
    assert_eq!(count(), 4);
    let shown = home.json(&["grant", "show", "agent", "--json"]);
    assert_eq!(shown["packages"][0]["standing"], "live");
    assert_eq!(shown["packages"][0]["grants"][0]["standing"], "revoked");
}

#[test]
fn the_words_of_a_new_grant_contain_a_ready_command() {
    let home = Home::new();
    imported(&home, "post", &letters(0..3));
    let line = ["grant", "create", "--client", "agent", "--allow", "post/letters:subject"];
    let answer = home.run(&[&line[..], &["--expires", "2w", "--leave-out", "codes"]].concat());
    assert_eq!(answer.code, 0, "{}", answer.stderr);
    assert!(
        answer.stdout.contains("curl -H 'Authorization: Bearer pdpp_client_"),
        "{}",
        answer.stdout
    );
    assert!(answer.stdout.contains("key field id"), "{}", answer.stdout);
    let shown = home.json(&["grant", "show", "agent", "--json"]);
    assert_eq!(shown["packages"][0]["grants"][0]["leave_out_codes"], true);
}

#[test]
fn an_owner_token_reads_everything_until_it_is_revoked() {
    let home = Home::new();
    imported(&home, "post", &letters(0..3));
    let server = Running::serve(&home);
    let made = home.json(&["owner", "token", "create", "--label", "backup script", "--json"]);
    let page = server.get("/v1/streams/letters/records", token(&made));
    assert_eq!(page.body["data"][0]["data"]["secret"], "the spare key is under the mat");
    let listed = home.json(&["owner", "token", "list", "--json"]);
    assert_eq!(listed["tokens"][0]["fingerprint"], made["fingerprint"]);
    assert!(!listed.to_string().contains(token(&made)));
    let ended = home.json(&["owner", "token", "revoke", "backup script", "--json"]);
    assert_eq!(ended, json!({"revoked": 1}));
    assert_eq!(server.get("/v1/streams/letters/records", token(&made)).status, 401);
}
