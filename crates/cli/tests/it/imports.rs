//! `pdpp import jsonl`: what comes in, what is refused, and what a second time changes.

use serde_json::json;

use crate::program::Home;
use crate::sample::{self, declaration, import, imported, letter, letters, record_count};

#[test]
fn a_second_import_changes_nothing() {
    let home = Home::new();
    let first = imported(&home, "post", &letters(0..50));
    assert_eq!((&first["added"], &first["unchanged"]), (&json!(50), &json!(0)));
    let second = imported(&home, "post", &letters(0..50));
    assert_eq!(second["connection_id"], first["connection_id"]);
    assert_eq!((&second["added"], &second["changed"]), (&json!(0), &json!(0)));
    assert_eq!(second["unchanged"], 50);
    assert_eq!(record_count(&home, "post"), 50);
    let said = import(&home, "post", &letters(0..50), &[]).stderr;
    assert_eq!(said, "read 50 items\n", "nothing was changed, so nothing was saved");
}

#[test]
fn changes_and_deletions_are_counted() {
    let home = Home::new();
    imported(&home, "post", &letters(0..3));
    let deletion = json!({
        "type": "RECORD", "stream": "letters", "key": "l2", "op": "delete",
        "emitted_at": "2026-04-02T00:00:00Z",
    });
    let lines =
        format!("{}\n\n{}\r\n{deletion}", letter(0, "Dear reader 0"), letter(1, "Other words"));
    let report = imported(&home, "post", &lines);
    let counts = ["seen", "added", "changed", "unchanged", "deleted", "rejected"];
    let counts: Vec<u64> = counts.iter().map(|name| report[*name].as_u64().unwrap()).collect();
    assert_eq!(counts, [3, 0, 1, 1, 1, 0]);
    assert_eq!(record_count(&home, "post"), 2);
}

#[test]
fn refused_lines_exit_with_65_and_the_good_ones_are_kept() {
    let home = Home::new();
    let lines =
        format!("{}\nnot json\n\n{}\n{{\"stream\":\"letters\"}}\n", letter(0, "a"), letter(1, "b"));
    let answer = import(&home, "post", &lines, &["--json"]);
    assert_eq!(answer.code, 65, "{}", answer.stderr);
    let report = answer.document();
    assert_eq!(
        (&report["seen"], &report["added"], &report["rejected"]),
        (&json!(4), &json!(2), &json!(2))
    );
    let places: Vec<u64> = report["rejections"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["position"].as_u64().unwrap())
        .collect();
    assert_eq!(places, [2, 5], "blank lines count");
    assert_eq!(report["rejections"][0]["source"], "letters.jsonl");
    assert_eq!(record_count(&home, "post"), 2);
    let shown = home.json(&["connection", "show", "post", "--json"]);
    assert_eq!(shown["quarantined"], 2);
    let words = import(&home, "post", &lines, &[]);
    assert_eq!(words.code, 65);
    assert!(words.stdout.contains("letters.jsonl line 2: "), "{}", words.stdout);
}

#[test]
fn a_file_of_plain_objects_gets_one_hint_and_leaves_no_connection() {
    let home = Home::new();
    let lines = "{\"id\":\"1\",\"title\":\"milk\"}\n".repeat(30);
    let answer = import(&home, "plain", &lines, &[]);
    assert_eq!(answer.code, 65);
    let said = &answer.stdout;
    assert!(said.starts_with("Read 30 lines for plain: 0 added"), "{said}");
    assert!(
        said.contains("letters.jsonl lines 1-30: this is a plain object; wrap it as"),
        "{said}"
    );
    assert!(said.contains("docs/declarations.md"), "{said}");
    assert!(said.contains("plain was not created"), "{said}");
    assert_eq!(said.lines().count(), 3, "{said}");
    assert_eq!(home.json(&["connection", "list", "--json"]), json!({"connections": []}));
    assert_eq!(imported(&home, "plain", &letters(0..1))["added"], 1);
}

#[test]
fn lines_refused_before_the_first_good_one_are_kept_with_it() {
    let home = Home::new();
    let lines = format!("{}{}", "nonsense\n".repeat(3), letters(0..1));
    assert_eq!(import(&home, "post", &lines, &[]).code, 65);
    let shown = home.json(&["connection", "show", "post", "--json"]);
    assert_eq!((&shown["quarantined"], &shown["record_count"]), (&json!(3), &json!(1)));
}

#[test]
fn a_refusal_says_what_was_expected_and_repeats_no_content() {
    let home = Home::new();
    let line = |stream: &str, key: &str, more: serde_json::Value| {
        let mut line = json!({
            "type": "RECORD", "stream": stream, "key": key, "emitted_at": "2026-04-01T00:00:00Z",
        });
        line.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        line.to_string()
    };
    let parcel = |data| line("parcels", "p1", json!({ "data": data }));
    let lines = [
        parcel(json!({"id": "p1", "weight": 2})),
        line("letters", "l1", json!({"data": {"id": "l1", "subject": 77_123}})),
        parcel(json!({"id": "p1", "weight": 3})),
        line("letters", "l1", json!({"data": {"id": "l1"}})),
        line("parcels", "p1", json!({"op": "delete"})),
        line("leters", "l1", json!({"data": {"id": "l1"}})),
        line("letters", "l1", json!({"data": {"id": "l1"}, "extra": 1})),
    ];
    let said = import(&home, "post", &lines.join("\n"), &[]).stdout;
    let expected = [
        "line 2: /subject must be a string [invalid_record]",
        "line 3: the stream only grows: a record with this key is there with other data",
        "line 4: /subject is missing [invalid_record]",
        "line 5: the stream only grows: its records cannot be deleted one by one",
        "line 6: the declaration has no stream of this name; it has letters, parcels",
        "line 7: unknown member \"extra\"; a record line has type, stream, key, data, emitted_at, op",
    ];
    let refusals: Vec<&str> = said.lines().filter(|line| line.starts_with("  ")).collect();
    assert_eq!(refusals.len(), expected.len(), "{said}");
    for (line, expected) in refusals.iter().zip(expected) {
        assert!(line.contains(expected), "{line:?}, {expected:?}");
    }
    assert!(!said.contains("77123"), "{said}");
}

#[test]
fn an_unknown_member_of_a_declaration_is_told_the_known_ones() {
    let home = Home::new();
    let mut bad = declaration();
    bad["streams"][0]["primarykey"] = json!(["id"]);
    let bad = home.file("bad.json", &bad.to_string());
    let records = home.file("letters.jsonl", &letters(0..1));
    let line = ["import", "jsonl", "--declaration", &bad, &records, "--connection", "post"];
    let answer = home.run(&line);
    assert_eq!(answer.code, 65);
    assert!(
        answer.stderr.contains("known are: name, semantics, schema, primary_key"),
        "{}",
        answer.stderr
    );
}

#[test]
fn a_dry_run_changes_nothing() {
    let home = Home::new();
    let answer = import(&home, "post", &letters(0..3), &["--json", "--dry-run"]);
    assert_eq!(answer.code, 0, "{}", answer.stderr);
    let report = answer.document();
    assert_eq!((&report["added"], &report["dry_run"]), (&json!(3), &json!(true)));
    assert!(!home.data_dir().exists(), "no store is made");
    imported(&home, "post", &letters(0..3));
    let answer = import(&home, "post", &letters(0..5), &["--json", "--dry-run"]);
    let report = answer.document();
    assert_eq!((&report["added"], &report["unchanged"]), (&json!(2), &json!(3)));
    assert_eq!(record_count(&home, "post"), 3);
}

#[test]
fn a_bad_declaration_exits_with_65_and_names_every_place() {
    let home = Home::new();
    let mut bad = declaration();
    bad["streams"][0]["primary_key"] = json!(["nothing"]);
    bad["streams"][1]["cursor_field"] = json!("nowhere");
    let declaration = home.file("bad.json", &bad.to_string());
    let records = home.file("letters.jsonl", &letters(0..1));
    let line = ["import", "jsonl", "--declaration", &declaration, &records, "--connection", "post"];
    let answer = home.run(&line);
    assert_eq!(answer.code, 65);
    for pointer in ["/streams/0/primary_key/0", "/streams/1/cursor_field"] {
        assert!(answer.stderr.contains(pointer), "{}", answer.stderr);
    }
    let answer = home.run(&[&line[..], &["--json"]].concat());
    assert_eq!(answer.code, 65);
    let error = answer.error();
    assert_eq!(error["code"], "invalid_declaration");
    assert_eq!(error["faults"][0]["path"], "/streams/0/primary_key/0");
    assert_eq!(error["faults"][0]["code"], "source.declaration.unknown_schema_field");
    assert!(!home.data_dir().exists(), "nothing was opened");
}

#[test]
fn files_that_cannot_be_read_are_refused_before_anything_happens() {
    let home = Home::new();
    let good = home.file("post.json", &declaration().to_string());
    let records = home.file("letters.jsonl", &letters(0..1));
    let directory = home.path().to_str().unwrap().to_owned();
    for (declaration, last) in
        [("none.json", &records), (&*good, &"none.jsonl".to_owned()), (&good, &directory)]
    {
        let line = [
            "import",
            "jsonl",
            "--declaration",
            declaration,
            &records,
            last,
            "--connection",
            "post",
        ];
        let answer = home.run(&line);
        assert_eq!(answer.code, 65, "{}", answer.stderr);
    }
    assert!(!home.data_dir().exists());
}

#[test]
fn records_come_from_several_files_and_from_standard_input() {
    let home = Home::new();
    let declaration = home.file("post.json", &declaration().to_string());
    let first = home.file("first.jsonl", &letters(0..2));
    let line = [
        "import",
        "jsonl",
        "--declaration",
        &declaration,
        &first,
        "-",
        "--connection",
        "post",
        "--json",
    ];
    let answer = home.run_with_input(&line, letters(2..5).as_bytes());
    assert_eq!(answer.code, 0, "{}", answer.stderr);
    assert_eq!(answer.document()["added"], 5);
}

#[test]
fn progress_is_plain_lines_without_a_terminal_and_nothing_when_quiet() {
    let home = Home::new();
    let answer = import(&home, "post", &letters(0..3), &["--json"]);
    assert_eq!(answer.stderr, "read 3 items; changes are saved\n");
    let answer = import(&home, "post", &letters(0..3), &["--json", "--quiet"]);
    assert_eq!(answer.stderr, "");
}

#[test]
fn an_import_works_while_a_server_runs_and_is_seen_at_once() {
    let home = Home::new();
    imported(&home, "post", &letters(0..3));
    let server = crate::running::Running::serve(&home);
    let token = home.json(&["owner", "token", "create", "--json"]);
    let token = token["access_token"].as_str().unwrap();
    let count = || {
        let reply = server.get("/v1/streams/letters/records?limit=1&count=exact", token);
        assert_eq!(reply.status, 200, "{:?}", reply.body);
        reply.body["meta"]["count"]["value"].as_u64()
    };
    assert_eq!(count(), Some(3));
    sample::imported(&home, "post", &letters(0..10));
    assert_eq!(count(), Some(10));
}
