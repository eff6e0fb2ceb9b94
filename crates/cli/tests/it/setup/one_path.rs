//! The recommended setup is one path: nothing of the machinery behind it shows in its words.

use std::path::Path;

use super::CLIENTS;
use crate::program::Home;

/// What nobody who sets up a client should have to hear of.
const MACHINERY: [&str; 16] = [
    "profile",
    "toolset",
    "tool set",
    "selector",
    "--core",
    "--events",
    "--full",
    "event subscription",
    "subscription",
    "developer tool",
    "dev tool",
    "owner token",
    "owner bearer",
    "control plane",
    "control-plane",
    "pdpp_owner",
];

fn scan(place: &str, text: &str) {
    let text = text.to_lowercase();
    for word in MACHINERY {
        assert!(!text.contains(word), "{place} says {word:?}:\n{text}");
    }
}

#[test]
fn the_words_of_the_setup_show_one_path() {
    let home = Home::file_store();
    for (client, _) in CLIENTS {
        for more in [&[][..], &["--json"]] {
            let answer = home.run(&[&["setup", client, "--print"], more].concat());
            scan(&format!("setup {client} --print"), &(answer.stdout + &answer.stderr));
        }
    }
    for command in ["mcp", "setup", "connect"] {
        for help in ["-h", "--help"] {
            scan(command, &home.run(&[command, help]).stdout);
        }
    }
    scan("setup", &home.run(&["setup"]).stdout);
}

#[test]
fn the_setup_part_of_the_readme_shows_one_path() {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap();
    let text = std::fs::read_to_string(repository.join("README.md")).unwrap();
    let parts: Vec<&str> = text.split("\n## ").skip(1).collect();
    let about_setup = |part: &&&str| {
        let title = part.lines().next().unwrap_or_default().to_lowercase();
        part.contains("pdpp mcp") || part.contains("pdpp setup") || title.contains("agent")
    };
    let found: Vec<&&str> = parts.iter().filter(about_setup).collect();
    assert!(!found.is_empty(), "the README tells how an agent is set up");
    for part in found {
        scan("README.md", part);
    }
}
