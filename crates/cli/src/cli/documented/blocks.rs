//! Where a page tells people to type something: shell blocks, configurations of clients, code in running text.

use serde_json::Value;

use super::shell;

/// Languages of blocks that hold lines for a shell.
const SHELLS: &[&str] = &["sh", "shell", "bash", "console", ""];

/// What `pdpp` is given in the fenced blocks of a page.
pub fn commands(page: &str) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    for (language, text) in fenced(page) {
        match language {
            "json" | "jsonc" => found.extend(in_json(&text)),
            "toml" => found.extend(in_toml(&text)),
            shell if SHELLS.contains(&shell) => {
                let whole = text.replace("\\\n", " ");
                let lines = whole.lines().flat_map(shell::words);
                found.extend(lines.filter_map(|words| shell::arguments(&words)));
            }
            _ => {}
        }
    }
    found
}

/// Code in running text that begins with the program's name, without that name.
pub fn mentions(page: &str) -> Vec<Vec<String>> {
    let mut prose = String::new();
    let mut inside = false;
    for line in page.lines() {
        if line.trim_start().starts_with("```") {
            inside = !inside;
        } else if !inside {
            prose.push_str(line);
            prose.push('\n');
        }
    }
    let spans = prose.split('`').skip(1).step_by(2);
    let ours = spans.filter_map(|span| span.strip_prefix("pdpp "));
    // In running text `a|b` is a choice, not a pipe.
    let split = |span: &str| span.split_whitespace().map(str::to_owned).collect();
    ours.map(split).collect()
}

/// The fenced blocks: language and text.
fn fenced(page: &str) -> Vec<(&str, String)> {
    let mut blocks = Vec::new();
    let mut open: Option<(&str, String)> = None;
    for line in page.lines() {
        match (line.trim_start().strip_prefix("```"), &mut open) {
            (Some(language), None) => open = Some((language.trim(), String::new())),
            (Some(_), Some(_)) => blocks.extend(open.take()),
            (None, Some((_, text))) => {
                text.push_str(line);
                text.push('\n');
            }
            (None, None) => {}
        }
    }
    assert!(open.is_none(), "a block has no end");
    blocks
}

/// `"command": "pdpp", "args": […]`, at any depth; or one list that holds both.
fn in_json(text: &str) -> Vec<Vec<String>> {
    let Ok(document) = serde_json::from_str::<Value>(text) else {
        assert!(!text.contains("\"pdpp\","), "a configuration that is no JSON: {text}");
        return Vec::new();
    };
    let (mut found, mut left) = (Vec::new(), vec![&document]);
    while let Some(value) = left.pop() {
        let strings = |value: &Value| -> Option<Vec<String>> {
            let words = value.as_array()?.iter().map(|word| word.as_str().map(str::to_owned));
            words.collect()
        };
        if let Value::Object(object) = value {
            let command = object.get("command");
            let is_ours = |word: &str| word == "pdpp" || word.ends_with("/pdpp");
            if command.and_then(Value::as_str).is_some_and(is_ours) {
                found.extend(object.get("args").and_then(strings));
            }
            let joined = command.and_then(strings).filter(|words| is_ours(&words[0]));
            found.extend(joined.map(|words| words[1..].to_vec()));
            left.extend(object.values());
        } else if let Value::Array(items) = value {
            left.extend(items);
        }
    }
    found
}

/// `command = "pdpp"` with `args = […]` on the next line.
fn in_toml(text: &str) -> Vec<Vec<String>> {
    let ours = text.split("command = \"pdpp\"").skip(1);
    let lists = ours.filter_map(|rest| rest.lines().find_map(|line| line.strip_prefix("args = ")));
    lists.map(|list| serde_json::from_str(list).unwrap()).collect()
}

#[test]
fn every_kind_of_block_is_read() {
    let page = "Text with `pdpp grant revoke NAME` in it.\n\n```sh\npdpp serve \\\n  --json\n```\n\n\
        ```json\n{\"mcp\":{\"pdpp\":{\"command\":\"pdpp\",\"args\":[\"mcp\"]}}}\n```\n\n\
        ```json\n{\"command\":[\"pdpp\",\"audit\"]}\n```\n\n\
        ```toml\ncommand = \"pdpp\"\nargs = [\"verify\"]\n```\n\n```rust\npdpp none\n```\n";
    let found: Vec<String> = commands(page).iter().map(|words| words.join(" ")).collect();
    assert_eq!(found, ["serve --json", "mcp", "audit", "verify"]);
    assert_eq!(mentions(page), [["grant", "revoke", "NAME"]]);
}
