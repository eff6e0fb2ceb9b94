//! What is asked of a store, now and of every later program. Only what a release promises to keep is
//! noted, so that an answer may gain members.

use serde_json::{Value, json};

use crate::connect::owner::PASSWORD;
use crate::program::Home;
use crate::running::Running;

/// What the commands say about the store. It changes nothing.
pub fn told_by_commands(home: &Home) -> Value {
    let checked = home.json(&["verify", "--json"]);
    assert_eq!(checked["faults"], json!([]));
    let counts = ["connections", "records", "texts", "blobs"];
    let counts: Value = counts.iter().map(|name| (*name, checked[*name].clone())).collect();
    let connections = home.json(&["connection", "list", "--json"]);
    let connections = picked(&connections["connections"], CONNECTION);
    let packages = home.json(&["grant", "list", "--json"]);
    let owner_tokens = home.json(&["owner", "token", "list", "--json"]);
    let shown = home.json(&["connection", "show", "slack", "--json"]);
    json!({
        "counts": counts,
        "connections": connections,
        "packages": picked(&packages["packages"], PACKAGE),
        "owner_tokens": picked(&owner_tokens["tokens"], &["fingerprint", "label", "revoked_at"]),
        "quarantined": shown["quarantined"],
        "audit": audit(home),
    })
}

const CONNECTION: &[&str] =
    &["connection_id", "name", "display_name", "connector_key", "record_count", "created_at"];
const PACKAGE: &[&str] =
    &["package_id", "client", "access_mode", "created_at", "expires_at", "revoked_at"];

/// The log up to what was noted, event by event.
fn audit(home: &Home) -> Value {
    let verified = home.json(&["audit", "verify", "--json"]);
    assert_eq!(verified["intact"], true, "{verified}");
    let events = home.json(&["audit", "--limit", "100000", "--json"]);
    let mut events = events["events"].as_array().unwrap().clone();
    events.reverse();
    Value::Array(events)
}

/// Chosen members of each object of a list.
fn picked(list: &Value, names: &[&str]) -> Value {
    let one = |item: &Value| -> Value {
        names.iter().map(|name| (*name, item.get(*name).cloned().unwrap_or_default())).collect()
    };
    list.as_array().unwrap().iter().map(one).collect()
}

/// What the server says to the holders of what was noted.
pub fn told_by_server(server: &Running, noted: &Value) -> Value {
    let token = |name: &str| noted["tokens"][name].as_str().unwrap();
    let get = |path: &str, name: &str| server.get(path, token(name));
    let read = |path: &str, name: &str| {
        let answer = get(path, name);
        assert_eq!(answer.status, 200, "{name}: {path}: {:?}", answer.body);
        answer.body
    };
    let list = "/v1/streams/letters/records?limit=100&order=asc";
    let mut told = json!({});
    for name in ["all", "narrow", "timed", "once"] {
        told["letters"][name] = records(&read(list, name));
    }
    for name in ["all", "no-codes"] {
        told["messages"][name] = records(&read("/v1/streams/messages/records?limit=100", name));
    }
    for stream in ["conversations", "events", "contacts", "plays", "users", "attachments"] {
        let path = format!("/v1/streams/{stream}/records?limit=100");
        told["other"][stream] = records(&read(&path, "all"));
    }
    let window = "/v1/streams/letters/records/l50/field-window?field=body&offset_chars=27990";
    told["window"] = read(window, "all")["window"]["text"].clone();
    for words in ["plumber", "long%20letter", "kitchen%20tiles", "valve"] {
        let found = read(&format!("/v1/search?q={words}&limit=20"), "all");
        let mut ids: Vec<Value> = found["data"].as_array().unwrap().iter().map(place).collect();
        ids.sort_by_key(ToString::to_string);
        told["search"][words] = json!(ids);
    }
    let file = read("/v1/streams/letters/records/f", "all");
    let file = if file.get("data").is_some() { &file["data"] } else { &file };
    let blob = file["file"]["blob_id"].as_str().unwrap();
    told["blob"] = read(&format!("/v1/blobs/{blob}"), "all");
    let bookmark = noted["bookmark"].as_str().unwrap();
    let changed = read(&format!("/v1/streams/letters/records?changes_since={bookmark}"), "all");
    told["changes"] = records(&changed);
    for name in ["ended", "owner-ended"] {
        let refused = get("/v1/streams", name);
        told["refused"][name] = json!([refused.status, refused.error_code()]);
    }
    told["owner"] = json!(get("/v1/streams", "owner").status);
    told
}

/// The id and the content of each record, in its order.
fn records(page: &Value) -> Value {
    let one = |record: &Value| json!([record["id"], record["deleted"], record["data"]]);
    page["data"].as_array().unwrap().iter().map(one).collect()
}

fn place(hit: &Value) -> Value {
    json!([hit["connection_id"], hit["stream"], hit["record_key"]])
}

/// Whether the owner's password still signs in, and no other one.
pub fn password_opens(server: &Running) {
    let agent = ureq::Agent::config_builder().http_status_as_error(false).max_redirects(0);
    let agent: ureq::Agent = agent.build().into();
    let sign_in = |password: &str| {
        let url = format!("{}/owner/login", server.base_url());
        let request = agent.post(&url).header("Origin", server.base_url());
        request.send_form([("password", password), ("next", "")]).unwrap().status().as_u16()
    };
    assert_ne!(sign_in("three loud words"), 303);
    assert_eq!(sign_in(PASSWORD), 303);
}

/// A cursor is short-lived: it goes on where it was, or is refused by name.
pub fn cursors_go_on_or_are_refused(server: &Running, noted: &Value) {
    let token = noted["tokens"]["all"].as_str().unwrap();
    let cursor = |name: &str| noted[name].as_str().unwrap_or_else(|| panic!("{name}")).to_owned();
    let list = "/v1/streams/letters/records";
    for path in [
        format!("{list}?limit=5&order=asc&cursor={}", cursor("list_cursor")),
        format!("/v1/search?q=boiler&limit=1&cursor={}", cursor("search_cursor")),
        format!("{list}/l50/field-window?field=body&cursor={}", cursor("window_cursor")),
    ] {
        let answer = server.get(&path, token);
        let refusals = ["invalid_cursor", "cursor_expired", "stale_cursor"];
        let is_fine = answer.status == 200 || refusals.contains(&answer.error_code());
        assert!(is_fine, "{path}: {} {:?}", answer.status, answer.body);
    }
}

/// A client that signed in renews its token, until its sign-in has ended by its age.
pub fn sign_in_goes_on_or_has_ended(server: &Running, noted: &Value) {
    let kept = |pointer: &str| noted["sign_in"].pointer(pointer).and_then(Value::as_str).unwrap();
    let agent = ureq::Agent::config_builder().http_status_as_error(false).build();
    let agent: ureq::Agent = agent.into();
    let form = [
        ("grant_type", "refresh_token"),
        ("refresh_token", kept("/credential/refresh_token")),
        ("client_id", kept("/client/client_id")),
    ];
    let url = format!("{}/oauth/token", server.base_url());
    let mut answer = agent.post(&url).send_form(form).unwrap();
    let text = answer.body_mut().read_to_string().unwrap();
    let document: Value = serde_json::from_str(&text).unwrap();
    let is_renewed = answer.status() == 200 && document["access_token"].is_string();
    assert!(is_renewed || document["error"] == "invalid_grant", "{text}");
}
