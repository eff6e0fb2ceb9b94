//! The commands of the README and of the tutorial are true as they are written.

#![cfg(unix)]

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::program::Home;
use crate::running::Running;

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap().to_owned()
}

/// The lines of a page's shell blocks; one that goes on below is one line.
fn commands(page: &str) -> Vec<String> {
    let text = std::fs::read_to_string(repository().join(page)).unwrap();
    let text = text.replace("\\\n", " ");
    let blocks = text.split("```sh\n").skip(1).map(|rest| rest.split("```").next().unwrap());
    blocks.flat_map(str::lines).map(str::to_owned).collect()
}

/// Runs a line of a page where a reader would: in the repository, with the program in reach.
fn in_a_shell(home: &Home, line: &str) -> String {
    let program = Path::new(env!("CARGO_BIN_EXE_pdpp")).parent().unwrap();
    let mut shell = std::process::Command::new("/bin/sh");
    shell.args(["-c", line]).current_dir(repository()).env_clear();
    shell.env("PATH", program).env("HOME", home.path()).env("PDPP_DATA_DIR", home.data_dir());
    let output = shell.output().unwrap();
    assert!(output.status.success(), "{line}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// What the agent of this name gets for one call of a tool.
fn ask(home: &Home, client: &str, tool: &str, arguments: &Value) -> Value {
    let call = |id: u8, method: &str, params: Value| json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
    let about = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}});
    let asked = call(2, "tools/call", json!({"name": tool, "arguments": arguments}));
    let lines = [
        call(1, "initialize", about),
        json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
        asked,
    ];
    let input: String = lines.iter().map(|line| format!("{line}\n")).collect();
    let answer = home.run_with_input(&["mcp", "--client", client], input.as_bytes());
    let said = answer.stdout.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let reply = said.into_iter().find(|message| message["id"] == 2);
    reply.unwrap_or_else(|| panic!("no answer: {}", answer.stderr))["result"].clone()
}

#[test]
fn the_commands_of_the_readme_work_as_they_are_written() {
    let home = Home::new();
    let commands = commands("README.md");
    let line = |start: &str| commands.iter().find(|line| line.starts_with(start)).unwrap();
    let read = in_a_shell(&home, line("pdpp import"));
    assert!(read.contains("added"), "{read}");
    assert!(in_a_shell(&home, line("pdpp import")).contains("0 added"), "a second time");
    let granted = in_a_shell(&home, line("pdpp grant create"));
    let token = granted.lines().find_map(|line| line.strip_prefix("Token ")).unwrap().trim();
    assert!(commands.iter().any(|line| line.starts_with("pdpp serve ")));
    let server = Running::serve(&home);
    let url = line("curl").split('\'').nth(1).unwrap();
    let path = url.strip_prefix("http://127.0.0.1:7667").unwrap();
    let page = server.get(path, token);
    assert_eq!(page.status, 200, "{:?}", page.body);
    let subjects: Vec<&Value> =
        page.body["data"].as_array().unwrap().iter().map(|one| &one["data"]["subject"]).collect();
    assert_eq!(subjects.len(), 3, "neither last year's letter nor the code: {subjects:?}");
    for path in [
        "/v1/schema",
        "/v1/streams",
        "/v1/streams/messages/aggregate?metric=count&group_by=from_address",
        "/v1/search?q=when+is+the+boiler+installed",
    ] {
        assert_eq!(server.get(path, token).status, 200, "{path}");
    }
}

#[test]
fn the_first_half_of_the_tutorial_leads_to_a_letter_that_an_agent_reads() {
    let home = Home::new();
    let commands = commands("docs/tutorial.md");
    let line = |start: &str| commands.iter().find(|line| line.starts_with(start)).unwrap();
    in_a_shell(&home, line("pdpp import"));
    let shown = in_a_shell(&home, line("pdpp connection show"));
    assert!(shown.contains("messages") && shown.contains("threads"), "{shown}");
    in_a_shell(&home, line("pdpp grant create"));

    let question = json!({"query": "when does the new boiler get installed"});
    let found = ask(&home, "claude-code", "search", &question);
    let hits = found["structuredContent"]["results"].as_array().unwrap();
    assert!(!hits.is_empty(), "{found}");
    assert_eq!(hits[0]["title"], "Boiler: date for the installation", "{hits:?}");
    let letter = ask(&home, "claude-code", "fetch", &json!({"id": hits[0]["id"]}));
    assert!(letter["structuredContent"]["text"].as_str().unwrap().contains("12 February"));
    for hidden in ["offer november", "verification code 482 913"] {
        let found = ask(&home, "claude-code", "search", &json!({"query": hidden})).to_string();
        assert!(
            !found.contains("Offer for a new boiler") && !found.contains("sign-in code"),
            "{found}"
        );
    }

    let seen = in_a_shell(&home, line("pdpp audit"));
    assert!(seen.contains("search") && seen.contains("fetch"), "{seen}");
    in_a_shell(&home, line("pdpp grant revoke"));
    let after = home.run(&["mcp", "--client", "claude-code"]);
    assert_eq!(after.code, 78, "nothing is left to use: {}", after.stderr);
}
