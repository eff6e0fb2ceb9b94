//! A connection that is imported into with another declaration: nothing stops being readable unsaid.

use std::path::Path;

use serde_json::{Value, json};

use crate::program::Home;
use crate::sample::{self, imported, letters};

/// A file that the documentation comes with.
fn example(name: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap();
    root.join("docs/examples").join(name).to_str().unwrap().to_owned()
}

fn streams(home: &Home, connection: &str) -> Value {
    home.json(&["connection", "show", connection, "--json"])["streams"].clone()
}

#[test]
fn a_declaration_of_another_source_is_refused_unless_it_is_meant() {
    let home = Home::new();
    home.json(&["import", "mbox", &example("letters.mbox"), "--connection", "mail", "--json"]);
    let before = streams(&home, "mail");
    let (declaration, records) = (example("mail.json"), example("messages.jsonl"));
    let line = ["import", "jsonl", "--declaration", &declaration, &records];
    let line = [&line[..], &["--connection", "mail", "--json"]].concat();

    let refused = home.run(&line);
    assert_eq!(refused.code, 1, "{}", refused.stdout);
    let error = refused.error();
    assert_eq!(error["code"], "conflict");
    let said = error["message"].as_str().unwrap();
    for words in ["registry.pdpp.dev", "example.org", "--connection", "--replace-declaration"] {
        assert!(said.contains(words), "{words}: {said}");
    }
    assert_eq!(streams(&home, "mail"), before, "what was refused changes nothing");

    let report = home.json(&[&line[..], &["--replace-declaration"]].concat());
    assert_eq!(report["added"], 5);
    let gone = report["no_longer_declared"].as_array().unwrap();
    let of = |name: &str| gone.iter().find(|one| one["stream"] == name);
    assert_eq!(of("threads"), Some(&json!({"stream": "threads"})));
    let fields = of("messages").unwrap()["fields"].as_array().unwrap();
    assert!(fields.contains(&json!("body_text")), "{fields:?}");

    let mailbox = ["import", "mbox", &example("letters.mbox"), "--connection", "mail", "--json"];
    assert_eq!(home.run(&mailbox).error()["code"], "conflict", "nor the other way round");
}

#[test]
fn an_import_names_the_fields_and_streams_that_are_no_longer_declared() {
    let home = Home::new();
    let first = imported(&home, "post", &letters(0..3));
    assert_eq!(first.get("no_longer_declared"), None, "a new connection loses nothing");
    assert_eq!(imported(&home, "post", &letters(0..3)).get("no_longer_declared"), None);

    let mut smaller = sample::declaration();
    smaller["streams"].as_array_mut().unwrap().pop();
    let properties = smaller.pointer_mut("/streams/0/schema/properties").unwrap();
    properties.as_object_mut().unwrap().remove("secret");
    let declaration = home.file("smaller.json", &smaller.to_string());
    let records = home.file("letters.jsonl", &letters(0..3));
    let line = ["import", "jsonl", "--declaration", &declaration, &records, "--connection", "post"];

    let tried = home.run(&[&line[..], &["--dry-run"]].concat());
    assert!(tried.stdout.contains("Would no longer be declared"), "{}", tried.stdout);
    let answer = home.run(&line);
    assert_eq!(answer.code, 0, "{}", answer.stderr);
    let words =
        "No longer declared, so it can no longer be read or granted: letters:secret parcels";
    assert!(answer.stdout.contains(words), "{}", answer.stdout);
}
