//! What the client itself says counts: a stand-in for its program tells what the real one would.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use super::furnished;
use crate::program::{Answer, Home};

/// Puts a program into the home that answers `mcp list` with these words.
fn stand_in(home: &Home, name: &str, says: &str, code: u8) {
    let bin = home.path().join("bin");
    fs::create_dir_all(&bin).unwrap();
    let path = bin.join(name);
    fs::write(&path, format!("#!/bin/sh\ncat <<'END'\n{says}\nEND\nexit {code}\n")).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
}

fn set_up(home: &Home, client: &str) -> Answer {
    let mut command = home.command(&["setup", client, "--json"]);
    let path = format!("{}:/usr/bin:/bin", home.path().join("bin").display());
    let output = command.env("PATH", path).output().unwrap();
    Answer {
        code: output.status.code().unwrap(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

#[test]
fn a_client_that_reaches_the_server_is_believed() {
    let home = furnished();
    for (client, program, says) in [
        (
            "claude-code",
            "claude",
            "Checking MCP server health...\n\npdpp: /x/pdpp mcp - ✓ Connected",
        ),
        ("gemini", "gemini", "Configured MCP servers:\n\n✓ pdpp: /x/pdpp mcp (stdio) - Connected"),
        ("opencode", "opencode", "●  ✓ pdpp connected\n│      /x/pdpp mcp"),
        ("codex", "codex", "Name  Command  Status\npdpp  /x/pdpp  enabled"),
    ] {
        stand_in(&home, program, says, 0);
        let answer = set_up(&home, client);
        assert_eq!(answer.code, 0, "{client}: {} {}", answer.stdout, answer.stderr);
        assert_eq!(answer.document()["health"]["state"], "good", "{client}");
    }
}

#[test]
fn a_client_that_does_not_is_quoted_and_the_command_fails() {
    let home = furnished();
    for (client, program, says) in [
        ("claude-code", "claude", "pdpp: /x/pdpp mcp - ✗ Failed to connect"),
        ("gemini", "gemini", "✗ pdpp: /x/pdpp mcp (stdio) - Disconnected"),
        ("opencode", "opencode", "●  ✗ pdpp failed"),
        ("codex", "codex", "No MCP servers configured yet."),
    ] {
        stand_in(&home, program, says, 0);
        let answer = set_up(&home, client);
        assert_eq!(answer.code, 1, "{client}");
        let health = &answer.document()["health"];
        assert_eq!(health["state"], "bad", "{client}");
        assert!(!health["said"].as_str().unwrap().is_empty());
    }
}

#[test]
fn a_client_that_cannot_be_asked_is_no_fault_of_the_setup() {
    let home = furnished();
    stand_in(&home, "claude", "claude: node is too old", 1);
    let answer = set_up(&home, "claude-code");
    assert_eq!(answer.code, 0, "{}", answer.stderr);
    assert_eq!(answer.document()["health"]["state"], "unknown");
}

#[test]
fn the_name_in_the_search_path_is_written_when_it_leads_here() {
    let home = furnished();
    let bin = home.path().join("bin");
    fs::create_dir_all(&bin).unwrap();
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_pdpp"), bin.join("pdpp")).unwrap();
    let command = set_up(&home, "vscode").document()["command"].clone();
    assert_eq!(Path::new(command[0].as_str().unwrap()), bin.join("pdpp"), "it survives updates");
}
