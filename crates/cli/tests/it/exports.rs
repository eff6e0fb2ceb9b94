//! `pdpp import FORMAT`: real exports through the program, twice, cut, mended and tried again.

use serde_json::{Value, json};

use crate::program::Home;
use crate::sample::record_count;

const MAIL: &str = "From x@y Mon Jan  5 10:00:00 2026\nFrom: Ann <ann@example.org>\n\
    Date: Mon, 5 Jan 2026 10:00:00 +0100\nMessage-ID: <1@example.org>\nSubject: Boiler\n\
    MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nThe plumber comes.\n\
    --b\nContent-Type: text/plain\nContent-Disposition: attachment; filename=plan.txt\n\ncall\n--b--\n\n\
    From x@y Mon Jan  5 11:00:00 2026\nFrom: Bo <bo@example.org>\nIn-Reply-To: <1@example.org>\n\
    Date: Mon, 5 Jan 2026 11:00:00 +0100\nMessage-ID: <2@example.org>\nSubject: Re: Boiler\n\nGood.\n\n";

fn counts(report: &Value) -> [u64; 4] {
    ["added", "changed", "unchanged", "rejected"].map(|name| report[name].as_u64().unwrap())
}

#[test]
fn a_mailbox_is_recognised_and_a_second_time_changes_nothing() {
    let home = Home::new();
    let mailbox = home.file("inbox", MAIL);
    let line = ["import", "auto", &mailbox, "--connection", "mail", "--json"];
    assert_eq!(counts(&home.json(&line)), [4, 0, 0, 0], "two messages, a thread, an attachment");
    assert_eq!(counts(&home.json(&line)), [0, 0, 4, 0]);
    assert_eq!(record_count(&home, "mail"), 4);
    let blobs = std::fs::read_dir(home.data_dir().join("blobs")).unwrap().count();
    assert!(blobs > 0, "the attachment is kept");
}

#[test]
fn a_dry_run_keeps_neither_records_nor_files() {
    let home = Home::new();
    let mailbox = home.file("inbox", MAIL);
    let line = ["import", "mbox", &mailbox, "--connection", "mail", "--json", "--dry-run"];
    assert_eq!(counts(&home.json(&line)), [4, 0, 0, 0]);
    let listed = home.run(&["connection", "list"]);
    assert_eq!(listed.code, 1);
    assert!(listed.stderr.contains("no store at"), "{}", listed.stderr);
}

#[test]
fn what_is_set_aside_can_be_tried_again_with_a_better_declaration() {
    let home = Home::new();
    let table = home.file("people.csv", "id,age\n1,30\n2,old\n");
    let found = ["import", "csv", &table, "--connection", "p", "--json", "--print-declaration"];
    let mut declaration = home.json(&found);
    let age = "/streams/0/schema/properties/age/type";
    *declaration.pointer_mut(age).unwrap() = json!("integer");
    declaration["streams"][0].as_object_mut().unwrap().remove("query");
    let strict = home.file("strict.json", &declaration.to_string());
    let line = ["import", "csv", &table, "--connection", "p", "--json", "--declaration", &strict];
    let answer = home.run(&line);
    assert_eq!(answer.code, 65, "{}", answer.stderr);
    assert_eq!(counts(&answer.document()), [1, 0, 0, 1]);
    let retry = ["import", "retry", "p", "--json"];
    assert_eq!(home.run(&retry).code, 65, "it fails for the same reason");
    let loose = home.run(&["import", "csv", &table, "--connection", "p", "--json"]);
    assert_eq!(loose.code, 0, "{}", loose.stderr);
    let report = home.json(&retry);
    assert_eq!((counts(&report), &report["quarantined"]), ([0, 0, 1, 0], &json!(0)));
}

#[test]
fn a_singer_tap_pipes_in_and_its_state_is_kept() {
    let home = Home::new();
    let tap = r#"{"type":"SCHEMA","stream":"users","schema":{"properties":{"id":{"type":"integer"},"name":{"type":"string"}}},"key_properties":["id"]}
{"type":"RECORD","stream":"users","record":{"id":1,"name":"Ann"}}
{"type":"STATE","value":{"users":1}}
"#;
    let line = ["import", "singer", "-", "--connection", "tap", "--json"];
    let answer = home.run_with_input(&line, tap.as_bytes());
    assert_eq!(answer.code, 0, "{}", answer.stderr);
    assert_eq!(counts(&answer.document()), [1, 0, 0, 0]);
    let state = std::fs::read_to_string(home.data_dir().join("singer/tap.state.json")).unwrap();
    assert_eq!(state.trim(), r#"{"users":1}"#);
    let left = std::fs::read_dir(home.data_dir()).unwrap().flatten();
    let spooled = left.filter(|entry| entry.file_name().to_string_lossy().starts_with("import-"));
    assert_eq!(spooled.count(), 0, "the copy of standard input is gone");
}

#[test]
fn nothing_to_import_is_bad_input() {
    let home = Home::new();
    let file = home.file("a.bin", "\u{1}\u{2}");
    let answer = home.run(&["import", "auto", &file, "--connection", "x"]);
    assert_eq!(answer.code, 65, "{}", answer.stdout);
    assert!(answer.stderr.contains("nothing to import"), "{}", answer.stderr);
}
