//! Faults between a client and the server: names, proxies, clocks.

use std::net::TcpListener;

use super::doctor;
use super::proxy::{Meddling, Proxy};
use crate::program::Home;
use crate::running::Running;

const NOT_FOUND: &str = "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
const LOCAL_CLIENTS: [&str; 7] =
    ["Claude Code", "Codex", "Cursor", "VS Code", "Gemini CLI", "opencode", "pdpp connect"];

fn base(server: &Running) -> String {
    server.ready["base_url"].as_str().unwrap().to_owned()
}

/// A server behind a proxy that meddles, and the address of the proxy.
fn behind(home: &Home, meddle: Meddling) -> (Running, Proxy) {
    let server = Running::serve(home);
    let proxy = Proxy::before(base(&server).trim_start_matches("http://"), meddle);
    (server, proxy)
}

#[test]
fn a_server_that_runs_is_found_by_itself_and_every_local_client_gets_to_the_login() {
    let home = Home::file_store();
    let _server = Running::serve(&home);
    let said = doctor(&home, &[]);
    assert_eq!(said.code, 0, "{}", said.document);
    for client in LOCAL_CLIENTS {
        assert_eq!(said.stops_at(client), None, "{client}");
    }
    for client in ["ChatGPT", "Claude (web and phone)"] {
        assert!(said.stops_at(client).unwrap().contains("https"), "{client}");
    }
}

#[test]
fn a_server_without_a_password_is_noted_until_there_is_one() {
    let home = Home::file_store();
    let _server = Running::serve(&home);
    let noted = |said: &super::Said| {
        let findings = said.document["findings"].as_array().unwrap();
        findings.iter().find(|found| found["check"] == "password").cloned()
    };
    let said = doctor(&home, &["--data-dir", "data"]);
    let found = noted(&said).unwrap_or_else(|| panic!("{}", said.document));
    assert_eq!((said.code, &found["state"]), (0, &"note".into()), "{found}");
    assert_eq!(found["what"], "no owner password yet, so nobody can sign in");
    assert_eq!(found["remedy"], "pdpp owner password --data-dir data");
    let set = home.run_with_input(&["owner", "password"], b"a long enough sentence\n");
    assert_eq!(set.code, 0, "{}", set.stderr);
    assert_eq!(noted(&doctor(&home, &[])).unwrap()["state"], "ok");
}

#[test]
fn a_proxy_that_passes_everything_on_is_no_fault() {
    let home = Home::file_store();
    let (_server, proxy) = behind(&home, |_, answer| answer);
    let said = doctor(&home, &[&proxy.url]);
    assert_eq!(said.code, 0, "{}", said.document);
}

#[test]
fn a_wrong_public_url_is_named_with_the_right_one() {
    let home = Home::file_store();
    let line = ["serve", "--json", "--listen", "127.0.0.1:0", "--public-url", "http://127.0.0.1:9"];
    let _server = Running::start(&home, &line);
    let lock = std::fs::read_to_string(home.data_dir().join("serve.lock")).unwrap();
    let url = format!("http://{}", lock.lines().nth(1).unwrap());
    let said = doctor(&home, &[&url]);
    said.names("public_url", "http://127.0.0.1:9/mcp", &format!("--public-url {url}"));
    assert!(said.stops_at("Claude Code").unwrap().contains("metadata"), "{}", said.document);
}

#[test]
fn a_proxy_that_swallows_the_metadata_is_named_and_so_is_who_it_stops() {
    let home = Home::file_store();
    let (_server, proxy) = behind(&home, |path, answer| {
        if path.starts_with("/.well-known/") { NOT_FOUND.to_owned() } else { answer }
    });
    let said = doctor(&home, &[&proxy.url]);
    said.names("resource_metadata", "oauth-protected-resource/mcp", "/.well-known/");
    said.names("server_metadata", "404", "/.well-known/");
    for client in LOCAL_CLIENTS {
        assert!(said.stops_at(client).unwrap().contains("metadata"), "{client}");
    }
}

#[test]
fn a_proxy_with_a_page_of_its_own_and_one_that_drops_the_challenge_are_named() {
    let home = Home::file_store();
    let (server, proxy) = behind(&home, |path, answer| {
        let page = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 4\r\n\
                    Connection: close\r\n\r\n<ok>";
        if path == "/.well-known/oauth-protected-resource" { page.to_owned() } else { answer }
    });
    let said = doctor(&home, &[&proxy.url]);
    said.names("resource_metadata", "does not return", "/.well-known/");
    assert_eq!(said.stops_at("Claude Code"), None, "it does not ask there");
    assert!(said.stops_at("Gemini CLI").is_some(), "it does");
    let proxy = Proxy::before(base(&server).trim_start_matches("http://"), |_, answer| {
        answer.replace("www-authenticate:", "x-was:")
    });
    doctor(&home, &[&proxy.url]).names("challenge", "without pointing", "WWW-Authenticate");
}

#[test]
fn a_clock_that_is_wrong_is_named() {
    let home = Home::file_store();
    let (_server, proxy) = behind(&home, |_, answer| {
        let lines = answer.split("\r\n").map(|line| {
            let is_date = line.to_lowercase().starts_with("date:");
            if is_date { "date: Sun, 06 Nov 1994 08:49:37 GMT" } else { line }
        });
        lines.collect::<Vec<_>>().join("\r\n")
    });
    let said = doctor(&home, &[&proxy.url]);
    said.names("clock", "behind", "timedatectl");
    said.only("clock");
}

#[test]
fn a_server_that_is_not_there_and_plain_http_are_told_apart() {
    let home = Home::file_store();
    let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let said = doctor(&home, &[&format!("http://{free}")]);
    said.names("reach", "cannot connect", "pdpp serve");
    assert_eq!(said.code, 69);
    let said = doctor(&home, &["http://10.1.2.3:7667"]);
    said.names("reach", "plain http", "https");
    assert_eq!(home.run(&["doctor", "ftp://x"]).code, 64);
}

#[test]
fn a_person_reads_what_is_wrong_and_an_arrow_to_what_helps() {
    let home = Home::file_store();
    let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let answer = home.run(&["doctor", &format!("http://{free}"), "--listen", "127.0.0.1:0"]);
    assert!(answer.stdout.contains("fault  reach"), "{}", answer.stdout);
    assert!(answer.stdout.contains("→ start pdpp serve"), "{}", answer.stdout);
    assert!(answer.stdout.ends_with("1 problem.\n"), "{}", answer.stdout);
}
