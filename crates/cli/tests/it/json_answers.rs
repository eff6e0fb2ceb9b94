//! With `--json` standard output is exactly one JSON document, for every command that answers.

use serde_json::{Value, json};

use crate::program::Home;
use crate::sample;

#[test]
fn every_command_answers_with_exactly_one_document() {
    let home = Home::new();
    let report = sample::imported(&home, "post", &sample::letters(0..3));
    assert_eq!((&report["seen"], &report["added"]), (&json!(3), &json!(3)));
    let issued = home.json(&["grant", "create", "--client", "a", "--allow", "post", "--json"]);
    let package = issued["package_id"].as_str().unwrap();
    let token = home.json(&["owner", "token", "create", "--label", "script", "--json"]);
    assert!(token["access_token"].as_str().unwrap().starts_with("pdpp_owner_"));
    let copy = home.path().join("copy");
    let copy = copy.to_str().unwrap();
    let lines: &[&[&str]] = &[
        &["backup", copy],
        &["restore", copy, "--check"],
        &["connection", "list"],
        &["connection", "show", "post"],
        &["connection", "rename", "post", "My post"],
        &["connection", "rename", "post", "--clear"],
        &["grant", "list"],
        &["grant", "show", "a"],
        &["grant", "show", package],
        &["grant", "revoke", package],
        &["owner", "token", "list"],
        &["owner", "token", "revoke", "script"],
        &["audit"],
        &["audit", "list", "--since", "1h", "--limit", "2"],
        &["audit", "verify"],
        &["verify"],
        &["history"],
        &["history", "keep", "--audit", "90d"],
        &["history", "prune"],
        &["owner", "clock", "show"],
        &["owner", "clock", "reset", "--yes"],
        &["compact"],
        &["connection", "remove", "post", "--yes"],
    ];
    for line in lines {
        let answer = home.run(&[line, &["--json"][..]].concat());
        assert_eq!(answer.code, 0, "{line:?}: {}", answer.stderr);
        assert!(answer.document().is_object(), "{line:?}");
        assert_eq!(answer.stdout.lines().count(), 1, "{line:?}");
        assert_eq!(answer.stderr, "", "{line:?}");
    }
}

#[test]
fn without_json_a_person_reads_words_and_no_control_characters() {
    let home = Home::new();
    sample::imported(&home, "post", &sample::letters(0..3));
    let copy = home.path().join("copy");
    let copy = copy.to_str().unwrap();
    let lines: &[&[&str]] = &[
        &["backup", copy],
        &["restore", copy, "--check"],
        &["connection", "list"],
        &["connection", "show", "post"],
        &["grant", "create", "--client", "a", "--allow", "post/letters:subject@2026-01-01.."],
        &["grant", "list"],
        &["grant", "show", "a"],
        &["owner", "token", "create"],
        &["owner", "token", "list"],
        &["audit"],
        &["audit", "verify"],
        &["verify"],
        &["grant", "revoke", "a"],
        &["connection", "remove", "post", "--yes"],
    ];
    for line in lines {
        let answer = home.run(line);
        assert_eq!(answer.code, 0, "{line:?}: {}", answer.stderr);
        assert!(!answer.stdout.is_empty(), "{line:?}");
        assert!(!answer.stdout.contains('\u{1b}'), "{line:?} has colours without a terminal");
        assert!(serde_json::from_str::<Value>(&answer.stdout).is_err(), "{line:?}");
    }
}

#[test]
fn a_reader_that_goes_away_is_no_fault() {
    let home = Home::new();
    sample::imported(&home, "post", &sample::letters(0..3));
    for line in [&["connection", "list"][..], &["audit", "--json"], &["--help"]] {
        let mut command = home.command(line);
        command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
        let mut child = command.spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{line:?}");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{line:?}");
    }
}
