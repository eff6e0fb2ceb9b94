//! Everything out again: a JSONL export imports as the same records, other formats carry what they can.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::imported;
use crate::program::Home;
use crate::sample::{letter, letters};

const MAIL: &str = "From - Wed Mar  4 07:00:00 2026\n\
    Date: Wed, 04 Mar 2026 09:00:00 +0200\nFrom: =?utf-8?B?SsO8cmdlbg==?= <j@example.org>\n\
    To: Ann <ann@example.org>\nSubject: =?utf-8?B?S8O8Y2hl?=\nMessage-ID: <m1@example.org>\n\
    X-Gmail-Labels: Home,Tiles\nContent-Type: text/plain; charset=utf-8\n\n\
    The tiles come on Monday.\n>From here on nothing.\n\n";
const CALENDAR: &str = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VEVENT\r\nUID:e1\r\n\
    SUMMARY:Choir; and tea\r\nDTSTART:20260304T190000Z\r\nDTEND:20260304T200000Z\r\n\
    LOCATION:Hall\r\nDESCRIPTION:Bring\\nthe notes\r\nEND:VEVENT\r\nBEGIN:VEVENT\r\nUID:e2\r\n\
    SUMMARY:Holiday\r\nDTSTART;VALUE=DATE:20260501\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n";
const CONTACTS: &str = "BEGIN:VCARD\r\nVERSION:3.0\r\nUID:c1\r\nFN:Ann Muster\r\nN:Muster;Ann;;;\r\n\
    ORG:Tiles & Co\r\nEMAIL:ann@example.org\r\nTEL:+41 31 000 00 00\r\nNOTE:Met\\, once\r\n\
    BDAY:1980-03-05\r\nEND:VCARD\r\n";

fn export(home: &Home, account: &str, format: &str, to: &str, more: &[&str]) -> (Value, PathBuf) {
    let to = home.path().join(to);
    let line = ["export", account, "--format", format, "--to", to.to_str().unwrap(), "--json"];
    (home.json(&[&line[..], more].concat()), to)
}

/// Imports the JSONL export of an account into a store.
fn brought_in(home: &Home, from: &Path, account: &str) -> Value {
    let at = |name: &str| from.join(account).join(name).to_str().unwrap().to_owned();
    let (declaration, records, files) = (at("declaration.json"), at("records.jsonl"), at("files"));
    let mut line = vec!["import", "jsonl", "--declaration", &declaration, &records];
    line.extend(["--connection", account, "--json"]);
    if Path::new(&files).is_dir() {
        line.extend(["--blobs", &files]);
    }
    home.json(&line)
}

fn records(from: &Path, account: &str) -> Vec<String> {
    let text = std::fs::read_to_string(from.join(account).join("records.jsonl")).unwrap();
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    lines.sort();
    lines
}

#[test]
fn a_jsonl_export_is_imported_as_the_same_records() {
    let home = Home::new();
    // Texts with every kind of sign, short and long; one record that is deleted again.
    let odd = "\"quoted\\\" \u{1}\t\r\n<mark> é 日本 \u{1f388} ";
    let mut lines = letters(0..250);
    for (number, times) in [(300, 1), (301, 700), (302, 9_000)] {
        lines.push_str(&letter(number, &odd.repeat(times)));
        lines.push('\n');
    }
    let deleted = json!({"type": "RECORD", "stream": "letters", "key": "l3", "op": "delete",
        "emitted_at": "2026-04-01T00:00:00Z"});
    lines.push_str(&format!("{deleted}\n"));
    imported(&home, "post", &lines);
    let file = home.file("mail.mbox", &mail_with_file());
    let line = ["import", "mbox", &file, "--connection", "mail"];
    assert_eq!(home.run(&line).code, 0);
    let (report, first) = export(&home, "all", "jsonl", "first", &[]);
    let accounts = report["accounts"].as_array().unwrap();
    assert_eq!(accounts.len(), 2);
    let post = accounts.iter().find(|one| one["account"] == "post").unwrap();
    assert_eq!(post["streams"][0]["records"], 252);
    let mail = accounts.iter().find(|one| one["account"] == "mail").unwrap();
    assert_eq!((&mail["files"], &mail["missing_files"]), (&json!(1), &json!(0)));

    let other = Home::new();
    for account in ["post", "mail"] {
        let report = brought_in(&other, &first, account);
        assert_eq!(report["rejected"], 0, "{report}");
    }
    let (_, second) = export(&other, "all", "jsonl", "second", &[]);
    for account in ["post", "mail"] {
        assert_eq!(records(&first, account), records(&second, account), "{account}");
    }
    let name = std::fs::read_dir(first.join("mail/files")).unwrap().next().unwrap().unwrap();
    let again = second.join("mail/files").join(name.file_name());
    assert_eq!(std::fs::read(name.path()).unwrap(), std::fs::read(again).unwrap());
    let report = brought_in(&home, &first, "post");
    assert_eq!((&report["added"], &report["changed"]), (&json!(0), &json!(0)), "{report}");
}

fn mail_with_file() -> String {
    "From - Wed Mar  4 07:00:00 2026\nDate: Wed, 04 Mar 2026 09:00:00 +0200\n\
     From: Ann <ann@example.org>\nSubject: With a file\nMessage-ID: <m2@example.org>\n\
     MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\
     Content-Type: text/plain\n\nSee the plan.\n--b\nContent-Type: image/png\n\
     Content-Disposition: attachment; filename=plan.png\nContent-Transfer-Encoding: base64\n\n\
     iVBORw0KGgo=\n--b--\n\n"
        .to_owned()
}

#[test]
fn an_export_as_an_agent_holds_what_that_agent_may_see() {
    let home = Home::new();
    imported(&home, "post", &letters(0..20));
    imported(&home, "hidden", &letters(0..2));
    let spec = "post/letters:subject,sent_at@2026-03-02..2026-03-05";
    home.json(&["grant", "create", "--client", "agent", "--allow", spec, "--json"]);
    let (report, to) = export(&home, "all", "jsonl", "out", &["--as", "agent"]);
    assert_eq!(report["accounts"].as_array().unwrap().len(), 1);
    assert_eq!(records(&to, "post").len(), 3);
    for file in ["export.json", "post/records.jsonl", "post/declaration.json"] {
        let text = std::fs::read_to_string(to.join(file)).unwrap();
        for hidden in ["secret", "body", "parcels", "spare key", "hidden", "Dear reader"] {
            assert!(!text.contains(hidden), "{file} tells {hidden}: {text}");
        }
    }
    let other = Home::new();
    assert_eq!(brought_in(&other, &to, "post")["added"], 3);
    let to = home.path().join("no");
    let to = to.to_str().unwrap();
    let hidden = home.run(&["export", "hidden", "--format", "csv", "--to", to, "--as", "agent"]);
    assert_eq!(hidden.code, 1, "{}", hidden.stderr);
    home.json(&["grant", "revoke", "agent", "--json"]);
    let ended = home.run(&["export", "post", "--format", "csv", "--to", to, "--as", "agent"]);
    assert_eq!(ended.code, 77, "{}", ended.stderr);
    assert!(!Path::new(to).exists());
}

#[test]
fn nothing_is_overwritten_and_a_broken_export_is_told_from_a_whole_one() {
    let home = Home::new();
    imported(&home, "post", &letters(0..3));
    let (_, to) = export(&home, "post", "csv", "out", &[]);
    assert!(to.join("export.json").is_file() && !to.with_extension("partial").exists());
    let line =
        |to: &Path| home.run(&["export", "post", "--format", "csv", "--to", to.to_str().unwrap()]);
    let again = line(&to);
    assert_eq!(again.code, 64);
    assert!(again.stderr.contains("is not empty"), "{}", again.stderr);
    let broken = home.path().join("broken");
    std::fs::create_dir(home.path().join("broken.partial")).unwrap();
    let refused = line(&broken);
    assert_eq!(refused.code, 1);
    assert!(refused.stderr.contains("was broken off"), "{}", refused.stderr);
    assert!(!broken.exists());
    let empty = home.path().join("empty");
    std::fs::create_dir(&empty).unwrap();
    assert_eq!(line(&empty).code, 0);
    let mail = home.path().join("mail");
    let nothing = ["export", "post", "--format", "mbox", "--to", mail.to_str().unwrap()];
    let nothing = home.run(&nothing);
    assert_eq!(nothing.code, 65, "nothing of it is mail");
    assert!(nothing.stdout.contains("3 records left out: not mail"), "{}", nothing.stdout);
}

#[test]
fn tables_and_notes_hold_every_field() {
    let home = Home::new();
    let odd = "Dear \"reader\",\nall is, well";
    imported(&home, "post", &format!("{}\n", letter(1, odd)));
    let (_, to) = export(&home, "post", "csv", "tables", &[]);
    let table = std::fs::read_to_string(to.join("post/letters.csv")).unwrap();
    let row =
        "\"l1\",\"Letter 1\",\"2026-03-02T08:00:00Z\",\"Dear \"\"reader\"\",\nall is, well\",";
    assert!(table.contains(row), "{table}");
    assert!(table.starts_with("\"id\",\"subject\",\"sent_at\",\"body\",\"secret\"\r\n"), "{table}");
    let table = to.join("post/letters.csv");
    let other = Home::new();
    let line = ["import", "csv", table.to_str().unwrap(), "--connection", "t", "--json"];
    assert_eq!(other.json(&line)["added"], 1);
    let (_, to) = export(&home, "post", "md", "notes", &[]);
    let note = std::fs::read_to_string(to.join("post/letters/000001 Letter 1.md")).unwrap();
    assert!(note.contains("\"subject\": \"Letter 1\"\n"), "{note}");
    assert!(note.contains("# Letter 1\n") && note.contains(odd), "{note}");
}

/// The fields of the one stream that a format carries, after a way out and in again.
fn carried(format: &str, export_of: &str, stream: &str, fields: &[&str]) {
    let read = |home: &Home, to: &str| {
        let (_, to) = export(home, "it", "jsonl", to, &[]);
        let lines = records(&to, "it").into_iter();
        let lines = lines.map(|line| serde_json::from_str::<Value>(&line).unwrap());
        let of_stream = lines.filter(|line| line["stream"] == stream);
        let kept = |line: Value| fields.iter().map(|field| line["data"][*field].clone()).collect();
        let mut found: Vec<Vec<Value>> = of_stream.map(kept).collect();
        found.sort_by_key(|values| json!(values).to_string());
        found
    };
    let home = Home::new();
    let file = home.file(&format!("in.{format}"), export_of);
    assert_eq!(home.run(&["import", format, &file, "--connection", "it"]).code, 0);
    let (report, to) = export(&home, "it", format, "out", &[]);
    let report = report["accounts"][0]["streams"].as_array().unwrap().clone();
    let row = report.iter().find(|row| row["stream"] == stream).unwrap();
    let file = to.parent().unwrap().join("out").join(row["file"].as_str().unwrap());
    let other = Home::new();
    let back = other.run(&["import", format, file.to_str().unwrap(), "--connection", "it"]);
    assert_eq!(back.code, 0, "{}", back.stderr);
    let (before, after) = (read(&home, "before"), read(&other, "after"));
    assert!(!before.is_empty());
    assert_eq!(before, after, "{format}");
}

#[test]
fn mail_comes_back_from_an_mbox() {
    let fields = [
        "rfc822_id",
        "sent_at",
        "from_name",
        "from_address",
        "to",
        "subject",
        "body_text",
        "labels",
    ];
    carried("mbox", MAIL, "messages", &fields);
}

#[test]
fn events_come_back_from_a_calendar() {
    let fields = ["uid", "title", "starts_at", "ends_at", "all_day", "location", "description"];
    carried("ics", CALENDAR, "events", &fields);
}

#[test]
fn contacts_come_back_from_cards() {
    let fields = [
        "name",
        "given_name",
        "family_name",
        "organization",
        "emails",
        "phones",
        "note",
        "birthday",
    ];
    carried("vcf", CONTACTS, "contacts", &fields);
}
