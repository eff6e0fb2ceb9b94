//! A move that is killed goes on, and one whose source has changed is refused.

use std::io::{BufRead, BufReader};
use std::process::Stdio;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use crate::program::Home;
use crate::running::Running;
use crate::sample::{imported, letters};

/// Enough for several ranges.
const LETTERS: u64 = 2_500;

/// Starts a move and kills it after it said this.
fn killed_at(home: &Home, line: &[&str], said: &str) {
    let mut command = home.command(line);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    assert!(lines.any(|line| line.unwrap().starts_with(said)), "it came as far as {said}");
    child.kill().unwrap();
    assert!(!child.wait().unwrap().success(), "it was killed before its end");
}

/// Kills a move after some of it was kept.
fn broken_off(home: &Home, line: &[&str]) {
    killed_at(home, line, "copied ");
}

/// A store with a file, and where it goes to: another file, or a database.
fn ways() -> impl Iterator<Item = (Home, String)> {
    let place = |there: &Home| {
        let directory = there.data_dir().to_str().unwrap().to_owned();
        there.database_url().map_or(directory, str::to_owned)
    };
    let theres = [Some(Home::file_store()), Home::on_postgres()];
    theres.into_iter().flatten().map(move |there| {
        let place = place(&there);
        (there, place)
    })
}

#[test]
fn a_move_that_was_killed_goes_on() {
    let home = Home::file_store();
    imported(&home, "post", &letters(0..LETTERS));
    let from = home.data_dir();
    for (there, to) in ways() {
        let line = ["migrate-store", "--from", from.to_str().unwrap(), "--to", &to, "--json"];
        broken_off(&home, &line);
        let refused = there.run(&["connection", "list", "--json"]);
        assert_eq!(refused.error()["code"], "store_unfinished", "half a store serves nobody");
        broken_off(&home, &line);
        killed_at(&home, &line, "Comparing");
        let refused = there.run(&["connection", "list", "--json"]);
        assert_eq!(refused.error()["code"], "store_unfinished", "nobody has compared it");
        let moved = home.json(&line);
        assert_eq!((&moved["records"], &moved["same"]), (&json!(LETTERS), &json!(true)));
        assert_eq!(there.json(&["verify", "--json"])["faults"], json!([]));
        let again = home.run(&line);
        assert_eq!(again.code, 1, "it is done: {}", again.stderr);
    }
}

#[test]
fn what_is_written_during_a_move_does_not_come_along_and_that_is_said() {
    let home = Home::file_store();
    imported(&home, "post", &letters(0..LETTERS));
    let from = home.data_dir();
    for (at, (there, to)) in (LETTERS..).zip(ways()) {
        let line = ["migrate-store", "--from", from.to_str().unwrap(), "--to", &to, "--json"];
        let mut command = home.command(&line);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        assert!(lines.any(|line| line.unwrap().starts_with("copied ")), "it has begun");
        kill_process(Pid::from_child(&child), Signal::STOP).unwrap();
        assert_eq!(imported(&home, "post", &letters(at..at + 1))["added"], 1);
        kill_process(Pid::from_child(&child), Signal::CONT).unwrap();
        assert_eq!(lines.map_while(Result::ok).filter(|line| line.contains("error")).count(), 0);
        let ended = child.wait_with_output().unwrap();
        let document: Value = serde_json::from_slice(&ended.stdout).unwrap();
        let (same, meanwhile) = (&document["same"], &document["written_meanwhile"]);
        assert_eq!((same, meanwhile), (&json!(true), &json!(true)), "{document}");
        assert_eq!(ended.status.code(), Some(1), "something is missing");
        assert_eq!(document["records"], at, "as it was at the beginning");
        assert_eq!(there.json(&["verify", "--json"])["faults"], json!([]));
    }
}

#[test]
fn a_restore_that_was_killed_goes_on() {
    let home = Home::file_store();
    imported(&home, "post", &letters(0..LETTERS));
    let copy = home.path().join("copy");
    let copy = copy.to_str().unwrap();
    home.json(&["backup", copy, "--json"]);
    for (there, _) in ways() {
        let line = ["restore", copy, "--json"];
        broken_off(&there, &line);
        let refused = there.run(&["connection", "list", "--json"]);
        assert_eq!(refused.error()["code"], "store_unfinished", "half a store serves nobody");
        let restored = there.json(&line);
        assert_eq!((&restored["records"], &restored["faults"]), (&json!(LETTERS), &json!([])));
        let again = there.run(&line);
        assert_eq!(again.code, 1, "only an empty store is filled: {}", again.stderr);
    }
}

#[test]
fn a_backup_goes_into_a_store_that_a_server_was_started_on() {
    let home = Home::file_store();
    imported(&home, "post", &letters(0..3));
    assert_eq!(Running::alone(&home).terminate(), Some(0), "the copy holds such a link too");
    let copy = home.path().join("copy");
    let copy = copy.to_str().unwrap();
    home.json(&["backup", copy, "--json"]);
    for (there, _) in ways() {
        assert_eq!(Running::alone(&there).terminate(), Some(0), "it printed its first link");
        let restored = there.json(&["restore", copy, "--json"]);
        assert_eq!((&restored["records"], &restored["faults"]), (&json!(3), &json!([])));
        let owner = there.run_with_input(&["owner", "password"], b"a long enough password\n");
        assert_eq!(owner.code, 0, "{}", owner.stderr);
        let again = there.run(&["restore", copy, "--json"]);
        assert_eq!(again.error()["code"], "conflict", "it is in use now");
    }
}

#[test]
fn nobody_fills_a_store_that_a_server_has_open() {
    let home = Home::file_store();
    imported(&home, "post", &letters(0..3));
    let (copy, from) = (home.path().join("copy"), home.data_dir());
    let copy = copy.to_str().unwrap();
    home.json(&["backup", copy, "--json"]);
    for (there, to) in ways() {
        let server = Running::alone(&there);
        let restore = ["restore", copy, "--json"];
        let moving = ["migrate-store", "--from", from.to_str().unwrap(), "--to", &to, "--json"];
        for (whose, line) in [(&there, &restore[..]), (&home, &moving[..])] {
            let refused = whose.run(line);
            assert_eq!(refused.code, 69, "{}", refused.stderr);
            assert!(refused.stderr.contains("\"store_in_use\""), "{}", refused.stderr);
        }
        assert_eq!(server.terminate(), Some(0));
        assert_eq!(there.json(&restore)["records"], 3);
        let server = Running::alone(&there);
        imported(&there, "post", &letters(3..5));
        drop(server);
        assert_eq!(there.json(&["verify", "--json"])["faults"], json!([]));
    }
}

#[test]
fn a_store_that_changed_is_not_mixed_with_what_it_was() {
    let home = Home::file_store();
    imported(&home, "post", &letters(0..LETTERS));
    let from = home.data_dir();
    let there = Home::file_store();
    let to = there.data_dir();
    let line = ["migrate-store", "--from", from.to_str().unwrap(), "--to", to.to_str().unwrap()];
    broken_off(&home, &line);
    home.json(&["connection", "rename", "post", "The post", "--json"]);
    let refused = home.run(&line);
    assert_eq!(refused.code, 1, "{}", refused.stderr);
    assert!(refused.stderr.contains("before it changed"), "{}", refused.stderr);
    assert_eq!(there.run(&["connection", "list"]).code, 1, "it stays closed");
}

#[test]
fn a_url_of_something_else_is_no_directory() {
    let home = Home::file_store();
    imported(&home, "post", &letters(0..3));
    let from = home.data_dir();
    let from = from.to_str().unwrap();
    for (from, to) in [(from, "postgre://ada:secret@host/db"), ("mysql://host/db", from)] {
        let refused = home.run(&["migrate-store", "--from", from, "--to", to]);
        assert_eq!(refused.code, 64, "{}", refused.stderr);
        assert!(!refused.stderr.contains("secret"), "{}", refused.stderr);
    }
}

#[test]
fn a_file_that_a_killed_command_left_is_no_difference() {
    let (home, there) = (Home::file_store(), Home::file_store());
    imported(&home, "post", &letters(0..3));
    let stray = home.data_dir().join("blobs/ab");
    std::fs::create_dir_all(&stray).unwrap();
    std::fs::write(stray.join("0".repeat(62)), "left").unwrap();
    assert_eq!(home.json(&["verify", "--json"])["stray_files"], 1);
    let (from, to) = (home.data_dir(), there.data_dir());
    let line = ["migrate-store", "--from", from.to_str().unwrap(), "--to", to.to_str().unwrap()];
    let moved = home.run(&[&line[..], &["--json"]].concat());
    assert_eq!((moved.code, &moved.document()["same"]), (0, &json!(true)), "{}", moved.stdout);
    assert_eq!(there.json(&["verify", "--json"])["records"], 3);
}
