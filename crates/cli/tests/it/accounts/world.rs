//! A home with a mailbox on a server of the test's own.

use std::collections::BTreeMap;

use pdpp_testkit::dovecot::{Dovecot, PASSWORD, ToldChanges, USER};
use serde_json::{Value, json};

use crate::program::{Answer, Home};

const HELLO: &str = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}"#;

/// A home and a mail server.
pub struct World {
    pub home: Home,
    pub server: Dovecot,
}

/// What an agent sees of a message: its labels, and whether it is marked as deleted.
pub type Seen = (Vec<String>, bool);

impl World {
    /// An empty mailbox, and a home that knows nothing of it.
    pub fn new(changes: ToldChanges) -> Option<Self> {
        Some(Self { server: Dovecot::start(changes)?, home: Home::new() })
    }

    /// Adds the mailbox as `mail`, and lets an agent see it.
    pub fn add(&self) {
        let answer = self.add_at(self.server.port(), &[]);
        assert_eq!(answer.code, 0, "{}", answer.stderr);
        self.home.json(&["grant", "create", "--client", "agent", "--allow", "mail", "--json"]);
    }

    /// The same through another port, with more options.
    pub fn add_at(&self, port: u16, more: &[&str]) -> Answer {
        let password = self.home.file("password", &format!("{PASSWORD}\n"));
        let (port, certificate) = (port.to_string(), self.server.certificate());
        let certificate = certificate.to_str().unwrap();
        let mut line =
            vec!["account", "add", "imap", "mail", "--user", USER, "--host", "localhost"];
        line.extend(["--port", &port, "--ca-file", certificate, "--password-file", &password]);
        line.extend(["--json"]);
        line.extend(more);
        self.home.run(&line)
    }

    /// Syncs, which must succeed; the report.
    pub fn sync(&self) -> Value {
        let report = self.home.json(&["account", "sync", "mail", "--quiet", "--json"]);
        assert_eq!(report["accounts"][0]["fault"], Value::Null, "{report}");
        report["accounts"][0].clone()
    }

    /// Every message that an agent sees, by subject. No subject stands twice.
    pub fn seen(&self) -> BTreeMap<String, Seen> {
        let fields = json!(["subject", "labels", "deleted_at_source"]);
        let (mut seen, mut cursor) = (BTreeMap::new(), Value::Null);
        loop {
            let mut asked = json!({"stream": "messages", "fields": fields, "limit": 50});
            if !cursor.is_null() {
                asked["cursor"] = cursor;
            }
            let answer = self.ask("query_records", &asked);
            let answer = &answer["structuredContent"]["data"];
            for record in answer["data"].as_array().unwrap_or_else(|| panic!("{answer}")) {
                let data = &record["data"];
                let labels = data["labels"].as_array().cloned().unwrap_or_default();
                let labels = labels.iter().map(|label| label.as_str().unwrap().to_owned());
                let subject = data["subject"].as_str().unwrap_or_else(|| panic!("{record}"));
                let is_deleted = !data["deleted_at_source"].is_null();
                let before = seen.insert(subject.to_owned(), (labels.collect(), is_deleted));
                assert!(before.is_none(), "{subject} is there twice");
            }
            cursor = answer["next_cursor"].clone();
            if cursor.is_null() {
                return seen;
            }
        }
    }

    /// The store holds together.
    pub fn verify(&self) {
        let answer = self.home.run(&["verify"]);
        assert_eq!(answer.code, 0, "{}{}", answer.stdout, answer.stderr);
    }

    fn ask(&self, tool: &str, arguments: &Value) -> Value {
        let params = json!({"name": tool, "arguments": arguments});
        let call = json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": params});
        let input = format!("{HELLO}\n{call}\n");
        let said = self.home.run_with_input(&["mcp", "--client", "agent"], input.as_bytes());
        let answers =
            said.stdout.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
        let answer = answers.into_iter().find(|answer| answer["id"] == 2);
        let result = answer.unwrap_or_else(|| panic!("{}", said.stderr))["result"].clone();
        assert_ne!(result["isError"], true, "{result}");
        result
    }
}

/// A message with this subject; its number is its id.
pub fn message(number: usize, subject: &str) -> String {
    format!(
        "From: Bob <bob@example.org>\nTo: {USER}\nMessage-ID: <{number}@example.org>\nDate: Mon, 5 Jan \
         2026 10:{:02}:00 +0000\nSubject: {subject}\n\nDear Ann,\nthis is about {subject}.\n",
        number % 60
    )
}

/// What is seen of a message with these labels that is there.
pub fn labelled(labels: &[&str]) -> Seen {
    (labels.iter().map(ToString::to_string).collect(), false)
}
