//! What the documentation tells people to type can be typed: every `pdpp …` in it is given to the parser.
//!
//! Nothing is run. Lines of fenced blocks must parse as they stand; in running text, and in lines with a
//! placeholder in capitals, the command and its options must exist. So must what packages start.

mod blocks;
mod shell;

use std::path::{Path, PathBuf};

use clap::error::ErrorKind;
use clap::{CommandFactory, Parser};
use serde_json::Value;

use crate::cli::Cli;

/// Pages that people read, besides everything below `docs` that is no decision.
const PAGES: &[&str] = &["README.md", "SECURITY.md", "CONTRIBUTING.md"];
fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap().to_owned()
}

fn read(path: &str) -> String {
    let path = repository().join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The pages, by their paths from the root.
fn pages() -> Vec<String> {
    let mut pages: Vec<String> = PAGES.iter().map(ToString::to_string).collect();
    let mut directories = vec!["docs".to_owned()];
    while let Some(directory) = directories.pop() {
        for entry in std::fs::read_dir(repository().join(&directory)).unwrap() {
            let entry = entry.unwrap();
            let path = format!("{directory}/{}", entry.file_name().to_str().unwrap());
            if entry.file_type().unwrap().is_dir() {
                // A decision speaks of its own day.
                directories.extend((path != "docs/decisions").then_some(path));
            } else if Path::new(&path).extension().is_some_and(|kind| kind == "md") {
                pages.push(path);
            }
        }
    }
    pages.sort();
    pages
}

/// Why this command line would be refused; `None` when it would not.
fn fault(words: &[String]) -> Option<String> {
    let line = std::iter::once("pdpp").chain(words.iter().map(String::as_str));
    let refusal = Cli::try_parse_from(line).err()?;
    let asked = matches!(refusal.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion);
    (!asked).then(|| refusal.to_string())
}

/// Whether a word stands for another one, such as `CLIENT`.
fn has_placeholder(words: &[String]) -> bool {
    let is_placeholder =
        |word: &String| word.len() > 2 && word.chars().all(|c| c.is_ascii_uppercase() || c == '_');
    words.iter().any(is_placeholder)
}

/// Why a mention in running text names nothing: an unknown command or option.
fn mention_fault(words: &[String]) -> Option<String> {
    let mut root = Cli::command();
    root.build();
    let mut here = &root;
    let mut words = words.iter();
    while let Some(word) = words.next() {
        if let Some(option) = word.strip_prefix("--") {
            let (option, value) = option.split_once('=').unzip();
            let option = option.unwrap_or(word.trim_start_matches("--"));
            let known = here.get_arguments().find(|one| one.get_long() == Some(option));
            match known {
                None if !option.is_empty() => {
                    return Some(format!("{} has no --{option}", here.get_name()));
                }
                // The next word is the option's value, not a command.
                Some(known) if value.is_none() && known.get_action().takes_values() => {
                    words.next();
                }
                _ => {}
            }
        } else if let Some(inner) = here.find_subcommand(word) {
            here = inner;
        } else if here.has_subcommands() && word.chars().all(|c| c.is_ascii_lowercase()) {
            return Some(format!("{} has no command {word}", here.get_name()));
        } else if here.has_subcommands() {
            // A placeholder or a choice (`list|show`): what follows belongs to no one command.
            return None;
        }
    }
    None
}

#[test]
fn every_command_of_a_block_parses() {
    let (mut faults, mut checked) = (Vec::new(), 0);
    for page in pages() {
        for words in blocks::commands(&read(&page)) {
            checked += 1;
            let said = if has_placeholder(&words) { mention_fault(&words) } else { fault(&words) };
            faults.extend(said.map(|said| format!("{page}: pdpp {}\n  {said}", words.join(" "))));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(checked > 30, "only {checked} commands found: are blocks still read?");
}

#[test]
fn every_mention_names_a_command_and_its_options() {
    let (mut faults, mut checked) = (Vec::new(), 0);
    for page in pages() {
        for words in blocks::mentions(&read(&page)) {
            checked += 1;
            let said = mention_fault(&words);
            faults.extend(said.map(|said| format!("{page}: pdpp {}: {said}", words.join(" "))));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(checked > 10, "only {checked} mentions found: is running text still read?");
}

#[test]
fn a_wrong_word_would_be_found() {
    let words = |line: &str| shell::words(line).into_iter().next().unwrap();
    assert_eq!(fault(&words("serve --listen 127.0.0.1:0")), None);
    for wrong in ["serve --port 80", "srve", "grant create --client a", "import mbox"] {
        assert!(fault(&words(wrong)).is_some(), "{wrong}");
    }
    for wrong in ["serv", "grant crate", "serve --port", "mcp --clients"] {
        assert!(mention_fault(&words(wrong)).is_some(), "{wrong}");
    }
    for right in ["grant revoke WHAT", "connection list|show", "mcp --client NAME"] {
        assert_eq!(mention_fault(&words(right)), None, "{right}");
    }
}

#[test]
fn what_packages_start_exists() {
    let container = read("Dockerfile");
    let line = |name: &str| {
        let found = container.lines().find_map(|line| line.trim().strip_prefix(name));
        let words: Vec<String> = serde_json::from_str(found.unwrap().trim()).unwrap();
        words
    };
    let (entry, command) = (line("ENTRYPOINT "), line("CMD "));
    assert!(entry.last().unwrap().ends_with("/pdpp"), "{entry:?}");
    assert_eq!(fault(&command), None);
    let health = container.split("HEALTHCHECK").nth(1).unwrap();
    let health: Vec<String> =
        serde_json::from_str(health.split("CMD ").nth(1).unwrap().lines().next().unwrap()).unwrap();
    assert!(health[0].ends_with("/pdpp"), "{health:?}");
    assert_eq!(fault(&health[1..]), None);

    let unit = read("packaging/deb/pdpp.service");
    let start =
        unit.lines().find_map(|line| line.strip_prefix("ExecStart=/usr/bin/pdpp ")).unwrap();
    let start = start.replace("$PDPP_SERVE_OPTIONS", "--listen 127.0.0.1:7667");
    assert_eq!(fault(&shell::words(&start)[0]), None);

    let manifest: Value = serde_json::from_str(&read("packaging/mcpb/manifest.json")).unwrap();
    let started = &manifest["server"]["mcp_config"];
    assert!(started["command"].as_str().unwrap().ends_with("/pdpp"));
    let words = started["args"].as_array().unwrap().iter().map(|word| word.as_str().unwrap());
    let words: Vec<String> = words.map(|word| word.replace("${user_config.client}", "a")).collect();
    assert_eq!(fault(&words), None);
}
