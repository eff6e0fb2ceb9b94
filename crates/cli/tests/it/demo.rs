//! `pdpp demo`: ready within a minute, the same twice, and made anew when asked.

use std::net::TcpListener;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::program::Home;
use crate::running::Running;

const DEMO: &[&str] = &["demo", "--json", "--listen", "127.0.0.1:0"];

fn token(demo: &Running) -> &str {
    demo.ready["access_token"].as_str().unwrap()
}

#[test]
fn the_demo_answers_within_a_minute_and_keeps_its_promises() {
    let home = Home::new();
    let started = Instant::now();
    let demo = Running::start(&home, DEMO);
    assert!(started.elapsed() < Duration::from_mins(1), "{:?}", started.elapsed());
    let members: Vec<&String> = demo.ready.as_object().unwrap().keys().collect();
    assert_eq!(members, ["base_url", "mcp_url", "owner_url", "pid", "access_token"]);

    let mail = demo.get("/v1/streams/messages/records?limit=5&order=desc", token(&demo));
    assert_eq!((mail.status, mail.body["data"].as_array().unwrap().len()), (200, 5));
    let window = "/v1/streams/notes/records/work%2Fharbor%2Fretrospective%2C%20raw%20transcript%20\
        %F0%9F%8E%99%EF%B8%8F.md/field-window?field=body&q=spare%20key";
    let window = demo.get(window, token(&demo));
    assert_eq!(window.status, 200, "{:?}", window.body);
    assert!(window.body.to_string().contains("third drawer of the blue cabinet"));
    let hidden = demo.get("/v1/streams/channels/records", token(&demo));
    assert_eq!(hidden.status, 403, "{:?}", hidden.body);

    let demo_dir = home.data_dir().join("demo");
    let demo_dir = demo_dir.to_str().unwrap();
    let listed = home.json(&["connection", "list", "--data-dir", demo_dir, "--json"]);
    let connections = listed["connections"].as_array().unwrap();
    assert!(connections.len() >= 5);
    assert_eq!(home.run(&["connection", "list"]).code, 1, "the real store is another one");
}

#[test]
fn a_second_start_changes_nothing_and_a_reset_begins_anew() {
    let home = Home::new();
    let demo_dir = home.data_dir().join("demo");
    let demo_dir = demo_dir.to_str().unwrap().to_owned();
    let contents = || home.json(&["connection", "list", "--data-dir", &demo_dir, "--json"]);
    let first = Running::start(&home, DEMO);
    let (first_token, first_contents) = (token(&first).to_owned(), contents());
    let refused = home.run(DEMO);
    assert_eq!(refused.code, 69, "one demo at a time: {}", refused.stderr);
    drop(first);

    let second = Running::start(&home, DEMO);
    assert_eq!(token(&second), first_token);
    assert_eq!(contents(), first_contents);
    drop(second);

    // A demo in a database has left its address here; that one may hold a password.
    let address = home.data_dir().join("demo/database-url");
    if home.database_url().is_none() {
        std::fs::write(&address, "postgres://ada:sesame@127.0.0.1:9/none").unwrap();
    }
    let third = Running::start(&home, &[DEMO, &["--reset"]].concat());
    assert_eq!(address.exists(), home.database_url().is_some());
    assert_ne!(token(&third), first_token);
    assert_eq!(third.get("/v1/streams", &first_token).status, 401);
    assert_eq!(third.get("/v1/streams", token(&third)).status, 200);
    let ids = |list: &Value| list["connections"][0]["connection_id"].clone();
    assert_ne!(ids(&contents()), ids(&first_contents));
}

#[cfg(unix)]
#[test]
fn what_the_demo_prints_works_as_it_is_printed() {
    use std::io::{BufRead, BufReader};
    let home = Home::new();
    let mut command = home.command(&["demo", "--listen", "127.0.0.1:0"]);
    command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::null());
    let mut demo = command.spawn().unwrap();
    let lines = BufReader::new(demo.stdout.take().unwrap()).lines();
    let said: Vec<String> =
        lines.map(Result::unwrap).take_while(|line| !line.starts_with("Stop with")).collect();
    let bearer = said.iter().find_map(|line| line.trim().strip_prefix("AGENT=")).unwrap();
    let token = bearer.trim_matches('\'').strip_prefix("Authorization: Bearer ").unwrap();
    let urls = said.iter().filter(|line| line.contains("curl "));
    let answers: Vec<crate::http::Reply> = urls
        .map(|line| {
            let quoted: Vec<&str> = line.split('\'').collect();
            crate::http::get(quoted[1], Some(token))
        })
        .collect();
    // The home has no client; the line must be one that setup understands.
    let setup = said.iter().find(|line| line.contains(" setup claude-code ")).unwrap();
    let printed = std::process::Command::new("sh")
        .args(["-c", &format!("{setup} --print")])
        .env("HOME", home.path())
        .output()
        .unwrap();
    assert!(printed.status.success(), "{printed:?}");
    assert!(String::from_utf8_lossy(&printed.stdout).contains("\"pdpp-demo\""));
    let audit = said.iter().find(|line| line.contains(" audit --data-dir ")).unwrap();
    let audited = std::process::Command::new("sh").args(["-c", audit]).output().unwrap();
    let _ = demo.kill();
    let _ = demo.wait();
    let statuses: Vec<u16> = answers.iter().map(|reply| reply.status).collect();
    assert_eq!(statuses, [200, 200, 403, 403], "{said:#?}");
    let words = |reply: &crate::http::Reply| {
        let error = &reply.body["error"];
        (error["code"].clone(), error["message"].to_string().replace("body_txet", "body_text"))
    };
    assert_eq!(words(&answers[2]), words(&answers[3]), "hidden and invented answer alike");
    assert!(audited.status.success(), "{audited:?}");
}

#[test]
fn a_port_that_was_asked_for_and_is_taken_is_refused() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let answer = Home::new().run(&["demo", "--listen", &address]);
    assert_eq!(answer.code, 69, "{}", answer.stderr);
}
