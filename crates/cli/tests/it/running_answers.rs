//! Answers under way, and connections that never speak, at the program itself.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::http;
use crate::program::Home;
use crate::running::Running;
use crate::sample::imported;

/// Far more than all buffers between the program and a reader hold.
const LARGE: usize = 32 << 20;

#[test]
fn a_revocation_by_another_process_ends_an_answer_under_way() {
    let home = Home::new();
    let data = json!({"id": "long", "subject": "Long", "body": "x".repeat(LARGE)});
    let line = json!({"type": "RECORD", "stream": "letters", "key": "long", "data": data,
                      "emitted_at": "2026-04-01T00:00:00Z"});
    imported(&home, "post", &line.to_string());
    let grant = ["grant", "create", "--client", "agent", "--allow", "post", "--json"];
    let token = home.json(&grant)["access_token"].as_str().unwrap().to_owned();
    let server = Running::alone(&home);
    for target in ["/v1/streams/letters/records/long", "/v1/streams/letters/records"] {
        let again = home.json(&grant)["access_token"].as_str().unwrap().to_owned();
        let token = if target.ends_with("long") { &token } else { &again };
        let address = server.base_url().trim_start_matches("http://");
        let mut socket = TcpStream::connect(address).unwrap();
        let head = format!(
            "GET {target} HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {token}\r\n\r\n"
        );
        socket.write_all(head.as_bytes()).unwrap();
        let mut beginning = vec![0; 64 * 1024];
        socket.read_exact(&mut beginning).unwrap();
        assert!(beginning.starts_with(b"HTTP/1.1 200"));
        home.json(&["grant", "revoke", "agent", "--json"]);
        let mut rest = Vec::new();
        let ended = socket.read_to_end(&mut rest).unwrap_err();
        assert_eq!(ended.kind(), std::io::ErrorKind::ConnectionReset, "{target}");
        assert!(rest.len() < LARGE / 4, "{target}: {} bytes after the revocation", rest.len());
    }
}

/// `pdpp serve` that may have so many files.
#[cfg(unix)]
fn serve_with_files(home: &Home, files: u32) -> (std::process::Child, Value, String) {
    let program = home.command(&[]);
    let log = home.path().join("log");
    let mut command = Command::new("sh");
    let script = "ulimit -n \"$1\"; exec \"$0\" serve --json --listen 127.0.0.1:0";
    command.args(["-c", script, program.get_program().to_str().unwrap(), &files.to_string()]);
    command.envs(program.get_envs().filter_map(|(name, value)| Some((name, value?))));
    command.stdin(Stdio::null()).stdout(Stdio::piped());
    command.stderr(std::fs::File::create(&log).unwrap());
    let mut child = command.spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    (child, serde_json::from_str(&line).unwrap(), log.to_str().unwrap().to_owned())
}

#[cfg(unix)]
#[test]
fn connections_stay_below_the_file_limit_and_shut_nobody_out() {
    let home = Home::file_store();
    let (mut child, ready, log) = serve_with_files(&home, 200);
    let base_url = ready["base_url"].as_str().unwrap();
    let address = base_url.trim_start_matches("http://");
    let silent: Vec<_> = (0..400).map(|_| TcpStream::connect(address).unwrap()).collect();
    assert_eq!(http::get(&format!("{base_url}/healthz"), None).status, 200);
    assert_eq!(http::get(&format!("{base_url}/readyz"), None).status, 200);
    drop(silent);
    child.kill().unwrap();
    child.wait().unwrap();
    let log = std::fs::read_to_string(log).unwrap();
    assert!(!log.contains("Too many open files"), "{log}");
}
