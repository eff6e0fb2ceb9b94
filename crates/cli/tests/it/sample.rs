//! A small source to import: letters with a date and a text, and parcels without either.

use std::fmt::Write;

use serde_json::{Value, json};

use crate::program::{Answer, Home};

/// The declaration as JSON.
pub fn declaration() -> Value {
    json!({
        "protocol_version": "0.1.0",
        "source": {"kind": "connector", "id": "https://example.org/connectors/post"},
        "declaration_version": "1",
        "publisher": {"id": "https://example.org/publishers/tests"},
        "display": {"name": "Post"},
        "streams": [
            {
                "name": "letters",
                "semantics": "mutable_state",
                "schema": {
                    "type": "object",
                    "properties": {
                        "id": {"type": "string"},
                        "subject": {"type": "string"},
                        "sent_at": {"type": "string", "format": "date-time"},
                        "body": {"type": "string"},
                        "secret": {"type": "string"}
                    },
                    "required": ["id", "subject"]
                },
                "primary_key": ["id"],
                "selection": {"fields": true, "resources": true},
                "cursor_field": "sent_at",
                "consent_time_field": "sent_at"
            },
            {
                "name": "parcels",
                "semantics": "append_only",
                "schema": {
                    "type": "object",
                    "properties": {"id": {"type": "string"}, "weight": {"type": "number"}},
                    "required": ["id"]
                },
                "primary_key": ["id"],
                "selection": {"fields": true, "resources": false}
            }
        ]
    })
}

/// One line for a letter.
pub fn letter(number: u64, body: &str) -> String {
    let day = 1 + number % 28;
    json!({
        "type": "RECORD",
        "stream": "letters",
        "key": format!("l{number}"),
        "data": {
            "id": format!("l{number}"),
            "subject": format!("Letter {number}"),
            "sent_at": format!("2026-03-{day:02}T08:00:00Z"),
            "body": body,
            "secret": "the spare key is under the mat",
        },
        "emitted_at": "2026-04-01T00:00:00Z",
    })
    .to_string()
}

/// So many letters, one per line.
pub fn letters(numbers: std::ops::Range<u64>) -> String {
    let mut lines = String::new();
    for number in numbers {
        writeln!(lines, "{}", letter(number, &format!("Dear reader {number}"))).unwrap();
    }
    lines
}

/// Imports `lines` into a connection.
pub fn import(home: &Home, connection: &str, lines: &str, more: &[&str]) -> Answer {
    let declaration = home.file("post.json", &declaration().to_string());
    let records = home.file("letters.jsonl", lines);
    let mut arguments = vec![
        "import",
        "jsonl",
        "--declaration",
        &declaration,
        &records,
        "--connection",
        connection,
    ];
    arguments.extend(more);
    home.run(&arguments)
}

/// Imports and answers the report, which must be clean.
pub fn imported(home: &Home, connection: &str, lines: &str) -> Value {
    let answer = import(home, connection, lines, &["--json"]);
    assert_eq!(answer.code, 0, "{}", answer.stderr);
    answer.document()
}

/// How many records a connection holds.
pub fn record_count(home: &Home, connection: &str) -> u64 {
    home.json(&["connection", "show", connection, "--json"])["record_count"].as_u64().unwrap()
}
