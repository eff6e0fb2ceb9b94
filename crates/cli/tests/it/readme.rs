//! The commands of the README are true as they are written.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::program::Home;
use crate::running::Running;

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap().to_owned()
}

/// The lines of the README's shell blocks.
fn commands() -> Vec<String> {
    let text = std::fs::read_to_string(repository().join("README.md")).unwrap();
    let blocks = text.split("```sh\n").skip(1).map(|rest| rest.split("```").next().unwrap());
    blocks.flat_map(str::lines).map(str::to_owned).collect()
}

/// Runs a line of the README where a reader would: in the repository, with the program in reach.
fn in_a_shell(home: &Home, line: &str) -> String {
    let program = Path::new(env!("CARGO_BIN_EXE_pdpp")).parent().unwrap();
    let mut shell = std::process::Command::new("/bin/sh");
    shell.args(["-c", line]).current_dir(repository()).env_clear();
    shell.env("PATH", program).env("HOME", home.path()).env("PDPP_DATA_DIR", home.data_dir());
    let output = shell.output().unwrap();
    assert!(output.status.success(), "{line}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[cfg(unix)]
#[test]
fn the_commands_of_the_readme_work_as_they_are_written() {
    let home = Home::new();
    let commands = commands();
    let line = |start: &str| commands.iter().find(|line| line.starts_with(start)).unwrap();
    let read = in_a_shell(&home, line("pdpp import"));
    assert!(read.starts_with("Read 5 lines for work-mail: 5 added"), "{read}");
    assert!(in_a_shell(&home, line("pdpp import")).contains("0 added"), "a second time");
    let granted = in_a_shell(&home, line("pdpp grant create"));
    let token = granted.lines().find_map(|line| line.strip_prefix("Token ")).unwrap().trim();
    assert!(commands.iter().any(|line| line == "pdpp serve"));
    let server = Running::serve(&home);
    let url = line("curl").split('\'').nth(1).unwrap();
    let path = url.strip_prefix("http://127.0.0.1:7667").unwrap();
    let page = server.get(path, token);
    assert_eq!(page.status, 200, "{:?}", page.body);
    let subjects: Vec<&Value> =
        page.body["data"].as_array().unwrap().iter().map(|one| &one["data"]["subject"]).collect();
    assert_eq!(subjects.len(), 3, "neither last year's letter nor the undated one: {subjects:?}");
    for path in [
        "/v1/schema",
        "/v1/streams",
        "/v1/streams/messages/aggregate?metric=count&group_by=from",
        "/v1/search?q=when+is+the+boiler+installed",
    ] {
        assert_eq!(server.get(path, token).status, 200, "{path}");
    }
}
