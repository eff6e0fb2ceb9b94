//! `pdpp connect`, and the adapter that uses what it keeps.

pub mod owner;

use std::io::{BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStderr, Stdio};

use serde_json::{Value, json};

use crate::program::Home;
use crate::running::Running;
use owner::Owner;

fn demo(home: &Home) -> Running {
    Running::demo(home)
}

/// Starts `pdpp connect` with a browser that shows nothing.
pub fn start(home: &Home, base: &str, more: &[&str]) -> (Child, BufReader<ChildStderr>) {
    let arguments = [&["connect", base, "--json"], more].concat();
    let mut command = home.command(&arguments);
    command.env("BROWSER", "true").env("PATH", "/usr/bin:/bin");
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let stderr = BufReader::new(child.stderr.take().unwrap());
    (child, stderr)
}

/// The first line that holds a word, from that word on.
pub fn line_with(lines: &mut impl BufRead, word: &str) -> String {
    let mut said = String::new();
    loop {
        let mut line = String::new();
        assert!(lines.read_line(&mut line).unwrap() > 0, "ended early: {said}");
        if let Some(at) = line.find(word) {
            return line[at..].trim().to_owned();
        }
        said.push_str(&line);
    }
}

pub fn finish(mut child: Child, mut stderr: impl Read) -> (i32, String, String) {
    let (mut out, mut err) = (String::new(), String::new());
    child.stdout.take().unwrap().read_to_string(&mut out).unwrap();
    stderr.read_to_string(&mut err).unwrap();
    (child.wait().unwrap().code().unwrap(), out, err)
}

pub fn kept(home: &Home) -> (PathBuf, Value) {
    let clients = home.data_dir().join("providers/clients");
    let files = std::fs::read_dir(clients).unwrap().map(|file| file.unwrap().path());
    let path =
        files.into_iter().find(|path| path.extension().is_some_and(|e| e == "json")).unwrap();
    let document = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
    (path, document)
}

/// Asks the adapter one thing over standard input.
fn search(home: &Home, base: &str) -> Value {
    let mut command = home.command(&["mcp", "--provider-url", base]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::inherit());
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    let mut ask = |message: Value| {
        writeln!(stdin, "{message}").unwrap();
        let mut line = String::new();
        if message.get("id").is_some() {
            stdout.read_line(&mut line).unwrap();
        }
        serde_json::from_str(&line).unwrap_or(Value::Null)
    };
    let info = json!({"name": "test", "version": "1"});
    let params = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": info});
    ask(json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}));
    ask(json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
    let call = json!({"name": "search", "arguments": {"query": "boiler", "limit": 1}});
    let answer = ask(json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": call}));
    drop(stdin);
    child.wait().unwrap();
    answer["result"].clone()
}

fn has_hits(found: &Value) -> bool {
    found["structuredContent"]["results"].as_array().is_some_and(|results| !results.is_empty())
}

#[test]
fn connecting_in_the_browser_keeps_a_credential_that_the_adapter_uses_and_renews() {
    let home = Home::new();
    let server = demo(&home);
    let base = server.ready["base_url"].as_str().unwrap();
    let missing = home.run(&["mcp", "--provider-url", base]);
    assert_eq!(missing.code, 78, "{}", missing.stderr);
    let owner = Owner::new(&home, &server);
    let (child, mut stderr) = start(&home, base, &[]);
    let question = line_with(&mut stderr, "http://127.0.0.1");
    let back = owner.decide(&question, "allow");
    assert_eq!(owner.open(&back).status, 200, "{back}");
    let (code, out, err) = finish(child, stderr);
    assert_eq!(code, 0, "{err}");
    let answer: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(answer["resource"], format!("{base}/v1"));
    let names = answer["grants"].as_array().unwrap().iter().map(|grant| &grant["display_name"]);
    let names: Vec<&Value> = names.collect();
    assert!(names.len() > 1 && names.contains(&&json!("Work mail")), "{answer}");
    assert!(!out.contains("pdpp_client_") && !out.contains("pdpp_refresh_"), "{out}");

    let found = search(&home, base);
    assert!(has_hits(&found), "{found}");
    let (path, before) = kept(&home);
    let mut stale = before.clone();
    let token = before["credential"]["access_token"].as_str().unwrap();
    let last = if token.ends_with('x') { 'y' } else { 'x' };
    stale["credential"]["access_token"] = json!(format!("{}{last}", &token[..token.len() - 1]));
    rewrite(&path, &stale);
    let found = search(&home, base);
    assert!(has_hits(&found), "{found}");
    let (_, after) = kept(&home);
    let refresh = |document: &Value| document["credential"]["refresh_token"].clone();
    assert_ne!(refresh(&before), refresh(&after), "a refused token is renewed and kept");

    let mut expired = after;
    expired["credential"]["expires_at"] = json!("2020-01-01T00:00:00Z");
    rewrite(&path, &expired);
    let found = search(&home, base);
    assert!(has_hits(&found), "an old token is renewed before it is used: {found}");
}

/// Changes the file in place, so that it stays closed to others.
fn rewrite(path: &std::path::Path, document: &Value) {
    std::fs::write(path, document.to_string()).unwrap();
}

#[test]
fn eight_adapters_that_share_one_old_credential_all_come_through() {
    let home = Home::new();
    let server = demo(&home);
    let base = server.ready["base_url"].as_str().unwrap();
    let owner = Owner::new(&home, &server);
    let (child, mut stderr) = start(&home, base, &[]);
    let back = owner.decide(&line_with(&mut stderr, "http://127.0.0.1"), "allow");
    owner.open(&back);
    assert_eq!(finish(child, stderr).0, 0);
    let (path, mut old) = kept(&home);
    old["credential"]["expires_at"] = json!("2020-01-01T00:00:00Z");
    rewrite(&path, &old);
    std::thread::scope(|scope| {
        let adapters: Vec<_> = (0..8).map(|_| scope.spawn(|| search(&home, base))).collect();
        for adapter in adapters {
            let found = adapter.join().unwrap();
            assert!(has_hits(&found), "{found}");
        }
    });
}

#[test]
fn a_code_on_another_device_and_an_owner_who_says_no() {
    let home = Home::new();
    let server = demo(&home);
    let base = server.ready["base_url"].as_str().unwrap();
    let owner = Owner::new(&home, &server);
    for (decision, expected) in [("refuse", 77), ("allow", 0)] {
        let (child, mut stderr) = start(&home, base, &["--device"]);
        let line = line_with(&mut stderr, "enter the code");
        let code = line.rsplit(' ').next().unwrap();
        owner.decide_device(code, decision);
        let (code, _, err) = finish(child, stderr);
        assert_eq!(code, expected, "{err}");
    }
    assert!(has_hits(&search(&home, base)));
}

/// Nobody has given this machine anything yet: over HTTP a client is led to the sign-in, on standard
/// input a command says what to run, and after either way of running it the same call reads.
#[test]
fn journey_j16_from_no_credential_to_a_read_in_the_browser_and_with_a_code() {
    for device in [false, true] {
        let home = Home::new();
        let server = demo(&home);
        let base = server.ready["base_url"].as_str().unwrap();
        let owner = Owner::new(&home, &server);
        let challenged = owner.challenge_at(&format!("{base}/mcp"));
        let metadata = challenged.split("resource_metadata=\"").nth(1).unwrap();
        let metadata = owner.open(metadata.split('"').next().unwrap());
        assert_eq!(metadata.status, 200, "{}", metadata.text);
        let document: Value = serde_json::from_str(&metadata.text).unwrap();
        assert_eq!(document["authorization_servers"], json!([base]));

        let missing = home.run(&["mcp", "--provider-url", base]);
        assert_eq!((missing.code, missing.stdout.as_str()), (78, ""), "{}", missing.stderr);
        assert!(missing.stderr.contains("pdpp connect"), "{}", missing.stderr);
        let more: &[&str] = if device { &["--device"] } else { &[] };
        let (child, mut stderr) = start(&home, base, more);
        if device {
            let line = line_with(&mut stderr, "enter the code");
            owner.decide_device(line.rsplit(' ').next().unwrap(), "allow");
        } else {
            let back = owner.decide(&line_with(&mut stderr, "http://127.0.0.1"), "allow");
            assert_eq!(owner.open(&back).status, 200, "{back}");
        }
        let (code, _, err) = finish(child, stderr);
        assert_eq!(code, 0, "{err}");
        assert!(has_hits(&search(&home, base)), "device: {device}");
    }
}

#[test]
fn addresses_that_cannot_be_signed_in_at_have_their_exit_codes() {
    let home = Home::new();
    for (url, code) in [("http://example.org", 64), ("ftp://x", 64), ("http://127.0.0.1:1", 69)] {
        let answer = home.run(&["connect", url]);
        assert_eq!(answer.code, code, "{url}: {}", answer.stderr);
        assert_eq!(answer.stdout, "");
    }
    assert!(!home.data_dir().join("pdpp.sqlite").exists(), "no store is made by connecting");
}

#[test]
fn t_own_1_an_owner_s_credential_near_connect_stops_it() {
    let home = Home::new();
    let token = format!("pdpp_owner_{}", "a1B".repeat(17).get(..49).unwrap());
    for (name, value) in [("PDPP_OWNER_TOKEN", "x"), ("ANYTHING", token.as_str())] {
        let output = home.command(&["connect", "http://127.0.0.1:1"]).env(name, value).output();
        assert_eq!(output.unwrap().status.code(), Some(77), "{name}");
    }
    let clients = home.data_dir().join("providers/clients");
    std::fs::create_dir_all(&clients).unwrap();
    let kept = json!({"credential": {"access_token": token}}).to_string();
    let path = clients.join("127.0.0.1_1.json");
    std::fs::write(&path, kept).unwrap();
    crate::mcp::close_to_others(&path);
    assert_eq!(home.run(&["connect", "http://127.0.0.1:1"]).code, 77);
}
