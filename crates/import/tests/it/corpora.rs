//! Real mail, calendars, cards and chats, when `PDPP_CORPORA` names a folder of them.
//!
//! `cargo xtask heavy` fetches them; they are never part of the repository. Every item must come
//! out as a record or as a refusal.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use pdpp_import::export::folder;

use crate::bench::{Outcome, import_paths};

#[expect(clippy::disallowed_methods, reason = "the run that fetches corpora says where they are")]
/// The corpus of this name, when it was fetched.
pub fn corpus(name: &str) -> Option<PathBuf> {
    let path = PathBuf::from(std::env::var_os("PDPP_CORPORA")?).join(name);
    path.is_dir().then_some(path)
}

fn report(what: &str, outcome: &Outcome) {
    let mut streams: BTreeMap<&str, usize> = BTreeMap::new();
    for (stream, _) in outcome.records.keys() {
        *streams.entry(stream).or_default() += 1;
    }
    let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
    for (_, _, refused) in &outcome.rejected {
        *reasons.entry(&refused.message).or_default() += 1;
    }
    println!("{what}: {} items, {streams:?}, refused {reasons:?}", outcome.items);
}

fn files(root: &Path, ending: &str) -> Vec<PathBuf> {
    let found = folder::files(root).unwrap().files.into_iter();
    found.map(|file| file.path).filter(|path| path.to_string_lossy().ends_with(ending)).collect()
}

/// Items whose file is a message: one message or one refusal each.
fn messages_and_refusals(outcome: &Outcome) -> usize {
    outcome.stream("messages").len() + outcome.rejected.len()
}

#[test]
fn six_thousand_mails_are_the_same_as_files_and_as_a_mailbox() {
    let Some(root) = corpus("spam-assassin") else { return };
    let mut paths = files(&root, ".txt");
    assert!(paths.len() > 6_000, "{} mails", paths.len());
    let as_files = import_paths("eml", &paths);
    report("SpamAssassin as files", &as_files);
    let folder = tempfile::tempdir().unwrap();
    let mut keys = Vec::new();
    for round in 0..2 {
        let mailbox = folder.path().join("all.mbox");
        std::fs::write(&mailbox, as_mailbox(&paths)).unwrap();
        let outcome = import_paths("mbox", &[mailbox]);
        report(&format!("SpamAssassin as a mailbox, order {round}"), &outcome);
        keys.push(outcome.records.keys().cloned().collect::<Vec<_>>());
        paths.reverse();
    }
    assert_eq!(keys[0], keys[1], "the order of messages does not matter");
    assert_eq!(keys[0], as_files.records.keys().cloned().collect::<Vec<_>>());
}

fn as_mailbox(paths: &[PathBuf]) -> Vec<u8> {
    let mut mailbox = Vec::new();
    for path in paths {
        let raw = std::fs::read(path).unwrap();
        let mut lines = raw.split_inclusive(|&byte| byte == b'\n').peekable();
        lines.next_if(|line| line.starts_with(b"From "));
        mailbox.extend_from_slice(b"From x@example.org Mon Jan  5 10:00:00 2026\n");
        for line in lines {
            let quoted = line.iter().position(|&byte| byte != b'>').unwrap_or(0);
            if line[quoted..].starts_with(b"From ") {
                mailbox.push(b'>');
            }
            mailbox.extend_from_slice(line);
        }
        if !raw.ends_with(b"\n") {
            mailbox.push(b'\n');
        }
        mailbox.push(b'\n');
    }
    mailbox
}

#[test]
fn malformed_mail_gives_a_message_or_a_reason() {
    let Some(root) = corpus("mail-parser") else { return };
    let paths = files(&root, ".eml");
    assert!(paths.len() > 50, "{} mails", paths.len());
    // One by one: several of them are the same message.
    let mut all = Outcome::default();
    for path in paths {
        let one = import_paths("eml", std::slice::from_ref(&path));
        assert_eq!(messages_and_refusals(&one), 1, "{}", path.display());
        all.items += one.items;
        all.records.extend(one.records);
        all.rejected.extend(one.rejected);
    }
    report("mail-parser's mails", &all);
}

#[test]
fn calendars_and_cards_give_records_or_reasons() {
    let Some(root) = corpus("calcard") else { return };
    let cases: [(&str, &str, &str); 2] = [("calendars", ".ics", "ics"), ("cards", ".vcf", "vcf")];
    for (what, ending, format) in cases {
        let mut all = Outcome::default();
        for path in files(&root, ending) {
            let one = import_paths(format, std::slice::from_ref(&path));
            assert!(one.items > 0 || is_empty(&path), "{} gives nothing", path.display());
            all.items += one.items;
            all.records.extend(one.records);
            all.rejected.extend(one.rejected);
        }
        report(what, &all);
        assert!(all.rejected.len() * 5 < all.items, "most {what} are read");
    }
}

/// A calendar that holds nothing but its own description.
fn is_empty(path: &Path) -> bool {
    let text = std::fs::read_to_string(path).unwrap_or_default().to_ascii_uppercase();
    !text.contains("BEGIN:VEVENT") && !text.contains("BEGIN:VTODO") && !text.contains("BEGIN:VCARD")
}

#[test]
fn chats_are_read_to_the_last_line() {
    let Some(root) = corpus("whatstk") else { return };
    for path in files(&root, ".txt") {
        let outcome = import_paths("whatsapp", std::slice::from_ref(&path));
        report(&path.file_name().unwrap().to_string_lossy(), &outcome);
        assert_eq!(outcome.rejected, []);
        assert!(!outcome.stream("messages").is_empty());
    }
}
