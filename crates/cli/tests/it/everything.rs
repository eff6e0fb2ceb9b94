//! `pdpp import PATH…`: all of what a person gives comes in, and what does not is named.

use std::path::Path;

use serde_json::{Value, json};

use crate::program::Home;

const MAIL: &str = "From x@y Mon Jan  5 10:00:00 2026\nFrom: Ann <ann@example.org>\n\
    Date: Mon, 5 Jan 2026 10:00:00 +0100\nMessage-ID: <1@example.org>\nSubject: Boiler\n\nIt drips.\n";
const CALENDAR: &str = "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\nDTSTART:20260105T100000Z\n\
    SUMMARY:Choir\nEND:VEVENT\nEND:VCALENDAR\n";
const CARDS: &str = "BEGIN:VCARD\nVERSION:3.0\nFN:Ann\nUID:1\nEND:VCARD\n";
const CHAT: &str = "[1/2/26, 10:00:00] Ann: hello\n";

fn put(home: &Home, name: &str, content: &str) {
    let path = home.path().join("all").join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, content).unwrap();
}

fn takeout(home: &Home) -> String {
    put(home, "Takeout/Mail/All mail.mbox", MAIL);
    put(home, "Takeout/Calendar/home.ics", CALENDAR);
    put(home, "Takeout/Contacts/all.vcf", CARDS);
    home.path().join("all").display().to_string()
}

/// Account, added and unchanged, of every export in a report.
fn accounts(report: &Value) -> Vec<(String, u64, u64)> {
    let accounts = report["accounts"].as_array().unwrap().iter();
    let numbers = accounts.map(|account| {
        let number = |name: &str| account[name].as_u64().unwrap();
        (account["connection"].as_str().unwrap().to_owned(), number("added"), number("unchanged"))
    });
    numbers.collect()
}

#[test]
fn every_export_in_a_folder_comes_into_an_account_of_its_own_and_again_changes_nothing() {
    let home = Home::new();
    let all = takeout(&home);
    put(&home, "chats/WhatsApp Chat with Ann.txt", CHAT);
    let line = ["import", all.as_str(), "--yes", "--json"];
    let report = home.json(&line);
    let name = |name: &str, added, unchanged| (name.to_owned(), added, unchanged);
    let expected = [("calendar", 1), ("contacts", 1), ("mail", 2), ("whatsapp", 2)];
    assert_eq!(accounts(&report), expected.map(|(account, added)| name(account, added, 0)));
    assert_eq!((&report["added"], &report["left_out"]), (&json!(6), &json!([])));
    let again = home.json(&line);
    assert_eq!(accounts(&again), expected.map(|(account, same)| name(account, 0, same)));
}

#[test]
fn what_is_left_out_is_named_and_makes_the_exit_code() {
    let home = Home::new();
    let all = takeout(&home);
    put(&home, "Takeout/beach.jpg", "\u{1}");
    put(&home, "result.json", r#"{"about": "x", "chats": {"list": []}}"#);
    put(&home, "vault/.obsidian/app.json", r#"{"theme": "dark"}"#);
    let answer = home.run(&["import", &all, "--yes", "--json"]);
    assert_eq!(answer.code, 65, "{}", answer.stderr);
    let report = answer.document();
    assert_eq!(report["added"], json!(4));
    let left: Vec<_> = report["left_out"].as_array().unwrap().iter().collect();
    let kinds: Vec<_> = left.iter().map(|kind| kind["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["JSON files", "pictures", "settings"]);
    assert_eq!(left[0]["examples"][0]["seen"], json!("an object with about, chats"));
    assert_eq!(left[2]["may_be_personal"], json!(false));
    let words = home.run(&["import", &all, "--yes"]);
    assert!(
        words.stderr.contains("mbox: Takeout/Mail/All mail.mbox, 1 message"),
        "{}",
        words.stderr
    );
    assert!(
        words.stdout.contains("2 files that may be yours were not imported"),
        "{}",
        words.stdout
    );
}

#[test]
fn a_file_nobody_knows_is_answered_with_what_was_seen_and_what_is_supported() {
    let home = Home::new();
    let file = home.file("result.json", r#"{"about": "x", "chats": {"list": []}}"#);
    let answer = home.run(&["import", &file]);
    assert_eq!(answer.code, 65, "{}", answer.stdout);
    for words in ["an object with about, chats", "Supported: mbox, eml", "nothing to import"] {
        assert!(answer.stderr.contains(words), "{words}: {}", answer.stderr);
    }
    assert!(!Path::new(&home.data_dir().join("singer")).exists());
}

#[test]
fn a_name_is_that_of_a_single_source_and_the_beginning_of_several() {
    let home = Home::new();
    let mail = home.file("a.mbox", MAIL);
    let report = home.json(&["import", "auto", &mail, "--connection", "ann", "--json"]);
    assert_eq!(accounts(&report), [("ann".to_owned(), 2, 0)]);
    let all = takeout(&home);
    let report = home.json(&["import", &all, "--yes", "--connection", "ann", "--json"]);
    let names: Vec<_> = accounts(&report);
    let name = |name: &str, added, unchanged| (name.to_owned(), added, unchanged);
    let expected = [name("ann-calendar", 1, 0), name("ann-contacts", 1, 0), name("ann", 0, 2)];
    assert_eq!(names, expected, "mail goes on where it began");
}

#[test]
fn a_dry_run_shows_the_plan_and_writes_nothing() {
    let home = Home::new();
    let all = takeout(&home);
    let report = home.json(&["import", &all, "--dry-run", "--json"]);
    assert_eq!((&report["added"], &report["dry_run"]), (&json!(4), &json!(true)));
    assert_eq!(home.run(&["connection", "list"]).code, 1, "there is no store");
}
