//! The owner's own look at the data, on the command line.

mod exporting;
mod looking;
mod rolling;

use serde_json::json;

use crate::program::{Answer, Home};
use crate::sample;

/// The sample's declaration, whose letters are searched.
pub fn declaration() -> serde_json::Value {
    let mut declaration = sample::declaration();
    let search = json!({"search": {"lexical_fields": ["subject", "body", "secret"]}});
    declaration["streams"][0]["query"] = search;
    declaration
}

/// Imports lines into an account whose letters are searched.
pub fn import(home: &Home, account: &str, lines: &str, more: &[&str]) -> Answer {
    let declaration = home.file("searched.json", &declaration().to_string());
    let records = home.file("searched.jsonl", lines);
    let line = ["import", "jsonl", "--declaration", &declaration, &records];
    home.run(&[&line[..], &["--connection", account][..], more].concat())
}

/// The same, which must succeed.
pub fn imported(home: &Home, account: &str, lines: &str) {
    let answer = import(home, account, lines, &[]);
    assert_eq!(answer.code, 0, "{}", answer.stderr);
}
