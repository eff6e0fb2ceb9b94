//! Streams with very many fields: the same answer on every backend, and one that leads on.

use serde_json::{Map, Value, json};

use crate::program::Home;

/// More text fields than a row on Postgres holds.
const WIDE: usize = 460;

/// One store of each kind.
fn homes() -> impl Iterator<Item = Home> {
    [Some(Home::file_store()), Home::on_postgres()].into_iter().flatten()
}

fn names() -> Vec<String> {
    (0..WIDE).map(|number| format!("f{number}")).collect()
}

/// A source whose only stream groups by this many of its fields.
fn grouping_by(count: usize) -> String {
    let names = names();
    let text = |name: &String| (name.clone(), json!({"type": "string"}));
    let mut properties: Map<String, Value> = names.iter().map(text).collect();
    properties.insert("id".to_owned(), json!({"type": "string"}));
    let source = json!({
        "protocol_version": "0.1.0",
        "source": {"kind": "connector", "id": "https://example.org/connectors/survey"},
        "declaration_version": "1",
        "publisher": {"id": "https://example.org/publishers/me"},
        "display": {"name": "Survey"},
        "streams": [{
            "name": "answers",
            "semantics": "mutable_state",
            "schema": {"type": "object", "required": ["id"], "properties": properties},
            "primary_key": ["id"],
            "selection": {"fields": true, "resources": true},
            "query": {"aggregations": {"group_by": &names[..count]}},
        }],
    });
    source.to_string()
}

#[test]
fn a_declaration_that_is_too_wide_is_refused_with_what_to_do() {
    let mut data: Map<String, Value> =
        names().into_iter().map(|name| (name, json!("twenty letters, just"))).collect();
    data.insert("id".to_owned(), json!("a"));
    let record = json!({"type": "RECORD", "stream": "answers", "key": "a", "data": data,
        "emitted_at": "2026-01-01T00:00:00Z"});
    for home in homes() {
        let records = home.file("records.jsonl", &format!("{record}\n"));
        let import = |count: usize| {
            let declaration = home.file("declaration.json", &grouping_by(count));
            let line = ["import", "jsonl", "--declaration", &declaration, &records];
            home.run(&[&line[..], &["--connection", "survey", "--json"]].concat())
        };
        let refused = import(WIDE);
        assert_eq!(refused.code, 65, "{}", refused.stderr);
        let error = refused.error();
        assert_eq!(error["code"], "invalid_declaration");
        let fault = &error["faults"][0];
        assert_eq!(fault["code"], "source.declaration.too_many_typed_fields");
        assert_eq!(fault["path"], "/streams/0/query");
        let said = fault["message"].as_str().unwrap();
        assert!(said.contains("name fewer"), "{said}");
        assert!(said.contains("answers has 460, at most 300"), "{said}");

        let taken = import(300);
        assert_eq!(taken.code, 0, "{}", taken.stderr);
        assert_eq!(taken.document()["added"], 1);
    }
}

#[test]
fn a_wide_table_is_imported_whole() {
    let row = |number: usize| {
        let cells: Vec<String> = (0..WIDE).map(|at| format!("row {number} cell {at:08}")).collect();
        cells.join(",")
    };
    let rows: Vec<String> = (0..20).map(row).collect();
    let table = format!("{}\n{}\n", names().join(","), rows.join("\n"));
    for home in homes() {
        let file = home.file("wide.csv", &table);
        let line = ["import", "csv", &file, "--connection", "wide", "--json"];
        let report = home.json(&line);
        assert_eq!((&report["added"], &report["rejected"]), (&json!(20), &json!(0)), "{report}");
        let shown = home.json(&["connection", "show", "wide", "--json"]);
        let fields = shown["streams"][0]["fields"].as_array().unwrap();
        assert_eq!(fields.len(), WIDE + 1, "every field can be granted");
        let printed = home.json(&[&line[..5], &["--print-declaration", "--json"]].concat());
        let said = printed["streams"][0]["description"].as_str().unwrap();
        assert!(said.starts_with("300 of 460 fields"), "{said}");
        assert_eq!(home.json(&["verify", "--json"])["faults"], json!([]));
    }
}
