//! The memory of a server stays within the formula that `docs/operating.md` states.

use std::fmt::Write as _;
use std::io::Write as _;
use std::net::TcpStream;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::program::Home;
use crate::running::Running;
use crate::sample::{imported, letter};

const MEBIBYTE: u64 = 1024 * 1024;
const PATIENCE: Duration = Duration::from_mins(5);
const PAGE: &str = "/v1/streams/letters/records?limit=100";

/// What a server may use: its own, answers that nobody takes, and a part for each package and connection.
fn formula(packages: u64, connections: u64) -> u64 {
    (128 + 64 + 5 * packages + connections) * MEBIBYTE
}

/// The size of the test: small here, the whole of it under `PDPP_HEAVY`.
#[expect(clippy::disallowed_methods, reason = "the variable chooses the size of long tests")]
fn sized(small: u64, heavy: u64) -> u64 {
    if std::env::var_os("PDPP_HEAVY").is_some() { heavy } else { small }
}

/// The most memory a process has had.
fn peak_bytes(pid: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.split_whitespace().next().unwrap().parse::<u64>().unwrap() * 1024
}

/// How many answers about pages the server has made, by status.
fn answered(server: &Running, status: u16) -> u64 {
    let numbers = crate::http::get(&format!("{}/metrics", server.base_url()), None);
    let Value::String(text) = numbers.body else { panic!("{:?}", numbers.body) };
    let route = "route=\"/v1/streams/{stream}/records\"";
    let line = format!("pdpp_http_requests_total{{method=\"GET\",{route},status=\"{status}\"}} ");
    let count = text.lines().find_map(|other| other.strip_prefix(&line));
    count.map_or(0, |count| count.parse().unwrap())
}

/// Asks for the largest page over many connections and takes nothing of any answer.
fn left_lying(server: &Running, tokens: &[String], connections: u64) -> (Vec<TcpStream>, u64) {
    let host = server.base_url().strip_prefix("http://").unwrap();
    let mut open = Vec::new();
    for (_, token) in (0..connections).zip(tokens.iter().cycle()) {
        let mut socket = TcpStream::connect(host).unwrap();
        let call =
            format!("GET {PAGE} HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {token}\r\n\r\n");
        socket.write_all(call.as_bytes()).unwrap();
        open.push(socket);
    }
    let began = Instant::now();
    loop {
        let (made, refused) = (answered(server, 200), answered(server, 429));
        if made + refused >= connections {
            return (open, refused);
        }
        assert!(began.elapsed() < PATIENCE, "{made} answers and {refused} refusals");
    }
}

/// A store whose pages are megabytes long, too many for the system's own buffers.
fn filled() -> Home {
    let home = Home::new();
    let mut lines = String::new();
    for number in 0..100 {
        let mut line: Value = serde_json::from_str(&letter(number, "")).unwrap();
        for field in ["subject", "body", "secret"] {
            line["data"][field] = Value::from("some words that fill a page ".repeat(285));
        }
        if number == 50 {
            line["data"]["body"] = Value::from("-".repeat(6 * 1024 * 1024));
        }
        writeln!(lines, "{line}").unwrap();
    }
    imported(&home, "post", &lines);
    home
}

fn agents(home: &Home, count: u64) -> Vec<String> {
    let issued = (0..count).map(|number| {
        let client = format!("agent-{number}");
        let grant = ["grant", "create", "--client", &client, "--allow", "post", "--json"];
        home.json(&grant)["access_token"].as_str().unwrap().to_owned()
    });
    issued.collect()
}

#[test]
fn answers_that_nobody_takes_fill_no_more_memory_than_stated() {
    let home = filled();
    let tokens = agents(&home, 1);
    let server = Running::alone(&home);
    let connections = sized(32, 128);
    let (open, refused) = left_lying(&server, &tokens, connections);
    let (peak, most) = (peak_bytes(server.pid()), formula(1, connections));
    eprintln!("{connections} connections of one agent: {} MiB, {refused} refused", peak / MEBIBYTE);
    assert!(refused > 0, "one agent had {connections} answers of megabytes made for it");
    assert!(peak <= most, "{} MiB, and {} were stated", peak / MEBIBYTE, most / MEBIBYTE);
    drop(open);
}

#[test]
fn sixty_four_agents_fill_no_more_memory_than_stated() {
    let count = sized(8, 64);
    let home = filled();
    let tokens = agents(&home, count);
    let server = Running::alone(&home);
    let (open, _) = left_lying(&server, &tokens, count);
    let (peak, most) = (peak_bytes(server.pid()), formula(count, count));
    eprintln!("{count} agents with a connection each: {} MiB", peak / MEBIBYTE);
    assert!(peak <= most, "{} MiB, and {} were stated", peak / MEBIBYTE, most / MEBIBYTE);
    drop(open);
}
