//! Where a command finds its database: options, variables, files, and what needs none of them.

mod faults;
mod moving;

use std::process::{Command, Stdio};

use serde_json::json;

use crate::program::{Answer, Home};
use crate::sample::{import, imported, letters};

/// A database that nobody answers for.
const NOBODY: &str = "postgres://nobody@127.0.0.1:9/none";

/// A home with letters and a grant for Codex, in a file.
fn granted() -> Home {
    let home = Home::file_store();
    imported(&home, "post", &letters(0..3));
    home.json(&["grant", "create", "--client", "codex", "--allow", "post", "--json"]);
    home
}

/// Runs to its end with a variable set.
fn run_with(home: &Home, line: &[&str], variable: (&str, &str)) -> Answer {
    ended(home.command(line).env(variable.0, variable.1), "")
}

/// Runs to its end with something on standard input.
fn ended(command: &mut Command, input: &str) -> Answer {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let _ = std::io::Write::write_all(&mut child.stdin.take().unwrap(), input.as_bytes());
    let output = child.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    let code = output.status.code().expect("the program was not killed");
    Answer { code, stdout: text(output.stdout), stderr: text(output.stderr) }
}

#[test]
fn an_entry_that_names_a_data_directory_reads_that_store_whatever_is_set() {
    let home = granted();
    let there = home.data_dir();
    let line = ["mcp", "--client", "codex", "--data-dir", there.to_str().unwrap()];
    let hello = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}});
    let ready = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    let call = json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {
        "name": "query_records", "arguments": {"stream": "letters"}}});
    let input = format!("{hello}\n{ready}\n{call}\n");
    for (name, value) in [("PDPP_DATABASE_URL", NOBODY), ("PDPP_DATABASE_URL_FILE", "/nope")] {
        let answer = ended(home.command(&line).env(name, value), &input);
        assert_eq!(answer.code, 0, "{name}: {}", answer.stderr);
        assert!(answer.stdout.contains("letters"), "{name}: {}", answer.stdout);
        assert!(!answer.stdout.contains("cannot be opened"), "{name}: {}", answer.stdout);
    }
    // A server's directory and its database are named side by side; so are those of an adapter.
    let list = ["connection", "list", "--data-dir", there.to_str().unwrap()];
    assert_eq!(run_with(&home, &list, ("PDPP_DATABASE_URL", NOBODY)).code, 69);
    let missing =
        run_with(&home, &["mcp", "--client", "codex"], ("PDPP_DATABASE_URL_FILE", "/nope"));
    assert_eq!(missing.code, 65, "{}", missing.stderr);
}

#[test]
fn two_ways_to_name_a_database_are_one_too_many_wherever_they_stand() {
    let home = Home::file_store();
    let file = home.file("address", NOBODY);
    let (url, file) = (["--database-url", NOBODY], ["--database-url-file", file.as_str()]);
    for (before, after) in [(url, file), (file, url)] {
        let refused = home.run(&[&before[..], &["connection", "list"], &after[..]].concat());
        assert_eq!(refused.code, 64, "{}", refused.stderr);
        assert!(refused.stderr.contains("--database-url-file"), "{}", refused.stderr);
    }
}

#[test]
fn a_client_without_a_credential_is_not_led_into_another_store() {
    let home = Home::file_store();
    let line = ["mcp", "--client", "codex", "--data-dir", "d", "--database-url-file", "gone"];
    let refused = home.run(&line);
    assert_eq!(refused.code, 78, "{}", refused.stderr);
    let create = "pdpp grant create --client codex --allow … --data-dir d --database-url URL";
    assert!(refused.stderr.contains(create), "{}", refused.stderr);
}

#[test]
fn a_variable_that_leads_nowhere_stops_only_what_needs_a_database() {
    let home = granted();
    std::fs::create_dir(home.path().join(".codex")).unwrap();
    home.json(&["backup", "copy", "--json"]);
    let from = home.data_dir();
    let lines: &[(&[&str], i32)] = &[
        (&["health", "http://127.0.0.1:9"], 69),
        (&["setup"], 0),
        (&["setup", "codex", "--remove"], 0),
        (&["mcp", "--provider-url", "http://127.0.0.1:9"], 78),
        (&["connect", "http://127.0.0.1:9"], 69),
        (&["migrate-store", "--from", from.to_str().unwrap(), "--to", "new"], 0),
        (&["restore", "copy", "--check"], 0),
        (&["setup", "codex"], 65),
        (&["connection", "list"], 65),
        (&["restore", "copy"], 65),
        (&["serve"], 65),
        (&["verify"], 65),
        (&["backup", "copy"], 65),
        (&["demo"], 65),
    ];
    for (line, code) in lines {
        let answer = run_with(&home, line, ("PDPP_DATABASE_URL_FILE", "/nope"));
        assert_eq!(answer.code, *code, "{line:?}: {}{}", answer.stdout, answer.stderr);
        let named = answer.stderr.contains("PDPP_DATABASE_URL_FILE must name");
        assert_eq!(named, *code == 65, "{line:?}: {}", answer.stderr);
    }
    let unchanged = home.path().join(".codex/config.toml");
    assert!(!unchanged.exists(), "nothing was set up");
}

#[test]
fn hints_lead_back_to_the_store_that_they_are_about() {
    let home = Home::file_store();
    let named = ["--data-dir", "my data"];
    import(&home, "post", &letters(0..1), &named);
    let create = ["grant", "create", "--client", "a", "--allow"];
    for (line, hint) in [
        (&["owner", "token", "revoke", "nobody"][..], "pdpp owner token list"),
        (&[&create[..], &["post/nothing"]].concat(), "see: pdpp connection show post"),
        (&[&create[..], &["nobody"]].concat(), "see: pdpp connection list"),
    ] {
        let refused = home.run(&[line, &named].concat());
        let wanted = format!("{hint} --data-dir 'my data'");
        assert!(refused.stderr.contains(&wanted), "{wanted}: {}", refused.stderr);
    }
    let none = home.run(&["connection", "list", "--data-dir", "other"]);
    let wanted = "create one with: pdpp import --data-dir other";
    assert!(none.stderr.contains(wanted), "{wanted}: {}", none.stderr);
}
