//! `pdpp serve`: ready, alone on its store, and polite when it is asked to stop.

use std::net::TcpListener;

use serde_json::json;

use crate::http;
use crate::program::Home;
use crate::running::Running;

#[test]
fn a_ready_server_says_where_it_is_and_answers() {
    let home = Home::new();
    let server = Running::serve(&home);
    let base = server.ready["base_url"].as_str().unwrap();
    assert!(base.starts_with("http://127.0.0.1:"), "{base}");
    let expected = json!({
        "base_url": base,
        "mcp_url": format!("{base}/mcp"),
        "owner_url": format!("{base}/owner"),
        "pid": server.pid(),
    });
    assert_eq!(server.ready, expected);
    assert_eq!(http::get(&format!("{base}/healthz"), None).status, 200);
    assert_eq!(http::get(&format!("{base}/v1/streams"), None).status, 401);
}

#[test]
fn a_second_server_on_one_store_is_refused_and_told_who_is_first() {
    let home = Home::new();
    let first = Running::serve(&home);
    let line = ["serve", "--listen", "127.0.0.1:0", "--json"];
    let answer = home.run(&line);
    assert_eq!(answer.code, 69);
    let error = answer.error();
    let message = error["message"].as_str().unwrap();
    assert!(message.contains(&first.pid().to_string()), "{message}");
    assert_eq!(first.get("/healthz", "").status, 200, "the first one does not notice");
    drop(first);
    drop(Running::serve(&home));
}

#[test]
fn a_taken_port_exits_with_69() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let answer = Home::new().run(&["serve", "--listen", &address]);
    assert_eq!(answer.code, 69, "{}", answer.stderr);
    assert!(answer.stderr.contains(&address), "{}", answer.stderr);
}

#[test]
fn health_tells_a_ready_server_from_none_and_from_a_stranger() {
    let home = Home::new();
    let server = Running::serve(&home);
    let base = server.ready["base_url"].as_str().unwrap().to_owned();
    let ready = home.json(&["health", &base, "--json"]);
    assert_eq!(ready, json!({"status": "ready", "url": base}));
    assert_eq!(home.run(&["health", &format!("{base}/elsewhere")]).code, 69);
    drop(server);
    let gone = home.run(&["health", &base]);
    assert_eq!(gone.code, 69);
    assert!(gone.stderr.contains(&base), "{}", gone.stderr);
    assert_eq!(home.run(&["health", "ftp://nowhere"]).code, 64);
}

#[cfg(unix)]
#[test]
fn a_server_that_is_asked_to_stop_ends_well() {
    assert_eq!(Running::serve(&Home::new()).terminate(), Some(0));
}

#[test]
fn a_public_url_is_what_the_server_calls_itself() {
    let home = Home::new();
    let line =
        ["serve", "--json", "--listen", "127.0.0.1:0", "--public-url", "https://data.example.org/"];
    let server = Running::start(&home, &line);
    assert_eq!(server.ready["mcp_url"], "https://data.example.org/mcp");
    drop(server);
    let answer =
        home.run(&["serve", "--listen", "127.0.0.1:0", "--public-url", "data.example.org"]);
    assert_eq!(answer.code, 64, "{}", answer.stderr);
}

#[test]
fn the_login_page_names_what_a_command_needs_to_find_the_store_and_no_place() {
    let home = Home::file_store();
    let place = home.path().join("elsewhere").display().to_string();
    let arguments = ["serve", "--json", "--listen", "127.0.0.1:0", "--data-dir", &place];
    let server = Running::start(&home, &arguments);
    let mut reply = ureq::get(format!("{}/owner/login", server.base_url())).call().unwrap();
    let page = reply.body_mut().read_to_string().unwrap();
    assert!(page.contains("<code>--data-dir</code> of this server"), "{page}");
    assert!(!page.contains(&place) && !page.contains("--database"), "{page}");
}
