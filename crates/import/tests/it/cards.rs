//! Calendars and address books.

use std::collections::BTreeSet;

use pdpp_contract::Json;
use proptest::prelude::*;

use crate::bench::{import, import_file, text};

const CALENDAR: &str = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nX-WR-CALNAME:Home\r\n\
    BEGIN:VTIMEZONE\r\nTZID:My Zone\r\nBEGIN:STANDARD\r\nDTSTART:19700101T000000\r\n\
    TZOFFSETFROM:+0100\r\nTZOFFSETTO:+0100\r\nEND:STANDARD\r\nEND:VTIMEZONE\r\n\
    BEGIN:VEVENT\r\nUID:e1\r\nSUMMARY:Plumber\r\nDESCRIPTION:Boiler\\, again and a\r\n gain\r\n\
    DTSTART;TZID=Europe/Berlin:20260703T100000\r\nDURATION:PT90M\r\n\
    RRULE:FREQ=WEEKLY;\r\n COUNT=3\r\nORGANIZER;CN=Ann:mailto:ann@example.org\r\n\
    ATTENDEE;CN=Bo;PARTSTAT=ACCEPTED;ROLE=REQ-PARTICIPANT:mailto:bo@example.org\r\n\
    BEGIN:VALARM\r\nACTION:DISPLAY\r\nEND:VALARM\r\nEND:VEVENT\r\n\
    BEGIN:VEVENT\r\nUID:e1\r\nRECURRENCE-ID;TZID=Europe/Berlin:20260710T100000\r\nSUMMARY:Plumber moved\r\n\
    DTSTART;TZID=My Zone:20260711T100000\r\nDTEND:20260711T103000Z\r\nEND:VEVENT\r\n\
    BEGIN:VEVENT\r\nUID:e2\r\nSUMMARY:Holiday\r\nDTSTART;VALUE=DATE:20260801\r\nEND:VEVENT\r\n\
    BEGIN:VTODO\r\nUID:t1\r\nSUMMARY:Pay\r\nDUE:20260901T120000Z\r\nPRIORITY:1\r\nEND:VTODO\r\n\
    BEGIN:VFREEBUSY\r\nUID:f\r\nEND:VFREEBUSY\r\nEND:VCALENDAR\r\n";

#[test]
fn a_calendar_gives_events_attendees_and_tasks() {
    let outcome = import_file("ics", "home.ics", CALENDAR.as_bytes());
    let event = outcome.find("events", "starts_at", "2026-07-03T10:00:00+02:00");
    assert_eq!(text(event, "title"), "Plumber");
    let third = outcome.find("events", "starts_at", "2026-07-17T10:00:00+02:00");
    assert_eq!(text(third, "series_id"), text(event, "id"));
    assert_eq!(text(event, "ends_at"), "2026-07-03T09:30:00Z");
    assert_eq!(text(event, "description"), "Boiler, again and again");
    assert_eq!(text(event, "recurrence"), "FREQ=WEEKLY;COUNT=3");
    assert_eq!((text(event, "organizer"), text(event, "calendar")), ("ann@example.org", "Home"));
    let guest = outcome.find("attendees", "address", "bo@example.org");
    assert_eq!((text(guest, "event_id"), text(guest, "answer")), (text(event, "id"), "accepted"));
    let moved = outcome.find("events", "title", "Plumber moved");
    assert_ne!(text(moved, "id"), text(event, "id"));
    assert_eq!(text(moved, "starts_at"), "2026-07-11T10:00:00+01:00");
    let day = outcome.find("events", "title", "Holiday");
    assert_eq!(
        (text(day, "starts_at"), &day["all_day"]),
        ("2026-08-01T00:00:00Z", &Json::Bool(true))
    );
    assert_eq!(text(outcome.find("tasks", "title", "Pay"), "due_at"), "2026-09-01T12:00:00Z");
    assert_eq!(outcome.rejected.len(), 1, "free and busy times are named as not imported");
}

#[test]
fn the_same_event_in_other_zones_is_another_event_and_the_same_one_is_not() {
    let west = CALENDAR.replace("TZOFFSETTO:+0100", "TZOFFSETTO:-0100");
    let noted = CALENDAR.replace("END:VALARM", "X-NOTE:seen\r\nEND:VALARM");
    let files = [("1.ics", CALENDAR), ("2.ics", &west), ("3.ics", &noted)];
    let files = files.map(|(name, text)| (name, text.as_bytes()));
    let outcome = import("ics", &files);
    let events = outcome.stream("events");
    let starts: BTreeSet<&str> = events
        .iter()
        .filter(|event| text(event, "title") == "Plumber moved")
        .map(|event| text(event, "starts_at"))
        .collect();
    assert_eq!(starts.len(), 2, "one in each zone: {starts:?}");
    assert_eq!(events.len(), 5, "what is alike in all files is there once");
}

#[test]
fn a_calendar_that_is_cut_or_none_is_refused() {
    let cut = CALENDAR.split_once("BEGIN:VTODO").unwrap().0;
    // The line breaks of old Macs make one line of it, which no reason may quote.
    let one_line = CALENDAR.replace("\r\n", "\r");
    for (content, events, why) in
        [(cut, 4, "has no end"), ("\0\u{1}", 0, "no calendar"), (&one_line, 0, "no calendar")]
    {
        let outcome = import_file("ics", "a.ics", content.as_bytes());
        assert_eq!((outcome.stream("events").len(), outcome.rejected.len()), (events, 1));
        assert!(outcome.rejected[0].2.message.contains(why), "{:?}", outcome.rejected);
    }
}

#[test]
fn cards_of_every_version_are_read() {
    let cards = "BEGIN:VCARD\r\nVERSION:4.0\r\nUID:u1\r\nFN:Ann Lee\r\nN:Lee;Ann;;;\r\nEMAIL:ann@example.org\r\n\
        TEL;VALUE=uri:tel:+491\r\nADR:;;Main St 1;Bern;;3000;CH\r\nBDAY:19800102\r\nREV:20260101T000000Z\r\nEND:VCARD\r\n\
        BEGIN:VCARD\nVERSION:2.1\nN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:M=C3=BCller;Bo\nTEL;CELL:123\nEND:VCARD\n\
        BEGIN:VCARD\nVERSION:3.0\nFN:Cy\nORG:Works;Lab\nNOTE:likes\\ntea\n";
    let outcome = import_file("vcf", "all.vcf", cards.as_bytes());
    let ann = outcome.find("contacts", "name", "Ann Lee");
    assert_eq!(ann["emails"].to_canonical(), r#"["ann@example.org"]"#);
    assert_eq!(ann["phones"].to_canonical(), r#"["+491"]"#);
    assert_eq!(ann["addresses"].to_canonical(), r#"["Main St 1, Bern, 3000, CH"]"#);
    assert_eq!(
        (text(ann, "birthday"), text(ann, "updated_at")),
        ("1980-01-02", "2026-01-01T00:00:00Z")
    );
    let bo = outcome.find("contacts", "name", "Bo Müller");
    assert_eq!(bo["phones"].to_canonical(), r#"["123"]"#);
    assert_eq!(outcome.rejected.len(), 1, "a card without an end");
}

/// A weekly choir since summer time, with one evening off and one moved; the move stands first.
const CHOIR: &str = "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:choir\r\nRECURRENCE-ID:20261029T180000Z\r\n\
    DTSTART;TZID=Europe/Berlin:20261030T190000\r\nSUMMARY:Choir (moved)\r\nEND:VEVENT\r\n\
    BEGIN:VEVENT\r\nUID:choir\r\nDTSTART;TZID=Europe/Berlin:20261015T190000\r\n\
    DTEND;TZID=Europe/Berlin:20261015T203000\r\nRRULE:FREQ=WEEKLY\r\n\
    EXDATE;TZID=Europe/Berlin:20261105T190000\r\nSUMMARY:Choir\r\n\
    DESCRIPTION:<p>Bring <b>scores</b></p>\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n";

#[test]
fn a_series_has_its_occurrences_beside_it() {
    let outcome = import_file("ics", "a.ics", CHOIR.as_bytes());
    assert_eq!(outcome.rejected, []);
    let mut starts: Vec<&str> =
        outcome.stream("events").into_iter().map(|event| text(event, "starts_at")).collect();
    starts.sort_unstable();
    let first = [
        "2026-10-15T19:00:00+02:00",
        "2026-10-22T19:00:00+02:00",
        "2026-10-30T19:00:00+01:00",
        "2026-11-12T19:00:00+01:00",
    ];
    assert_eq!(starts[..4], first, "moved, left out, and in winter time");
    assert!((100..=112).contains(&starts.len()), "two years of weeks: {}", starts.len());
    let second = outcome.find("events", "starts_at", "2026-10-22T19:00:00+02:00");
    assert_eq!(text(second, "ends_at"), "2026-10-22T18:30:00Z");
    assert_eq!(text(second, "description"), "Bring scores");
    let series = outcome.find("events", "starts_at", first[0]);
    assert_eq!(text(second, "series_id"), text(series, "id"));
    assert_eq!(text(series, "recurrence"), "FREQ=WEEKLY");
    assert_eq!(import_file("ics", "a.ics", CHOIR.as_bytes()).records, outcome.records);
}

#[test]
fn endless_series_are_bounded() {
    let every_second = CHOIR.replace("WEEKLY", "SECONDLY");
    let outcome = import_file("ics", "a.ics", every_second.as_bytes());
    assert!(outcome.items <= 4_010, "{}", outcome.items);
}

#[test]
fn a_birthday_without_a_year_stays_without_one() {
    for (written, with_year, without_year) in [
        ("BDAY:--0305", "", "03-05"),
        ("BDAY;X-APPLE-OMIT-YEAR=1604:1604-03-05", "", "03-05"),
        ("BDAY:1985-04-12", "1985-04-12", ""),
    ] {
        for version in ["3.0", "4.0"] {
            let card =
                format!("BEGIN:VCARD\r\nVERSION:{version}\r\nFN:Ann\r\n{written}\r\nEND:VCARD\r\n");
            let outcome = import_file("vcf", "a.vcf", card.as_bytes());
            let contact = outcome.find("contacts", "name", "Ann");
            let found = (text(contact, "birthday"), text(contact, "birthday_without_year"));
            assert_eq!(found, (with_year, without_year), "{written} {version}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn damaged_calendars_give_records_or_refusals(at in 0..CALENDAR.len(), byte in any::<u8>()) {
        let mut bytes = CALENDAR.as_bytes().to_vec();
        bytes[at] = byte;
        let outcome = import_file("ics", "a.ics", &bytes);
        prop_assert!(outcome.items > 0);
    }

    #[test]
    fn any_lines_give_records_or_refusals(body in "(BEGIN|END|DTSTART|N|FN|UID|TEL|RRULE|X)(;[A-Z]{1,8}=.{0,5})?:.{0,30}\n{0,4}") {
        let files: [(&str, &str, &str); 2] = [
            ("ics", "a.ics", "VEVENT"),
            ("vcf", "a.vcf", "VCARD"),
        ];
        for (format, name, component) in files {
            let whole = format!("BEGIN:{component}\n{body}\nEND:{component}\n");
            let outcome = import_file(format, name, whole.as_bytes());
            prop_assert!(outcome.items > 0);
        }
    }
}
