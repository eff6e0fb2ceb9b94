//! What stands in a client's settings: the command that starts this program for one agent.

use std::path::Path;

use serde_json::{Map, Value, json};

use super::client::KnownClient;
use super::launch::PROGRAM;

/// A server as a client knows it: a name and a command line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    pub name: String,
    pub command: String,
    pub arguments: Vec<String>,
}

impl Entry {
    /// The members of the entry in the words of a client, in the order in which they are written.
    pub fn members(&self, client: KnownClient) -> Map<String, Value> {
        let line: Vec<&str> = self.line().collect();
        let members = match client {
            KnownClient::ClaudeCode | KnownClient::Vscode => {
                json!({"type": "stdio", "command": self.command, "args": self.arguments})
            }
            KnownClient::ClaudeDesktop
            | KnownClient::Codex
            | KnownClient::Cursor
            | KnownClient::Gemini => json!({"command": self.command, "args": self.arguments}),
            KnownClient::Opencode => json!({"type": "local", "command": line, "enabled": true}),
        };
        match members {
            Value::Object(members) => members,
            _ => Map::new(),
        }
    }

    /// The command line, word by word.
    pub fn line(&self) -> impl Iterator<Item = &str> {
        std::iter::once(self.command.as_str()).chain(self.arguments.iter().map(String::as_str))
    }

    /// Reads an entry back, when it is one that starts our adapter. Others are somebody else's.
    pub fn read(name: &str, members: &Value) -> Option<Self> {
        let words = |value: &Value| -> Option<Vec<String>> {
            let words = value.as_array()?.iter().map(|word| word.as_str().map(str::to_owned));
            words.collect()
        };
        let command = members.get("command")?;
        let mut line = match command {
            Value::String(program) => vec![program.clone()],
            other => words(other)?,
        };
        line.extend(members.get("args").and_then(words).unwrap_or_default());
        let mut line = line.into_iter();
        let command = line.next()?;
        let arguments: Vec<String> = line.collect();
        let chooses = |word: &String| {
            ["--client", "--provider-url"].iter().any(|option| word.starts_with(option))
        };
        let is_ours = arguments.iter().any(|word| word == "mcp") && arguments.iter().any(chooses);
        is_ours.then(|| Self { name: name.to_owned(), command, arguments })
    }

    /// The value of an option on its command line, in either of the ways to write one.
    pub fn option(&self, name: &str) -> Option<&str> {
        let mut words = self.arguments.iter();
        while let Some(word) = words.next() {
            match word.strip_prefix(name) {
                Some("") => return words.next().map(String::as_str),
                Some(rest) if rest.starts_with('=') => return rest.strip_prefix('='),
                _ => {}
            }
        }
        None
    }

    /// Whether it starts this program, by its name or by that of the entry.
    pub fn is_of_this_program(&self) -> bool {
        let program = Path::new(&self.command).file_name().unwrap_or_default();
        self.name == PROGRAM || program.to_string_lossy().starts_with(PROGRAM)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_client_s_words_are_read_back() {
        let entry = Entry {
            name: "pdpp".to_owned(),
            command: "/usr/bin/pdpp".to_owned(),
            arguments: ["mcp", "--client", "codex"].map(str::to_owned).to_vec(),
        };
        for client in KnownClient::ALL {
            let members = Value::Object(entry.members(client));
            assert_eq!(Entry::read("pdpp", &members), Some(entry.clone()), "{}", client.name());
        }
        assert_eq!(entry.option("--client"), Some("codex"));
        let arguments =
            ["mcp", "--clients", "a", "--client=b", "--empty="].map(str::to_owned).to_vec();
        let entry = Entry { arguments, ..entry };
        assert_eq!((entry.option("--client"), entry.option("--empty")), (Some("b"), Some("")));
    }

    #[test]
    fn somebody_else_s_entry_is_not_ours() {
        for other in [
            json!({"url": "https://example.org/mcp"}),
            json!({"command": "npx", "args": ["-y", "pdpp"]}),
            json!({"command": ["pdpp", "serve"]}),
            json!({"command": 3}),
            json!("pdpp mcp --client x"),
        ] {
            assert_eq!(Entry::read("pdpp", &other), None, "{other}");
        }
    }
}
