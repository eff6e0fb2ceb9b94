//! One read in a process of its own, which reports what it cost: nothing else has run there.

use std::process::Command;

use pdpp_contract::limits::DEFAULT_WINDOW_CHARS;
use pdpp_store::ReadScope;
use pdpp_store::text::{TextAnswer, TextRead, TextReader};
use serde::{Deserialize, Serialize};

use crate::backend::{id, notes, path};

/// Set in the process that is to measure.
const JOB: &str = "PDPP_GATE_PROBE";
const REPORT: &str = "probe report: ";

/// What to read, and where.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Job {
    /// A file, or the URL of a database.
    pub store: String,
    pub record: String,
    pub kind: Kind,
}

/// How to read the body of the record.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub enum Kind {
    /// One window of the usual size.
    Window { start: u64 },
    /// A match that does not exist: every chunk is looked at, none is kept.
    AbsentMatch,
    /// Everything at once: what must not be mistaken for a window.
    Whole,
}

/// What a read cost.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct Cost {
    /// Bytes that the process read to open a connection and to find the record, with every page of
    /// every index read for the first time.
    pub finding_bytes: u64,
    /// Bytes that it then read to answer, also for the first time.
    pub answer_bytes: u64,
    /// The most memory that the process ever held, in bytes.
    pub peak_memory: u64,
}

/// The job of this process, if it is one that measures.
#[expect(clippy::disallowed_methods, reason = "the environment is how a test asks its own copy")]
pub fn asked() -> Option<Job> {
    let job = std::env::var(JOB).ok()?;
    Some(serde_json::from_str(&job).unwrap())
}

/// Has a copy of the test `name` do the job and waits for its report.
pub fn cost(name: &str, job: &Job) -> Cost {
    let output = Command::new(std::env::current_exe().unwrap())
        .args([name, "--exact", "--nocapture", "--test-threads=1"])
        .env(JOB, serde_json::to_string(job).unwrap())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    let report = said.lines().find_map(|line| line.strip_prefix(REPORT));
    let report = report.unwrap_or_else(|| {
        panic!("{job:?}: no report\n{said}\n{}", String::from_utf8_lossy(&output.stderr))
    });
    serde_json::from_str(report).unwrap()
}

/// Does the job and prints the report.
pub async fn run(reader: &dyn TextReader, job: &Job) {
    let scope = ReadScope::new(vec![notes("a", &["id", "body"])]);
    let (id, body) = (id(&job.record), path("body"));
    let read = match job.kind {
        Kind::Window { start } => TextRead::Range { start, limit: DEFAULT_WINDOW_CHARS },
        Kind::AbsentMatch => {
            TextRead::Match { q: "xyzzy".to_owned(), before: 0, after: 0, limit: 100 }
        }
        Kind::Whole => TextRead::Range { start: 0, limit: u32::MAX },
    };
    let begin = own("io", "rchar:");
    let first = TextRead::Range { start: 0, limit: 1 };
    reader.read_text(&scope, &id, &path("id"), first).await.unwrap();
    let found = own("io", "rchar:");
    let answer = reader.read_text(&scope, &id, &body, read).await.unwrap();
    let answer_bytes = own("io", "rchar:") - found;
    match (job.kind, answer) {
        (Kind::Window { .. }, TextAnswer::Text(window)) => {
            let chars = u32::try_from(window.text.chars().count()).unwrap();
            assert_eq!(chars, DEFAULT_WINDOW_CHARS);
        }
        (Kind::AbsentMatch, TextAnswer::NoMatch) | (Kind::Whole, TextAnswer::Text(_)) => {}
        (kind, answer) => panic!("{kind:?}: {answer:.200?}"),
    }
    let peak_memory = own("status", "VmHWM:") * 1_024;
    let cost = Cost { finding_bytes: found - begin, answer_bytes, peak_memory };
    let report = serde_json::to_string(&cost).unwrap();
    // The test runner has already begun the line.
    println!("\n{REPORT}{report}");
}

/// A number that the kernel keeps about this process.
fn own(file: &str, name: &str) -> u64 {
    let text = std::fs::read_to_string(format!("/proc/self/{file}")).unwrap();
    let line = text.lines().find(|line| line.starts_with(name)).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}
