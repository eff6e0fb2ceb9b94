//! A full disk: access is ended, data is erased, reads are noted or refused, and the server says so.

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Stdio};

use serde_json::Value;

use crate::http::{self, Reply};
use crate::program::Home;
use crate::running::Running;
use crate::sample::{imported, letter, letters};
use crate::small_disk::{Disk, on_small_disk};

const RECORDS: &str = "/v1/streams/letters/records?limit=1";

/// A store with a grant; the agent's token.
fn granted(home: &Home) -> String {
    imported(home, "post", &letters(0..30));
    let line = ["grant", "create", "--client", "agent", "--allow", "post/letters", "--json"];
    home.json(&line)["access_token"].as_str().unwrap().to_owned()
}

fn reserve_bytes(home: &Home) -> u64 {
    let path = home.data_dir().join("pdpp.sqlite-reserve");
    std::fs::metadata(path).map_or(0, |about| about.len())
}

#[test]
fn a_revocation_is_kept_on_a_full_disk_and_readiness_tells_the_truth() {
    let name = "full_disk::a_revocation_is_kept_on_a_full_disk_and_readiness_tells_the_truth";
    on_small_disk(name, 24, |disk| {
        let home = Home::file_store();
        let token = granted(&home);
        let more = home.file("more.jsonl", &letters(30..3_000));
        let server = Running::alone(&home);
        let ready = || http::get(&format!("{}/readyz", server.base_url()), None);
        assert_eq!(server.get(RECORDS, &token).status, 200);
        assert_eq!((ready().status, reserve_bytes(&home)), (200, 8 << 20));
        disk.fill();
        let told = ready();
        assert_eq!(told.status, 503, "{:?}", told.body);
        assert!(told.body.to_string().contains("the disk is full"), "{:?}", told.body);
        let revoked = home.run(&["grant", "revoke", "agent", "--json"]);
        assert_eq!(revoked.code, 0, "{}", revoked.stderr);
        assert_eq!(server.get(RECORDS, &token).status, 403);
        let declaration = home.path().join("post.json");
        let declaration = declaration.to_str().unwrap();
        let line = ["import", "jsonl", "--declaration", declaration, &more, "--connection", "post"];
        let refused = home.run(&line);
        assert_ne!(refused.code, 0);
        assert!(refused.stderr.contains("the disk is full"), "{}", refused.stderr);
        disk.free();
        assert_eq!(ready().status, 200, "{:?}", ready().body);
        assert_eq!(reserve_bytes(&home), 8 << 20, "the reserve is whole again");
        assert_eq!(home.json(&["verify", "--json"])["faults"], serde_json::json!([]));
    });
}

#[test]
fn ordinary_writes_leave_the_reserved_space_to_revocations() {
    let name = "full_disk::ordinary_writes_leave_the_reserved_space_to_revocations";
    on_small_disk(name, 24, |disk| {
        let home = Home::file_store();
        granted(&home);
        // A revocation used the reserve, and another program has taken most of what became free.
        std::fs::write(home.data_dir().join("pdpp.sqlite-reserve"), "").unwrap();
        disk.fill();
        disk.leave(1 << 20);
        let line = ["grant", "create", "--client", "another", "--allow", "post/letters"];
        let refused = home.run(&line);
        assert_ne!(refused.code, 0, "{}", refused.stdout);
        assert!(refused.stderr.contains("the disk is full"), "{}", refused.stderr);
        let revoked = home.run(&["grant", "revoke", "agent", "--json"]);
        assert_eq!(revoked.code, 0, "{}", revoked.stderr);
        disk.free();
        assert_eq!(home.run(&line).code, 0);
        assert_eq!(reserve_bytes(&home), 8 << 20, "the reserve is whole again");
    });
}

#[test]
fn reads_stop_when_the_audit_log_cannot_be_written_and_the_end_says_what_is_lost() {
    let name =
        "full_disk::reads_stop_when_the_audit_log_cannot_be_written_and_the_end_says_what_is_lost";
    on_small_disk(name, 24, |disk| {
        let home = Home::file_store();
        let token = granted(&home);
        let (child, ready) = serve(&home);
        let base = ready["base_url"].as_str().unwrap();
        let read = || http::get(&format!("{base}{RECORDS}"), Some(&token));
        let (answered, refused) = read_until_refused(disk, read);
        assert_eq!((refused.status, refused.error_code()), (503, "unavailable"));
        assert!(refused.body.to_string().contains("audit log"), "{:?}", refused.body);
        let (code, said) = stop(child);
        assert_eq!(code, Some(1), "{said}");
        assert!(said.contains("could not be written to the audit log"), "{said}");
        disk.free();
        let noted = home.json(&["audit", "list", "--limit", "500", "--json"]);
        let noted = noted.to_string().matches(r#""list_records""#).count();
        assert!(noted < answered && answered - noted <= 64, "{answered} read, {noted} noted");
    });
}

/// Reads on a disk that is filled again and again; how many answers there were, and the refusal.
fn read_until_refused(disk: &Disk, read: impl Fn() -> Reply) -> (usize, Reply) {
    for answered in 0..2_000 {
        disk.fill();
        let reply = read();
        if reply.status != 200 {
            return (answered, reply);
        }
    }
    panic!("reads go on for ever");
}

#[test]
fn a_connection_is_removed_on_a_full_disk_without_room_for_its_data() {
    let name = "full_disk::a_connection_is_removed_on_a_full_disk_without_room_for_its_data";
    on_small_disk(name, 96, |disk| {
        let home = Home::file_store();
        // A usual step of the removal is larger than the reserve as well.
        let body = "the canary sings in a long letter ".repeat(240);
        let lines: Vec<String> = (0..2_000).map(|number| letter(number, &body)).collect();
        imported(&home, "post", &lines.join("\n"));
        imported(&home, "other", &letters(0..10));
        let size = std::fs::metadata(home.data_dir().join("pdpp.sqlite")).unwrap().len();
        assert!(size > 12 << 20, "larger than the reserve: {size} bytes");
        std::fs::remove_file(home.path().join("letters.jsonl")).unwrap();
        disk.fill();
        let removed = home.run(&["connection", "remove", "post", "--yes", "--json"]);
        assert_eq!(removed.code, 0, "{}", removed.stderr);
        assert_eq!(removed.document()["erased"]["records"], 2_000);
        assert!(!home.store_holds("canary sings"), "nothing of it is left");
        let report = home.json(&["verify", "--json"]);
        assert_eq!((&report["records"], &report["faults"]), (&10.into(), &serde_json::json!([])));
        disk.free();
        imported(&home, "other", &letters(10..20));
        assert_eq!(reserve_bytes(&home), 8 << 20);
    });
}

#[test]
fn what_can_be_read_is_read_where_nothing_can_be_written() {
    let name = "full_disk::what_can_be_read_is_read_where_nothing_can_be_written";
    on_small_disk(name, 24, |disk| {
        let home = Home::file_store();
        granted(&home);
        let backup = tempfile::Builder::new().tempdir_in("/dev/shm").unwrap();
        let to = backup.path().join("copy");
        disk.set_writable(false);
        for line in [
            &["connection", "list"][..],
            &["connection", "show", "post"],
            &["grant", "list"],
            &["audit", "list"],
            &["audit", "verify"],
            &["history", "show"],
            &["verify"],
            &["backup", to.to_str().unwrap()],
        ] {
            let answer = home.run(line);
            assert_eq!(answer.code, 0, "{line:?}: {}", answer.stderr);
        }
        let revoked = home.run(&["grant", "revoke", "agent"]);
        assert_eq!(revoked.code, 1);
        assert!(revoked.stderr.contains("is not writable"), "{}", revoked.stderr);
        disk.set_writable(true);
        assert_eq!(home.run(&["grant", "revoke", "agent"]).code, 0);
    });
}

/// A server whose last words are kept.
fn serve(home: &Home) -> (Child, Value) {
    let mut command = home.command(&["serve", "--json", "--listen", "127.0.0.1:0"]);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    (child, serde_json::from_str(&line).unwrap())
}

/// Asks it to stop; its exit code and what it said.
fn stop(mut child: Child) -> (Option<i32>, String) {
    let told = std::process::Command::new("sh")
        .args(["-c", &format!("kill -TERM {}", child.id())])
        .status();
    assert!(told.unwrap().success());
    let mut said = String::new();
    child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    (child.wait().unwrap().code(), said)
}
