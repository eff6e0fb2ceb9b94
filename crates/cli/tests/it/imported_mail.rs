//! Mail as exports bring it, read by an agent: a sentence is found, its letter is fetched, the rest is
//! read on. A mailbox of our own here; `cargo xtask heavy` adds six thousand real letters.

use std::path::Path;

use serde_json::{Value, json};

use crate::program::Home;

const HELLO: &str = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}"#;
const SENTENCE: &str = "the ferry to Hiddensee leaves from the second pier";
const LAST_WORDS: &str = "and that is where the logbook ends.";

#[test]
fn a_sentence_leads_to_its_letter_and_through_all_of_it() {
    let home = Home::new();
    let filler = "Wind from the west, nothing else to write down today.\n".repeat(400);
    let mail = format!(
        "From a@x Mon Jan  5 10:00:00 2026\nFrom: Ann <ann@x>\nMessage-ID: <1@x>\nDate: Mon, 5 Jan 2026 \
         10:00:00 +0000\nSubject: Logbook\n\n{filler}Mind that {SENTENCE}.\n{filler}{LAST_WORDS}\n"
    );
    let mailbox = home.file("all.mbox", &mail);
    imported(&home, "mbox", &[mailbox]);
    let whole = read_through(&home, SENTENCE);
    assert!(whole.contains(SENTENCE) && whole.trim_end().ends_with(LAST_WORDS), "{}", whole.len());
    assert_eq!(whole.matches("Wind from the west").count(), 800, "nothing is lost or repeated");
}

#[test]
fn a_sentence_of_real_mail_leads_to_its_letter() {
    let letters = letters();
    if letters.is_empty() {
        return;
    }
    let home = Home::new();
    let report = imported(&home, "eml", &letters);
    let messages = &report["streams"]["messages"]["added"];
    assert!(messages.as_u64().unwrap() > 5_500, "{messages}");
    let sentence = "Mobile Broadband is in the process of wiring every starbucks in the area";
    let found = ask(&home, "search", &json!({"query": sentence, "limit": 3}));
    let id = found["structuredContent"]["results"][0]["id"].as_str().unwrap();
    let document = ask(&home, "fetch", &json!({"id": id}));
    let text = document["structuredContent"]["text"].as_str().unwrap();
    assert!(text.contains("wiring every starbucks"), "{text}");
}

/// Every letter of the corpus; none without it.
#[expect(clippy::disallowed_methods, reason = "the run that fetches corpora says where they are")]
fn letters() -> Vec<String> {
    let Some(corpora) = std::env::var_os("PDPP_CORPORA") else { return Vec::new() };
    let folders = std::fs::read_dir(Path::new(&corpora).join("spam-assassin")).unwrap();
    let folders = folders.map(|one| one.unwrap().path()).filter(|path| path.is_dir());
    let files = folders.flat_map(|folder| std::fs::read_dir(folder).unwrap());
    let paths = files.map(|one| one.unwrap().path());
    let letters = paths.filter(|path| path.extension().is_some_and(|ending| ending == "txt"));
    letters.map(|path| path.to_str().unwrap().to_owned()).collect()
}

fn imported(home: &Home, format: &str, paths: &[String]) -> Value {
    let mut line = vec!["import", format, "--connection", "mail", "--json", "--quiet"];
    line.extend(paths.iter().map(String::as_str));
    let report = home.run(&line).document();
    home.json(&["grant", "create", "--client", "agent", "--allow", "mail", "--json"]);
    let schema = ask(home, "schema", &json!({"stream": "messages"}));
    let said = schema["content"][0]["text"].as_str().unwrap();
    for word in ["subject", "from_address", "sent_at", "body_text"] {
        assert!(said.contains(word), "{word}: {said}");
    }
    report
}

/// Finds a sentence, fetches its letter and follows the body to its end, from the start.
fn read_through(home: &Home, sentence: &str) -> String {
    let found = ask(home, "search", &json!({"query": sentence, "limit": 3}));
    let id = found["structuredContent"]["results"][0]["id"].as_str().unwrap().to_owned();
    let document = ask(home, "fetch", &json!({"id": id}));
    assert_eq!(document["structuredContent"]["title"], "Logbook", "{document}");
    let mut asked = json!({"id": id, "field_path": "body_text", "offset_chars": 0});
    let mut whole = String::new();
    loop {
        let answer = ask(home, "read_record_field", &asked);
        let window = answer["structuredContent"]["window"].clone();
        whole.push_str(window["text"].as_str().unwrap_or_else(|| panic!("{answer}")));
        match window["next_cursor"].as_str() {
            Some(cursor) => {
                asked = json!({"id": id, "field_path": "body_text", "cursor": cursor});
            }
            None => return whole,
        }
    }
}

fn ask(home: &Home, tool: &str, arguments: &Value) -> Value {
    let params = json!({"name": tool, "arguments": arguments});
    let call = json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": params});
    let said =
        home.run_with_input(&["mcp", "--client", "agent"], format!("{HELLO}\n{call}\n").as_bytes());
    let answers = said.stdout.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let answer = answers.into_iter().find(|answer| answer["id"] == 2);
    let result = answer.unwrap_or_else(|| panic!("{}", said.stderr))["result"].clone();
    assert_ne!(result["isError"], true, "{result}");
    result
}
