//! `pdpp history`: a shorter log expires the bookmarks that miss something, and no others.

use serde_json::json;

use crate::program::Home;
use crate::running::Running;
use crate::sample::{imported, letter};

#[test]
fn pruning_ends_old_bookmarks() {
    let home = Home::new();
    for word in ["one", "two", "three"] {
        imported(&home, "post", &letter(0, word));
    }
    let grant = home.json(&["grant", "create", "--client", "a", "--allow", "post", "--json"]);
    let token = grant["access_token"].as_str().unwrap();
    let server = Running::start(&home, &["serve", "--json", "--listen", "127.0.0.1:0"]);
    let path = "/v1/streams/letters/records?changes_since=";
    let first = server.get(&format!("{path}beginning"), token);
    let bookmark = first.body["next_changes_since"].as_str().unwrap().to_owned();
    for word in ["four", "five", "six"] {
        imported(&home, "post", &letter(0, word));
    }
    assert_eq!(home.json(&["history", "show", "--json"])["changes"], 6);
    assert_eq!(server.get(&format!("{path}{bookmark}"), token).status, 200);
    let kept = home.json(&["history", "prune", "--keep-changes", "6", "--json"]);
    assert_eq!(kept["forgotten_versions"], 0);
    let pruned = home.json(&["history", "prune", "--keep-changes", "0", "--json"]);
    assert!(pruned["forgotten_versions"].as_u64().unwrap() > 0);
    let expired = server.get(&format!("{path}{bookmark}"), token);
    assert_eq!((expired.status, &expired.body["error"]["code"]), (410, &"cursor_expired".into()));
    assert_eq!(server.get(&format!("{path}beginning"), token).status, 200);
}

#[test]
fn what_is_kept_is_a_setting_that_is_shown_and_audited() {
    let home = Home::new();
    imported(&home, "post", &letter(0, "one"));
    let first = home.json(&["history", "--json"]);
    assert_eq!(first["keep"], json!({"audit_days": 400, "version_days": 400}), "{first}");
    assert!(first["audit_events"].as_u64().unwrap() > 0 && first["audit_from"].is_string());
    let line = ["history", "keep", "--audit", "30d", "--versions", "forever", "--json"];
    let kept = home.json(&line);
    assert_eq!(kept["keep"], json!({"audit_days": 30, "version_days": null}), "{kept}");
    let events = home.json(&["audit", "--limit", "2", "--json"]);
    let operations: Vec<_> = events["events"].as_array().unwrap().iter().collect();
    assert!(operations.iter().all(|event| event["operation"] == "settings_change"), "{events}");
    for line in [&["history", "keep"][..], &["history", "keep", "--audit", "0d"]] {
        assert_eq!(home.run(line).code, 64, "{line:?}");
    }
    // Nothing is old yet.
    let pruned = home.json(&["history", "prune", "--json"]);
    assert_eq!(
        (&pruned["forgotten_versions"], &pruned["removed_audit_events"]),
        (&json!(0), &json!(0))
    );
}

#[test]
fn a_pruned_audit_log_says_from_when_it_reaches_and_is_verified_from_there() {
    let home = Home::new();
    imported(&home, "post", &letter(0, "one"));
    home.json(&["grant", "create", "--client", "a", "--allow", "post", "--json"]);
    let before = home.json(&["audit", "verify", "--json"]);
    assert!(before.get("pruned_until").is_none(), "{before}");
    let removed = home.json(&["history", "prune", "--audit-before", "2100-01-01", "--json"]);
    assert_eq!(removed["removed_audit_events"], before["events"], "{removed}");
    let after = home.json(&["audit", "verify", "--json"]);
    assert_eq!((&after["intact"], &after["pruned_events"]), (&json!(true), &before["events"]));
    let listed = home.json(&["audit", "--json"]);
    assert_eq!(listed["events"][0]["operation"], "audit_pruned", "{listed}");
    assert_eq!(listed["log_from"], listed["events"][0]["at"]);
    assert_eq!(listed["pruned_until"], after["pruned_until"]);
    assert_eq!(home.json(&["verify", "--json"])["faults"], json!([]));
    // A copy of it is verified in the same way.
    let copy = home.path().join("copy");
    home.json(&["backup", copy.to_str().unwrap(), "--json"]);
    let there = Home::file_store();
    there.json(&["restore", copy.to_str().unwrap(), "--json"]);
    assert_eq!(there.json(&["audit", "verify", "--json"])["intact"], true);
}
