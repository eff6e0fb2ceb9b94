//! `auto`: which format an export has, by the names of its files and how they begin.

use std::io::{self, Read};

use crate::export::file_index::Library;
use crate::export::{Export, Place};
use crate::format::Format;
use crate::formats::{calendar, chatgpt, contacts, mail, slack, spotify, table, whatsapp};

/// How much of a file is looked at.
const HEAD_BYTES: u64 = 64 * 1024;
/// How many files are looked into when no name tells.
const LOOKED_INTO: usize = 50;
/// How many lines of a letter's head are looked at.
const HEADER_LINES: usize = 40;
/// Header fields that every letter has some of, and hardly any other file begins with.
const MAIL_FIELDS: [&str; 9] = [
    "From",
    "To",
    "Date",
    "Subject",
    "Message-ID",
    "Received",
    "Return-Path",
    "Delivered-To",
    "MIME-Version",
];

/// The format of the export; `None` when nothing in it is known.
pub fn detect(export: &Export) -> io::Result<Option<Format>> {
    let places = export.places()?;
    let mut library = Library::new(export)?;
    let names: Vec<&str> = places.iter().map(|(name, _)| name.as_str()).collect();
    let any = |wanted: &dyn Fn(&str) -> bool| names.iter().any(|name| wanted(name));
    if any(&slack::is_day) && any(&|name| name.ends_with("users.json")) {
        return Ok(Some(Format::Slack));
    }
    if any(&spotify::is_history) {
        return Ok(Some(Format::Spotify));
    }
    if let Some((_, place)) = places.iter().find(|(name, _)| chatgpt::is_shard(name)) {
        let head = head(&mut library, place)?;
        let is_claude = head.contains("\"chat_messages\"") && !head.contains("\"mapping\"");
        return Ok(Some(if is_claude { Format::Claude } else { Format::Chatgpt }));
    }
    if any(&|name| name.contains("cur/") || name.contains("new/")) {
        return Ok(Some(Format::Maildir));
    }
    for (wanted, format) in [
        (calendar::is_calendar as fn(&str) -> bool, Format::Ics),
        (contacts::is_address_book, Format::Vcf),
        (|name: &str| name.to_ascii_lowercase().ends_with(".eml"), Format::Eml),
        (|name: &str| name.to_ascii_lowercase().ends_with(".mbox"), Format::Mbox),
    ] {
        if any(&wanted) {
            return Ok(Some(format));
        }
    }
    for (name, place) in places.iter().take(LOOKED_INTO) {
        if let Some(format) = by_content(name, &head(&mut library, place)?) {
            return Ok(Some(format));
        }
    }
    Ok(None)
}

fn by_content(name: &str, head: &str) -> Option<Format> {
    let start = head.trim_start_matches('\u{feff}').trim_start();
    let first = start.lines().next().unwrap_or_default();
    if mail::is_separator(first.as_bytes()) {
        return Some(Format::Mbox);
    }
    if first.eq_ignore_ascii_case("BEGIN:VCALENDAR") {
        return Some(Format::Ics);
    }
    if first.eq_ignore_ascii_case("BEGIN:VCARD") {
        return Some(Format::Vcf);
    }
    if whatsapp::is_chat(name)
        && start.lines().take(5).any(|line| whatsapp::read_stamp(line).is_some())
    {
        return Some(Format::Whatsapp);
    }
    if start.starts_with(['{', '[']) {
        let singer = first.contains("\"type\"") && first.contains("\"SCHEMA\"");
        return Some(if singer { Format::Singer } else { Format::Json });
    }
    if is_letter(start) {
        return Some(Format::Eml);
    }
    (table::is_table(name) && first.contains([',', ';', '\t'])).then_some(Format::Csv)
}

/// Whether a text begins with the head of a letter: header fields alone, several of them those of mail.
fn is_letter(start: &str) -> bool {
    let mut fields_of_mail = 0;
    for line in start.lines().take_while(|line| !line.is_empty()).take(HEADER_LINES) {
        if line.starts_with([' ', '\t']) {
            continue; // It goes on from the line before.
        }
        let Some((name, _)) = line.split_once(':') else { return false };
        if name.is_empty() || !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-') {
            return false;
        }
        let is_of_mail = MAIL_FIELDS.iter().any(|known| known.eq_ignore_ascii_case(name));
        fields_of_mail += usize::from(is_of_mail);
    }
    fields_of_mail >= 2
}

fn head(library: &mut Library<'_>, place: &Place) -> io::Result<String> {
    let mut bytes = Vec::new();
    library.open(place, |content| content.take(HEAD_BYTES).read_to_end(&mut bytes))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
