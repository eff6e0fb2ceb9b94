//! Large exports: memory does not grow with them, a kill in the middle loses nothing, and a third
//! time changes nothing. Small here, gigabytes under `PDPP_HEAVY`.

use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::process::Stdio;

use serde_json::Value;

use crate::program::Home;

const MIB: u64 = 1024 * 1024;
/// Enough for several commits after the one at which an import is killed.
const SMALL: u64 = 12 * MIB;
/// What an import may use beside twice its largest record, which is small here.
const MAX_MEMORY_KIB: u64 = 200 * 1024;

#[expect(clippy::disallowed_methods, reason = "the variable chooses the size of long tests")]
fn size_bytes(small: u64, heavy: u64) -> u64 {
    if std::env::var_os("PDPP_HEAVY").is_some() { heavy } else { small }
}

#[test]
fn a_large_mailbox_is_imported_in_bounded_memory() {
    let home = Home::new();
    let path = home.path().join("all.mbox");
    let mut out = BufWriter::new(File::create(&path).unwrap());
    let (mut written, mut number) = (0, 0_u64);
    while written < size_bytes(SMALL, 5 * 1024 * MIB) {
        let reply = if number % 3 == 0 { String::new() } else { format!("<{}@x>", number / 3 * 3) };
        let body = format!("Line {number} of a letter about boilers and plumbers.\n").repeat(160);
        let mail = format!(
            "From a@x Mon Jan  5 10:00:00 2026\nFrom: Ann <ann{}@x>\nMessage-ID: <{number}@x>\n\
             References: {reply}\nDate: Mon, 5 Jan 2026 10:00:00 +0000\nSubject: No {number}\n\n{body}\n",
            number % 100
        );
        out.write_all(mail.as_bytes()).unwrap();
        written += mail.len() as u64;
        number += 1;
    }
    out.into_inner().unwrap();
    killed_and_repeated(&home, "mbox", path.to_str().unwrap(), number + number.div_ceil(3));
}

#[test]
fn a_large_archive_is_imported_in_bounded_memory() {
    let home = Home::new();
    let path = home.path().join("export.zip");
    let mut zip = zip::ZipWriter::new(File::create(&path).unwrap());
    let (mut written, mut conversations, mut shard) = (0, 0_u64, 0);
    while written < size_bytes(SMALL, 2 * 1024 * MIB) {
        let name = format!("conversations-{shard:03}.json");
        zip.start_file(name, zip::write::SimpleFileOptions::default().large_file(true)).unwrap();
        let mut comma = "[";
        for _ in 0..100 {
            let text = format!("An answer about the boiler, number {conversations}. ").repeat(500);
            let item = format!(
                "{comma}{{\"id\":\"c{conversations}\",\"title\":\"No {conversations}\",\"create_time\":1700000000,\
                 \"current_node\":\"b\",\"mapping\":{{\"a\":{{\"message\":null}},\"b\":{{\"parent\":\"a\",\"message\":\
                 {{\"id\":\"b\",\"author\":{{\"role\":\"user\"}},\"content\":{{\"parts\":[\"{text}\"]}}}}}}}}}}"
            );
            zip.write_all(item.as_bytes()).unwrap();
            written += item.len() as u64;
            conversations += 1;
            comma = ",";
        }
        zip.write_all(b"]").unwrap();
        shard += 1;
    }
    zip.finish().unwrap();
    killed_and_repeated(&home, "chatgpt", path.to_str().unwrap(), conversations * 2);
}

fn killed_and_repeated(home: &Home, format: &str, path: &str, records: u64) {
    let line = ["import", format, path, "--connection", "all", "--json"];
    let killed = watched(home, &line, true);
    assert!(killed.report.is_none(), "it was killed");
    let second = watched(home, &line, false);
    let report = second.report.unwrap();
    let count = |report: &Value, name: &str| report[name].as_u64().unwrap();
    assert!(count(&report, "unchanged") > 0, "what was committed before the kill is there");
    assert_eq!(count(&report, "added") + count(&report, "unchanged"), records);
    let third = watched(home, &line, false);
    let report = third.report.unwrap();
    assert_eq!((count(&report, "added"), count(&report, "changed")), (0, 0));
    assert_eq!(count(&report, "unchanged"), records);
    let most = killed.memory_kib.max(second.memory_kib).max(third.memory_kib);
    println!("{format}: {records} records, at most {most} KiB of memory");
    assert!(most < MAX_MEMORY_KIB, "{most} KiB of memory");
}

struct Watched {
    report: Option<Value>,
    memory_kib: u64,
}

/// Runs an import and looks at its memory after each commit; kills it after the second.
fn watched(home: &Home, line: &[&str], kill: bool) -> Watched {
    let mut command = home.command(line);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut memory_kib = 0;
    let said = BufReader::new(child.stderr.take().unwrap()).lines().map_while(Result::ok);
    for (number, _) in said.enumerate() {
        memory_kib = peak_memory_kib(child.id()).max(memory_kib);
        if kill && number == 1 {
            child.kill().unwrap();
        }
    }
    let output = child.wait_with_output().unwrap();
    Watched { report: serde_json::from_slice(&output.stdout).ok(), memory_kib }
}

/// The most memory a process has used; nothing where the system does not tell.
fn peak_memory_kib(pid: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let number = peak.and_then(|peak| peak.split_whitespace().next());
    number.and_then(|number| number.parse().ok()).unwrap_or(0)
}
