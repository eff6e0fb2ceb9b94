//! `pdpp import --watch`: files dropped into a folder come in by themselves.

use std::io::{BufRead, BufReader, Lines};
use std::process::{Child, ChildStdout, Stdio};

use serde_json::Value;

use crate::program::Home;
use crate::sample::record_count;

/// A running watch; it ends with the test.
struct Watching {
    child: Child,
    reports: Lines<BufReader<ChildStdout>>,
}

impl Watching {
    fn start(home: &Home) -> Self {
        let line = ["import", "eml", "mail", "--connection", "m", "--watch", "--json", "--quiet"];
        let mut command = home.command(&line);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        let reports = BufReader::new(child.stdout.take().unwrap()).lines();
        Self { child, reports }
    }

    /// Waits for the next report: messages that were added, items that were rejected.
    fn report(&mut self) -> (u64, u64) {
        let report: Value = serde_json::from_str(&self.reports.next().unwrap().unwrap()).unwrap();
        (report["added"].as_u64().unwrap(), report["rejected"].as_u64().unwrap())
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn letter(number: u32) -> String {
    format!("From: a@example.org\nMessage-ID: <{number}@x>\nSubject: No {number}\n\nHello.\n")
}

#[test]
fn files_that_are_dropped_in_are_imported_and_a_bad_one_ends_nothing() {
    let home = Home::new();
    let folder = home.path().join("mail");
    std::fs::create_dir(&folder).unwrap();
    // Nothing is there yet, which is no reason to stop.
    let mut watching = Watching::start(&home);
    std::fs::write(folder.join("1.eml"), letter(1)).unwrap();
    assert_eq!(watching.report(), (2, 0), "a message and its thread");
    std::fs::write(folder.join("bad.eml"), "\0\u{1}").unwrap();
    assert_eq!(watching.report(), (0, 1));
    std::fs::remove_file(folder.join("bad.eml")).unwrap();
    std::fs::write(folder.join("2.eml"), letter(2)).unwrap();
    assert_eq!(watching.report(), (2, 0));
    assert_eq!(record_count(&home, "m"), 4);
}

#[test]
fn a_folder_that_is_not_there_is_bad_input() {
    let home = Home::new();
    let line = ["import", "eml", "nowhere", "--connection", "m", "--watch"];
    let answer = home.run(&line);
    assert_eq!(answer.code, 65, "{}", answer.stderr);
}
