//! What one whole journey costs a client in bytes, and what a start costs in time and memory.

use serde_json::{Value, json};

use super::lane::{CLASSES, Class};
use super::view::View;
use super::wire::{MODERN, Wire};
use crate::program::Home;
use crate::running::Running;

/// The most that one journey may bring to a model, whatever its client shows.
const MOST_BYTES: usize = 24 * 1024;

#[test]
fn a_whole_journey_stays_within_its_bytes_for_every_class() {
    let home = Home::new();
    let demo = Running::demo(&home);
    let (url, token) =
        (demo.ready["mcp_url"].as_str().unwrap(), demo.ready["access_token"].as_str().unwrap());
    for class in CLASSES {
        let mut bill = Bill { wire: Wire::http(url, token, MODERN), class, parts: Vec::new() };
        let tools = bill.wire.request("tools/list", json!({})).unwrap();
        bill.parts.push(("tools/list", tools["tools"].to_string().len()));
        bill.call("schema", json!({}));
        bill.call("schema", json!({"stream": "messages"}));
        let asked = json!({"query": "boiler installation", "limit": 3, "streams": ["messages"]});
        let found = bill.call("search", asked);
        let document = bill.call("fetch", json!({"id": found.first_id()}));
        assert!(document.data["text"].as_str().unwrap().chars().count() < 2_000);
        let notes =
            json!({"query": "retrospective raw transcript", "limit": 1, "streams": ["notes"]});
        // Only prepares the next call, so it is not on the bill.
        let notes = bill.ask("search", &notes);
        let id = View::of(Class::Structured, &notes).first_id();
        let window = json!({"id": id, "field_path": "body", "limit_chars": 2048});
        let window = bill.call("read_record_field", window).window();
        assert_eq!(window.text.chars().count(), 2_048);
        let total: usize = bill.parts.iter().map(|(_, bytes)| bytes).sum();
        println!("{class:?}: {total} bytes: {:?}", bill.parts);
        assert!(total < MOST_BYTES, "{class:?}: {total} bytes: {:?}", bill.parts);
    }
}

/// What a journey has cost so far.
struct Bill {
    wire: Wire,
    class: Class,
    parts: Vec<(&'static str, usize)>,
}

impl Bill {
    fn ask(&mut self, tool: &str, arguments: &Value) -> Value {
        let params = json!({"name": tool, "arguments": arguments});
        let answer = self.wire.request("tools/call", params).unwrap();
        assert_ne!(answer["isError"], true, "{tool}: {answer}");
        answer
    }

    #[expect(
        clippy::needless_pass_by_value,
        reason = "arguments are written where they are passed"
    )]
    fn call(&mut self, tool: &'static str, arguments: Value) -> View {
        let answer = self.ask(tool, &arguments);
        self.parts.push((tool, shown(self.class, &answer)));
        View::of(Class::Structured, &answer)
    }
}

/// Bytes of the part of an answer that this class of client shows.
fn shown(class: Class, answer: &Value) -> usize {
    match class {
        Class::Structured => answer["structuredContent"].to_string().len(),
        Class::Resource => answer["content"].to_string().len(),
        Class::Content => {
            let blocks = answer["content"].as_array().unwrap().iter();
            blocks.filter_map(|block| block["text"].as_str()).map(str::len).sum()
        }
    }
}
