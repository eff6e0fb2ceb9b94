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

/// A chat in the archive that a phone makes, with or without its media.
fn chat_archive(home: &Home, name: &str, entries: &[(&str, &[u8])]) -> String {
    use std::io::Write;
    let path = home.path().join(name);
    let mut zip = zip::ZipWriter::new(std::fs::File::create(&path).unwrap());
    for (name, content) in entries {
        zip.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
        zip.write_all(content).unwrap();
    }
    zip.finish().unwrap();
    path.display().to_string()
}

fn numbers(report: &Value) -> [u64; 4] {
    ["added", "changed", "unchanged", "rejected"].map(|name| report[name].as_u64().unwrap())
}

#[test]
fn a_later_export_without_media_takes_no_picture_away() {
    let home = Home::new();
    let line = "[1/2/26, 10:00:00] Ann: \u{200e}<attached: IMG-1.jpg>\n";
    let later = format!("{line}[1/3/26, 10:00:00] Ann: bye\n");
    let whole = [("_chat.txt", line.as_bytes()), ("IMG-1.jpg", &b"picture"[..])];
    let whole = chat_archive(&home, "WhatsApp Chat - Ann.zip", &whole);
    let report = home.json(&["import", "whatsapp", &whole, "--connection", "chat", "--json"]);
    assert_eq!(numbers(&report), [2, 0, 0, 0]);
    let bare =
        chat_archive(&home, "WhatsApp Chat - Ann (1).zip", &[("_chat.txt", later.as_bytes())]);
    let report = home.json(&["import", "whatsapp", &bare, "--connection", "chat", "--json"]);
    assert_eq!(numbers(&report), [1, 0, 2, 0], "the picture stays, one message is new");
}

#[test]
fn an_older_mailbox_does_not_roll_labels_back() {
    let labelled = |label: &str, later: &str| {
        let labelled = MAIL.replace("Subject:", &format!("X-Gmail-Labels: {label}\nSubject:"));
        format!("{labelled}\n{later}")
    };
    let newest = MAIL.replace("<1@", "<2@").replace("5 Jan 2026 10", "9 Jan 2026 10");
    let (older, newer) = (labelled("Inbox", ""), labelled("Archived", &newest));
    let labels = |order: [&str; 2]| {
        let home = Home::new();
        for (number, mailbox) in order.into_iter().enumerate() {
            let file = home.file(&format!("{number}.mbox"), mailbox);
            home.json(&["import", "mbox", &file, "--connection", "mail", "--json"]);
        }
        let again = home.file("newer.mbox", &newer);
        numbers(&home.json(&["import", "mbox", &again, "--connection", "mail", "--json"]))
    };
    assert_eq!(labels([&older, &newer]), [0, 0, 4, 0]);
    assert_eq!(labels([&newer, &older]), [0, 0, 4, 0], "the newer labels were kept");
}

#[test]
fn another_time_zone_changes_records_in_place_and_the_first_one_was_stated() {
    let table = "when,what\n2026-01-05 10:00:00,tea\n2026-01-06 10:00:00,milk\n";
    for (format, name, content) in [("csv", "log.csv", table), ("whatsapp", "Ann.txt", CHAT)] {
        let home = Home::new();
        let file = home.file(name, content);
        let first = ["import", format, &file, "--connection", "x", "--json"];
        let report = home.json(&first);
        let stated = report["notes"].to_string();
        assert!(stated.contains("read as UTC") && stated.contains("--time-zone"), "{stated}");
        let added = report["added"].as_u64().unwrap();
        let there = [&first[..], &["--time-zone", "Europe/Berlin"]].concat();
        let [more, changed, unchanged, _] = numbers(&home.json(&there));
        assert_eq!((more, changed + unchanged), (0, added), "{format}");
        assert!(changed > 0, "{format}: the times moved");
    }
}
