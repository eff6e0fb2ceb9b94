//! Fills a store with something of everything a release keeps, and notes what its clients were given.

use std::fs;

use serde_json::{Value, json};

use super::exports;
use crate::connect::owner::Owner;
use crate::connect::{finish, kept, line_with, start};
use crate::program::Home;
use crate::running::Running;
use crate::sample::{declaration, imported, letter, letters};

/// As long as an access may last: a fixture is opened by programs of later years.
const LONG: &str = "36000d";

/// Fills the store of `home`; answers the tokens, bookmarks and cursors that clients would have kept.
pub fn fill(home: &Home) -> Value {
    import_everything(home);
    let tokens = issue(home);
    home.json(&["history", "prune", "--keep-changes", "20", "--json"]);
    let server = Running::alone(home);
    let mut noted = json!({ "tokens": tokens, "sign_in": sign_in(home, &server) });
    let all = noted["tokens"]["all"].as_str().unwrap().to_owned();
    let read = |path: &str| {
        let answer = server.get(path, &all);
        assert_eq!(answer.status, 200, "{path}: {:?}", answer.body);
        answer.body
    };
    let list = "/v1/streams/letters/records";
    noted["bookmark"] =
        read(&format!("{list}?changes_since=beginning"))["next_changes_since"].take();
    noted["list_cursor"] = read(&format!("{list}?limit=5&order=asc"))["next_cursor"].take();
    noted["search_cursor"] = read("/v1/search?q=boiler&limit=1")["next_cursor"].take();
    let window = format!("{list}/l50/field-window?field=body&limit_chars=100");
    noted["window_cursor"] = read(&window)["window"]["next_cursor"].take();
    assert_eq!(server.terminate(), Some(0));
    // What the bookmark leads to.
    imported(home, "post", &letter(1, "changed after the bookmark"));
    let gone = json!({"type": "RECORD", "stream": "letters", "key": "l2", "data": {"id": "l2"},
                      "emitted_at": "2026-04-02T00:00:00Z", "op": "delete"});
    imported(home, "post", &gone.to_string());
    noted
}

fn import_everything(home: &Home) {
    for export in exports::ALL {
        let path = export.write(home);
        let line = ["import", export.format, &path, "--connection", export.connection, "--json"];
        let answer = home.run(&line);
        assert!([0, 65].contains(&answer.code), "{}: {}", export.format, answer.stderr);
        assert!(answer.document()["added"].as_u64().unwrap() > 0, "{}", export.format);
    }
    imported(home, "post", &letters(0..12));
    imported(home, "post", &letters(0..4).replace("Dear reader", "Dearest reader"));
    imported(home, "post", &letter(50, &"a long letter ".repeat(2_000)));
    imported(home, "gone", &letters(0..3));
    home.json(&["connection", "remove", "gone", "--yes", "--json"]);
    let mut source = declaration();
    source["streams"][0]["schema"]["properties"]["file"] = json!({"type": "object"});
    let source = home.file("files.json", &source.to_string());
    fs::create_dir_all(home.path().join("files")).unwrap();
    home.file("files/note.txt", &"marmalade ".repeat(500));
    let data = json!({"id": "f", "subject": "see", "file": {"blob_file": "note.txt"}});
    let line = json!({"type": "RECORD", "stream": "letters", "key": "f", "data": data,
                      "emitted_at": "2026-04-01T00:00:00Z"});
    let records = home.file("with-file.jsonl", &line.to_string());
    let files = home.path().join("files");
    let import = ["import", "jsonl", "--declaration", &source, &records, "--connection", "files"];
    home.json(&[&import[..], &["--blobs", files.to_str().unwrap(), "--json"]].concat());
    home.json(&["connection", "rename", "mail", "Work mail", "--json"]);
}

/// Accesses of every kind, by the names of their clients.
fn issue(home: &Home) -> Value {
    let mut tokens = json!({});
    let mut grant = |client: &str, options: &[&str]| {
        let line = ["grant", "create", "--client", client, "--json"];
        let issued = home.json(&[&line[..], options].concat());
        tokens[client] = issued["access_token"].clone();
    };
    let everything: Vec<&str> = exports::ALL
        .iter()
        .map(|export| export.connection)
        .chain(["post", "files"])
        .flat_map(|connection| ["--allow", connection])
        .chain(["--expires", LONG])
        .collect();
    grant("all", &everything);
    grant("narrow", &["--allow", "post/letters:subject,sent_at", "--expires", LONG]);
    grant("timed", &["--allow", "post/letters@2026-03-05..2026-03-09", "--expires", LONG]);
    grant("no-codes", &["--allow", "mail", "--leave-out", "codes", "--expires", LONG]);
    grant("once", &["--allow", "post", "--access", "single_use", "--expires", LONG]);
    grant("short", &["--allow", "post", "--expires", "30m"]);
    grant("ended", &["--allow", "post", "--expires", LONG]);
    home.json(&["grant", "revoke", "ended", "--json"]);
    let owner = |label: &str| {
        let line = ["owner", "token", "create", "--label", label, "--expires", LONG, "--json"];
        home.json(&line)["access_token"].clone()
    };
    tokens["owner"] = owner("laptop");
    tokens["owner-ended"] = owner("old laptop");
    home.json(&["owner", "token", "revoke", "old laptop", "--json"]);
    tokens
}

/// A client that registered itself and signed in; its owner is signed in too.
fn sign_in(home: &Home, server: &Running) -> Value {
    let owner = Owner::of_store(home, server, &[]);
    let client = Home::file_store();
    let (child, mut stderr) = start(&client, server.base_url(), &[]);
    let back = owner.decide(&line_with(&mut stderr, "http://127.0.0.1"), "allow");
    assert_eq!(owner.open(&back).status, 200, "{back}");
    assert_eq!(finish(child, stderr).0, 0);
    kept(&client).1
}
