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

#[cfg(unix)]
#[test]
fn a_refused_call_is_in_the_audit_log_once_a_minute() {
    let home = Home::new();
    imported(&home, "post", &letters(0..3));
    let create = ["grant", "create", "--client", "agent", "--allow", "post", "--json"];
    let issued = home.json(&create);
    let server = Running::alone(&home);
    home.json(&["grant", "revoke", "agent", "--json"]);
    for _ in 0..20 {
        assert_eq!(server.get("/v1/streams", token(&issued)).status, 403);
        assert_eq!(server.get("/mcp", token(&issued)).status, 401);
        assert_eq!(server.get("/v1/streams", "no token at all").status, 401);
    }
    let owner = home.json(&["owner", "token", "create", "--json"]);
    assert_eq!(server.get("/mcp", token(&owner)).status, 403);
    assert_eq!(server.terminate(), Some(0));

    let audit = home.json(&["audit", "--json"]);
    let refused: Vec<&Value> = audit["events"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|e| e["operation"] == "refused")
        .collect();
    assert_eq!(refused.len(), 2, "{refused:?}");
    assert_eq!(refused[0]["actor"], "unknown");
    assert_eq!(refused[0]["outcome"], "owner_credential_refused");
    assert_eq!(
        (&refused[1]["client"], &refused[1]["outcome"]),
        (&json!("agent"), &json!("grant_revoked"))
    );
    assert_eq!(refused[1]["package_id"], issued["package_id"]);
    assert!(!audit.to_string().contains(token(&issued)));
    assert_eq!(home.json(&["audit", "verify", "--json"])["intact"], true);
}

#[test]
fn the_audit_log_says_what_an_event_is_about_and_repeats_the_filters() {
    let home = Home::new();
    imported(&home, "post", &letters(0..3));
    for client in ["first agent", "second"] {
        home.json(&["grant", "create", "--client", client, "--allow", "post", "--json"]);
    }
    home.json(&["grant", "revoke", "first agent", "--json"]);
    let audit = home.json(&["audit", "--json"]);
    let about: Vec<&Value> =
        audit["events"].as_array().unwrap().iter().map(|event| &event["about_client"]).collect();
    assert_eq!(about[..3], [&json!("first agent"), &json!("second"), &json!("first agent")]);
    let words = home.run(&["audit", "--since", "2026-01-01", "--limit", "1"]).stdout;
    assert!(words.contains("ABOUT") && words.contains("first agent"), "{words}");
    let hint = "pdpp audit --since 2026-01-01T00:00:00Z --limit 1 --before ";
    assert!(words.contains(hint), "{words}");
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
    assert!(answer.stdout.contains("without one-time codes"), "{}", answer.stdout);
    let shown = home.json(&["grant", "show", "agent", "--json"]);
    assert_eq!(shown["packages"][0]["grants"][0]["leave_out_codes"], true);
}

#[test]
fn an_earlier_grant_of_the_same_agent_is_named_and_can_be_replaced() {
    let home = Home::new();
    imported(&home, "post", &letters(0..3));
    let server = Running::serve(&home);
    let line = ["grant", "create", "--client", "helper", "--allow", "post/letters:subject"];
    let first = home.json(&[&line[..], &["--json"]].concat());
    assert_eq!(first["also_live"], json!([]));
    let old = first["package_id"].as_str().unwrap();

    let second = home.run(&line);
    let hint = format!(
        "helper also has an earlier grant ({old}), active for whoever holds its token: \
         post/letters:id,subject; revoke it with pdpp grant revoke {old}"
    );
    assert!(second.stdout.contains(&hint), "{}", second.stdout);
    let here = "On this machine helper uses only the new grant. To combine them, repeat --allow in one \
                grant, with --replace to revoke the earlier ones.";
    assert!(second.stdout.contains(here), "{}", second.stdout);
    let kept = std::fs::read_to_string(home.data_dir().join("credentials/helper.json")).unwrap();
    assert!(!kept.contains(token(&first)), "the credential on this machine is the new one");
    assert_eq!(server.get("/v1/streams", token(&first)).status, 200);

    let third = home.json(&[&line[..], &["--json"]].concat());
    let live = third["also_live"].as_array().unwrap();
    assert_eq!((live.len(), &live[0]["package_id"]), (2, &first["package_id"]));

    let last = home.json(&[&line[..], &["--replace", "--json"]].concat());
    assert_eq!(last["also_live"], json!([]));
    let replaced = last["replaced"].as_array().unwrap();
    assert_eq!((replaced.len(), &replaced[0]), (3, &first["package_id"]));
    for ended in [&first, &third] {
        assert_eq!(server.get("/v1/streams", token(ended)).status, 403);
    }
    assert_eq!(server.get("/v1/streams", token(&last)).status, 200);
    let kept = std::fs::read_to_string(home.data_dir().join("credentials/helper.json")).unwrap();
    assert!(kept.contains(token(&last)), "the credential on this machine is the new one");

    let refused = home.run(&["grant", "create", "--client", "helper", "--allow", "x", "--replace"]);
    assert_eq!(refused.code, 1);
    let after = server.get("/v1/streams", token(&last));
    assert_eq!(after.status, 200, "what was refused replaces nothing");
}

#[test]
fn an_end_may_be_a_date_and_must_lie_ahead() {
    let home = Home::new();
    imported(&home, "post", &letters(0..1));
    let create = |expires| {
        let line = ["grant", "create", "--client", "a", "--allow", "post", "--expires", expires];
        home.run(&[&line[..], &["--json"]].concat())
    };
    assert_eq!(create("2100-01-31").document()["expires_at"], "2100-01-31T00:00:00Z");
    for (bad, words) in [
        ("2020-01-01", "in the past"),
        ("never", "every access ends some day"),
        ("3months", "'months' is no unit"),
    ] {
        let answer = create(bad);
        assert_eq!(answer.code, 64, "{bad}: {}", answer.stderr);
        assert!(answer.error().to_string().contains(words), "{bad}: {}", answer.stderr);
    }
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

#[cfg(unix)]
#[test]
fn a_grant_whose_token_reaches_nobody_is_not_issued() {
    let home = Home::new();
    imported(&home, "post", &letters(0..2));
    let create = ["grant", "create", "--client", "claude", "--allow", "post", "--json"];
    let live = |home: &Home| {
        let packages = home.json(&["grant", "list", "--json"])["packages"].clone();
        packages.as_array().unwrap().iter().filter(|one| one["standing"] == "live").count()
    };
    // The credential cannot be kept: a file stands where its directory should be.
    let credentials = home.data_dir().join("credentials");
    std::fs::write(&credentials, "").unwrap();
    let answer = home.run(&create);
    assert_eq!(answer.code, 1, "{}", answer.stderr);
    assert_eq!(live(&home), 0);
    std::fs::remove_file(&credentials).unwrap();
    // The token cannot be shown.
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = home.command(&create).stdout(full).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let words = String::from_utf8(output.stderr).unwrap();
    assert!(words.contains("nothing was issued"), "{words}");
    assert_eq!(live(&home), 0);
    let kept = |home: &Home| std::fs::read_to_string(credentials_of(home)).ok();
    assert_eq!(kept(&home), None, "no credential stays behind");
    // What was kept before comes back.
    home.json(&create);
    let before = kept(&home).unwrap();
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    assert_eq!(home.command(&create).stdout(full).output().unwrap().status.code(), Some(1));
    assert_eq!((live(&home), kept(&home)), (1, Some(before)));
}

fn credentials_of(home: &Home) -> std::path::PathBuf {
    home.data_dir().join("credentials").join("claude.json")
}
