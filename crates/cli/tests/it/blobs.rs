//! Files that come with an import, and what the audit log says about the owner's own doings.

use serde_json::{Value, json};

use crate::program::Home;
use crate::sample::{declaration, imported, letters};

fn with_file(id: &str, reference: &Value) -> String {
    let data = json!({"id": id, "subject": "see the file", "file": reference});
    json!({"type": "RECORD", "stream": "letters", "key": id, "data": data,
           "emitted_at": "2026-04-01T00:00:00Z"})
    .to_string()
}

#[test]
fn files_come_with_the_records_that_name_them() {
    let home = Home::new();
    let mut source = declaration();
    source["streams"][0]["schema"]["properties"]["file"] = json!({"type": "object"});
    let source = home.file("post.json", &source.to_string());
    std::fs::create_dir_all(home.path().join("files/sub")).unwrap();
    home.file("files/sub/note.txt", "marmalade");
    let digest = "8f20e3c2d2e0bfea4ae7dd5e6b0c1b5a0c7d4f5f4c7a6c8e3c3a5d3a6d3e9f10";
    let lines = [
        with_file("a", &json!({"blob_file": "sub/note.txt", "mime_type": "text/plain"})),
        with_file("b", &json!({"blob_file": "missing.txt"})),
        with_file("c", &json!({"blob_id": format!("blob_sha256_{digest}")})),
    ];
    let records = home.file("letters.jsonl", &lines.join("\n"));
    let files = home.path().join("files");
    let files = files.to_str().unwrap();
    let arguments = ["import", "jsonl", "--declaration", &source, &records, "--connection", "post"];
    let dry = home.run(&[&arguments[..], &["--blobs", files, "--dry-run", "--json"]].concat());
    assert_eq!(dry.code, 0, "{}", dry.stderr);
    let answer = home.run(&[&arguments[..], &["--blobs", files, "--json"]].concat());
    assert_eq!((answer.code, &answer.document()["added"]), (0, &json!(3)), "{}", answer.stderr);
    assert!(answer.stderr.contains("letters.jsonl line 2"), "{}", answer.stderr);
    let checked = home.json(&["verify", "--json"]);
    assert_eq!((&checked["blobs"], &checked["faults"]), (&json!(1), &json!([])));
    let again = home.run(&[&arguments[..], &["--blobs", files, "--json"]].concat());
    assert_eq!(again.document()["unchanged"], 3);

    let erased = home.json(&["connection", "remove", "post", "--yes", "--json"]);
    assert_eq!(erased["erased"]["blobs"], 1);
    let left = std::fs::read_dir(home.data_dir().join("blobs")).unwrap();
    let left = left.flat_map(|folder| std::fs::read_dir(folder.unwrap().path()).unwrap());
    assert_eq!(left.count(), 0, "no file is left");
}

#[test]
fn what_the_owner_does_is_in_the_audit_log() {
    let home = Home::new();
    let report = imported(&home, "post", &letters(0..3));
    home.json(&["connection", "rename", "post", "The post", "--json"]);
    home.json(&["connection", "remove", "post", "--yes", "--json"]);
    let events = home.json(&["audit", "--json"]);
    let events = events["events"].as_array().unwrap();
    let told: Vec<_> = events
        .iter()
        .map(|event| (event["operation"].as_str().unwrap(), event["connection_ids"][0].clone()))
        .collect();
    let id = &report["connection_id"];
    for operation in ["import", "rename_connection", "remove_connection"] {
        assert!(told.contains(&(operation, id.clone())), "{operation}: {told:?}");
    }
    assert_eq!(home.run(&["audit", "verify"]).code, 0);
}
