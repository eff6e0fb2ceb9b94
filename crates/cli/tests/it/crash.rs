//! An import that is killed at any moment: the store is sound and keeps what it said it kept.

use std::fmt::Write;
use std::io::{BufRead, BufReader};
use std::process::{Child, ChildStderr, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use serde_json::json;

use crate::program::{Home, is_on_postgres};
use crate::sample::{declaration, letter, record_count};

const RECORDS: u64 = 5_000;
/// Every so many records one is long enough to live outside its row.
const LONG_EVERY: u64 = 50;

#[test]
fn kill_nine_during_import() {
    // On Postgres a round takes longer and there are fewer moments to hit: a batch is one transaction.
    let few = if is_on_postgres() { 3 } else { 10 };
    let rounds = if is_heavy() { 100 } else { few };
    let lines = lines();
    let mut dice = Dice(0x5eed_cafe);
    let mut interrupted = 0;
    for round in 0..rounds {
        let home = Home::new();
        let files = [
            home.file("post.json", &declaration().to_string()),
            home.file("letters.jsonl", &lines),
        ];
        let mut child = start(&home, &files);
        let heard = Heard::listen(child.stderr.take().unwrap());
        let wanted = dice.roll(5);
        let pause = Duration::from_micros(dice.roll(120_000));
        let mut committed = heard.wait_for_lines(wanted);
        committed = committed.max(heard.wait_at_most(pause));
        child.kill().unwrap();
        child.wait().unwrap();
        committed = committed.max(heard.rest());

        let seed = format!("round {round}: {wanted} lines, {pause:?}, {committed} committed");
        let kept = check(&home, committed, &seed);
        interrupted += u64::from(kept < RECORDS);
        // Whoever starts the import again ends with everything, once.
        if round % 10 == 0 {
            assert_eq!(home.run(&arguments(&files)).code, 0, "{seed}");
            assert_eq!(record_count(&home, "post"), RECORDS, "{seed}");
            check(&home, RECORDS, &seed);
        }
    }
    assert!(interrupted > 0, "no import was stopped before its end");
}

#[test]
fn kill_nine_during_an_import_with_files_leaves_none_behind() {
    let mail = mail_with_files(300);
    let mut dice = Dice(0x0bad_cafe);
    let mut interrupted = 0;
    let few = if is_on_postgres() { 3 } else { 8 };
    for round in 0..if is_heavy() { 60 } else { few } {
        let home = Home::new();
        let mail = home.file("mail.mbox", &mail);
        let small = [
            home.file("post.json", &declaration().to_string()),
            home.file("letters.jsonl", &letter(1, "hello")),
        ];
        let arguments = ["import", "mbox", &mail, "--connection", "mail", "-q"];
        let mut command = home.command(&arguments);
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::null()).spawn().unwrap();
        let uploads = home.data_dir().join("blobs/uploads");
        // Some files came: the import is in the middle of it.
        let wanted = 1 + dice.roll(100);
        while listed(&uploads) < wanted && child.try_wait().unwrap().is_none() {
            std::thread::yield_now();
        }
        child.kill().unwrap();
        child.wait().unwrap();
        let seed = format!("round {round}: {wanted} files");
        let report = home.json(&["verify", "--json"]);
        assert_eq!(report["faults"], json!([]), "{seed}");
        assert_eq!(home.run(&self::arguments(&small)).code, 0, "{seed}");
        let report = home.json(&["verify", "--json"]);
        assert_eq!((&report["stray_files"], &report["faults"]), (&json!(0), &json!([])), "{seed}");
        let shown = home.run(&["connection", "show", "mail", "--json"]);
        let shown = if shown.code == 0 { shown.document() } else { json!({"streams": []}) };
        let streams = shown["streams"].as_array().unwrap();
        let named = streams.iter().find(|stream| stream["name"] == "attachments");
        let named = named.map_or(json!(0), |stream| stream["record_count"].clone());
        assert_eq!(report["blobs"], named, "{seed}: every file has its record");
        interrupted += u64::from(named != json!(300));
        assert_eq!(std::fs::read_dir(&uploads).unwrap().count(), 0, "{seed}");
    }
    assert!(interrupted > 0, "no import was stopped before its end");
}

/// How many files the import has noted: a line of a digest each.
fn listed(uploads: &std::path::Path) -> u64 {
    let entries = std::fs::read_dir(uploads).into_iter().flatten().flatten();
    let lists = entries.filter(|entry| entry.path().extension().is_some_and(|end| end == "list"));
    lists.filter_map(|list| list.metadata().ok()).map(|about| about.len() / 65).sum()
}

fn mail_with_files(count: u64) -> String {
    let mut mail = String::new();
    for number in 0..count {
        let minute = number % 60;
        write!(
            mail,
            "From a@b Mon Jan  1 00:00:00 2026\nMessage-ID: <{number}@x>\nSubject: s{number}\n\
             From: a@b.example\nDate: Mon, 1 Jan 2026 00:{minute:02}:00 +0000\n\
             Content-Type: multipart/mixed; boundary=q\n\n--q\nContent-Type: text/plain\n\n\
             hello {number}\n--q\nContent-Type: application/pdf\n\
             Content-Disposition: attachment; filename=f{number}.pdf\n\nPDF{number}\n--q--\n\n"
        )
        .unwrap();
    }
    mail
}

#[expect(clippy::disallowed_methods, reason = "the variable chooses the size of long tests")]
fn is_heavy() -> bool {
    std::env::var_os("PDPP_HEAVY").is_some()
}

/// Whether the store is sound and has what was committed; answers how many records it has.
fn check(home: &Home, committed: u64, seed: &str) -> u64 {
    let verified = home.run(&["verify", "--json"]);
    if verified.code != 0 && verified.error()["code"] == "no_store" {
        assert_eq!(committed, 0, "{seed}");
        return 0;
    }
    assert_eq!(verified.code, 0, "{seed}: {}", verified.stderr);
    let report = verified.document();
    assert_eq!(report["faults"], json!([]), "{seed}");
    // Before the first batch there may be a store without the connection.
    let shown = home.run(&["connection", "show", "post", "--json"]);
    let kept = if shown.code == 0 { shown.document()["record_count"].as_u64().unwrap() } else { 0 };
    assert!(kept >= committed, "{seed}: only {kept} are there");
    assert!(kept <= RECORDS, "{seed}: {kept} are there");
    kept
}

fn lines() -> String {
    let mut lines = String::new();
    for number in 0..RECORDS {
        let words = if number % LONG_EVERY == 0 { 2_000 } else { 4 };
        let body = format!("åäö {number} ").repeat(words);
        writeln!(lines, "{}", letter(number, &body)).unwrap();
    }
    lines
}

fn arguments(files: &[String; 2]) -> [&str; 7] {
    ["import", "jsonl", "--declaration", &files[0], &files[1], "--connection", "post"]
}

fn start(home: &Home, files: &[String; 2]) -> Child {
    let mut command = home.command(&arguments(files));
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    command.spawn().unwrap()
}

/// What the import says, line by line, as it says it.
struct Heard(Receiver<String>);

impl Heard {
    fn listen(stderr: ChildStderr) -> Self {
        let (send, receive) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(stderr).lines().map_while(Result::ok) {
                if send.send(line).is_err() {
                    return;
                }
            }
        });
        Self(receive)
    }

    /// Waits for so many lines, or for the end; answers the last number heard.
    fn wait_for_lines(&self, lines: u64) -> u64 {
        (0..lines).map_while(|_| self.0.recv().ok()).map(|line| number(&line)).max().unwrap_or(0)
    }

    /// Listens no longer than `pause`: the moment of the kill.
    fn wait_at_most(&self, pause: Duration) -> u64 {
        let until = std::time::Instant::now() + pause;
        let left = || until.saturating_duration_since(std::time::Instant::now());
        let heard = std::iter::from_fn(|| self.0.recv_timeout(left()).ok());
        heard.map(|line| number(&line)).max().unwrap_or(0)
    }

    /// What was said before the end and not heard yet.
    fn rest(&self) -> u64 {
        self.0.iter().map(|line| number(&line)).max().unwrap_or(0)
    }
}

fn number(line: &str) -> u64 {
    let number = line.strip_prefix("read ").and_then(|rest| rest.split_once(" item"));
    let (number, _) = number.unwrap_or_else(|| panic!("unexpected: {line}"));
    number.replace(',', "").parse().unwrap()
}

/// A small generator: the same moments on every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, below: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % below
    }
}
