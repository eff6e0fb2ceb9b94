//! Looking through what a person gives: every export is found, and what is left out is named.

use pdpp_import::export::Export;
use pdpp_import::survey::{Survey, add_unread, survey};

use crate::bench::{collect, folder, zipped};

const MAIL: &[u8] = b"From a@b Mon Jan  5 10:00:00 2026\nFrom: a@b\nSubject: x\n\nhi\n";
const CALENDAR: &[u8] = b"BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\nDTSTART:20260105T100000Z\n\
    SUMMARY:Choir\nEND:VEVENT\nEND:VCALENDAR\n";
const CARD: &[u8] = b"BEGIN:VCARD\nVERSION:3.0\nFN:Ann\nEND:VCARD\n";
const CHAT: &[u8] = b"[1/2/26, 10:00:00] Ann: hi\n[1/2/26, 10:01:00] Ann: <attached: IMG-1.jpg>\n";

fn surveyed(files: &[(&str, &[u8])]) -> Survey {
    let folder = folder(files);
    survey(Export::open(&[folder.path().to_owned()]).unwrap()).unwrap()
}

/// Format, place, files and items of every export.
fn found(survey: &Survey) -> Vec<(&str, &str, u64, Option<u64>)> {
    let exports = survey.exports.iter();
    let described =
        exports.map(|found| (found.format.name, found.place.as_str(), found.files, found.items));
    described.collect()
}

fn left_out(survey: &Survey) -> Vec<(&str, u64)> {
    survey.left_out.iter().map(|left| (left.kind, left.files)).collect()
}

#[test]
fn a_takeout_in_an_archive_is_found_whole() {
    let takeout = zipped(&[
        ("Takeout/Mail/All mail.mbox", MAIL),
        ("Takeout/Calendar/home.ics", CALENDAR),
        ("Takeout/Contacts/All Contacts/All Contacts.vcf", CARD),
        ("Takeout/archive_browser.html", b"<html>"),
        ("Takeout/Timeline/Settings.json", b"{\"hasReportedLocations\": true}"),
    ]);
    let survey = surveyed(&[("takeout-001.zip", &takeout), ("beach.jpg", b"\xff\xd8")]);
    assert_eq!(
        found(&survey),
        [
            ("mbox", "Takeout/Mail/All mail.mbox", 1, Some(1)),
            ("ics", "Takeout/Calendar/home.ics", 1, Some(1)),
            ("vcf", "Takeout/Contacts/All Contacts/All Contacts.vcf", 1, Some(1)),
        ]
    );
    assert_eq!(left_out(&survey), [("JSON files", 1), ("pictures", 1), ("web pages", 1)]);
    let json = &survey.left_out[0].examples[0];
    assert_eq!(json.seen.as_deref(), Some("an object with hasReportedLocations"));
}

#[test]
fn exports_of_one_kind_in_several_folders_stay_apart() {
    let survey = surveyed(&[
        ("ann/conversations.json", b"[{\"mapping\":{}}]"),
        ("ann/chat.html", b"<html>"),
        ("bo/conversations.json", b"[{\"chat_messages\":[]}]"),
        ("bo/projects.json", b"[]"),
        ("chats/ann.txt", CHAT),
        ("chats/IMG-1.jpg", b"\xff\xd8"),
        ("work/users.json", b"[]"),
        ("work/channels.json", b"[]"),
        ("work/general/2026-01-05.json", b"[]"),
    ]);
    let places: Vec<_> =
        found(&survey).into_iter().map(|(name, place, ..)| (name, place)).collect();
    let expected = [("chatgpt", "ann"), ("claude", "bo"), ("slack", "work"), ("whatsapp", "chats")];
    assert_eq!(places, expected);
    assert_eq!(left_out(&survey), [("known files without records", 1)]);
}

#[test]
fn what_nobody_knows_is_no_export() {
    let survey = surveyed(&[
        (".obsidian/app.json", b"{\"theme\": \"dark\"}"),
        ("result.json", b"{\"about\": \"x\", \"chats\": {\"list\": [{\"id\": 1}]}}"),
        ("diary.txt", b"Dear diary, it rained, again.\nI read.\n"),
        ("History", b"SQLite format 3\0\x10"),
        (".DS_Store", b"\0\0"),
    ]);
    assert_eq!(found(&survey), []);
    let mut kinds = left_out(&survey);
    kinds.sort_unstable();
    let expected = ["JSON files", "databases", "settings", "system files", "text files"];
    assert_eq!(kinds, expected.map(|kind| (kind, 1)));
    let personal = survey.left_out.iter().filter(|left| left.is_personal).count();
    assert_eq!(personal, 3);
}

#[test]
fn attachments_that_no_record_refers_to_are_left_out() {
    let folder = folder(&[
        ("chats/ann.txt", CHAT),
        ("chats/IMG-1.jpg", b"\xff\xd8"),
        ("chats/IMG-2.jpg", b"\xff\xd8"),
    ]);
    let survey = survey(Export::open(&[folder.path().to_owned()]).unwrap()).unwrap();
    let [found] = <[_; 1]>::try_from(survey.exports).ok().unwrap();
    assert_eq!(found.attachments, 2);
    let export = found.export.clone();
    let prepared = found.format.prepare(found.export, None, None).unwrap();
    let declaration = prepared.declaration.clone();
    let outcome = collect(&declaration, move |sink| prepared.read(sink));
    assert_eq!(outcome.stream("messages").len(), 2);
    let left = add_unread(survey.left_out, &export);
    assert_eq!(left.len(), 1);
    assert_eq!((left[0].kind, left[0].examples[0].name.as_str()), ("pictures", "chats/IMG-2.jpg"));
}
