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
        check(&home, committed, &seed);
        // Whoever starts the import again ends with everything, once.
        if round % 10 == 0 {
            assert_eq!(home.run(&arguments(&files)).code, 0, "{seed}");
            assert_eq!(record_count(&home, "post"), RECORDS, "{seed}");
            check(&home, RECORDS, &seed);
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "the variable chooses the size of long tests")]
fn is_heavy() -> bool {
    std::env::var_os("PDPP_HEAVY").is_some()
}

fn check(home: &Home, committed: u64, seed: &str) {
    let verified = home.run(&["verify", "--json"]);
    if verified.code != 0 && verified.error()["code"] == "no_store" {
        assert_eq!(committed, 0, "{seed}");
        return;
    }
    assert_eq!(verified.code, 0, "{seed}: {}", verified.stderr);
    let report = verified.document();
    assert_eq!(report["faults"], json!([]), "{seed}");
    if committed > 0 {
        let kept = record_count(home, "post");
        assert!(kept >= committed, "{seed}: only {kept} are there");
        assert!(kept <= RECORDS, "{seed}: {kept} are there");
    }
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
    let number = line.strip_prefix("committed ").and_then(|rest| rest.split_once(" record"));
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
