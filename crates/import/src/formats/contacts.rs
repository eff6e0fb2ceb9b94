//! `vcf`: address books, vCard 2.1, 3 and 4.

use std::io::BufRead;

use calcard::vcard::{VCard, VCardEntry, VCardProperty as Property, VCardValue};
use pdpp_contract::{ErrorCode, Instant};

use crate::blobs::content_key;
use crate::export::Export;
use crate::format::{Format, Importer, Recognise};
use crate::readers::catch_panic::catch_panic;
use crate::readers::components::{ComponentPart, Components};
use crate::record::distinct_keys::DistinctKeys;
use crate::record::fields::RecordFields;
use crate::sink::{Flow, Sink};
use crate::survey::{Claim, CountBy, ItemCount};
use pdpp_contract::import::Rejected;

/// What address books look like.
const DECLARATION: &str = include_str!("declarations/contacts.json");

/// Address books.
pub static FORMAT: Format = Format {
    name: "vcf",
    help: "Read address books",
    reads: "address books, vCard 2.1 to 4",
    recognise: Recognise {
        rank: 39,
        claims: |file| {
            if is_address_book(file.name()) {
                return Some(Claim::file());
            }
            let is_own = file.first_line().eq_ignore_ascii_case("BEGIN:VCARD");
            is_own.then(Claim::file_of_any_name)
        },
        beside: None,
        counts: Some(ItemCount {
            what: ("contact", "contacts"),
            by: CountBy::LinesThatBegin("BEGIN:VCARD"),
        }),
    },
    importer: Importer::Declared { declaration: DECLARATION, import },
};

/// Reads every card.
fn import(export: &Export, sink: &mut Sink<'_>) -> Flow {
    let mut keys = DistinctKeys::default();
    export.each(sink, &is_address_book, &mut |_, reader, sink| read_cards(reader, &mut keys, sink))
}

/// Whether the file's name says that it holds cards.
fn is_address_book(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    [".vcf", ".vcard"].iter().any(|ending| name.ends_with(ending))
}

fn read_cards(reader: &mut dyn BufRead, keys: &mut DistinctKeys, sink: &mut Sink<'_>) -> Flow {
    let mut parts = Components::new(reader, &[]);
    loop {
        let part = match parts.next_part() {
            Ok(Some(part)) => part,
            Ok(None) => return Ok(()),
            Err(error) => {
                sink.begin_item();
                return sink.unreadable(error);
            }
        };
        sink.begin_item();
        let read = match part {
            ComponentPart::Component(name, text) if name == "VCARD" => card(&text, keys),
            ComponentPart::Component(_, text) | ComponentPart::Line(text) => {
                Err(Rejected::new(ErrorCode::MalformedRecord, "not a card", text.as_bytes()))
            }
            ComponentPart::Rejected(rejected) => Err(rejected),
        };
        match read {
            Ok((id, data)) => sink.record("contacts", &id, data)?,
            Err(rejected) => sink.reject(rejected)?,
        }
    }
}

fn card(text: &str, keys: &mut DistinctKeys) -> Result<(String, RecordFields), Rejected> {
    catch_panic(text.as_bytes(), || match VCard::parse(text) {
        Ok(card) => {
            let (id, data) = contact(&card, text);
            let id = keys.key(id, text);
            Ok((id.clone(), data.text("id", id)))
        }
        Err(_) => {
            let why = "not a card that can be read";
            Err(Rejected::new(ErrorCode::MalformedRecord, why, text.as_bytes()))
        }
    })
}

fn contact(card: &VCard, text: &str) -> (String, RecordFields) {
    let all = |property| card.properties(property).filter_map(|entry| whole(entry, " "));
    let first = |property| all(property).next();
    let emails: Vec<String> = all(&Property::Email).collect();
    let phones: Vec<String> = all(&Property::Tel).map(without_scheme).collect();
    let places = card.properties(&Property::Adr);
    let addresses: Vec<String> = places.filter_map(|entry| whole(entry, ", ")).collect();
    let names = name_parts(card);
    let name = first(&Property::Fn).or_else(|| names.as_ref().map(|names| names.full.clone()));
    let organization = first(&Property::Org);
    let name = name.or_else(|| organization.clone()).or_else(|| emails.first().cloned());
    let name = name.unwrap_or_else(|| "Unnamed".to_owned());
    let id = match first(&Property::Uid) {
        Some(uid) => content_key(&[b"uid", uid.as_bytes()]),
        None => {
            let (emails, phones) = (emails.join("\n"), phones.join("\n"));
            content_key(&[name.as_bytes(), emails.as_bytes(), phones.as_bytes()])
        }
    };
    let search = [emails.join(" "), phones.join(" "), addresses.join(" ")].join(" ");
    let data = RecordFields::default()
        .maybe("uid", first(&Property::Uid))
        .text("name", name)
        .maybe("given_name", names.as_ref().and_then(|names| names.given.clone()))
        .maybe("family_name", names.and_then(|names| names.family))
        .maybe("nickname", first(&Property::Nickname))
        .maybe("organization", organization)
        .maybe("position", first(&Property::Title))
        .texts("emails", emails)
        .texts("phones", phones)
        .texts("addresses", addresses)
        .texts("urls", all(&Property::Url))
        .texts("categories", all(&Property::Categories))
        .maybe("note", first(&Property::Note))
        .text("search_text", search.trim())
        .maybe("updated_at", updated_at(card));
    let data = match birthday(card, text) {
        Some((field, day)) => data.text(field, day),
        None => data,
    };
    (id, data)
}

struct Names {
    full: String,
    given: Option<String>,
    family: Option<String>,
}

fn name_parts(card: &VCard) -> Option<Names> {
    let entry = card.property(&Property::N)?;
    let mut parts = entry.values.iter().map(|value| value_text(value, " "));
    let (family, given) = (parts.next().flatten(), parts.next().flatten());
    let full: Vec<&str> = [&given, &family].into_iter().flatten().map(String::as_str).collect();
    let full = full.join(" ");
    (!full.is_empty()).then_some(Names { full, given, family })
}

/// All values of a property in one text.
fn whole(entry: &VCardEntry, between: &str) -> Option<String> {
    let values = entry.values.iter().filter_map(|value| value_text(value, between));
    let values: Vec<String> = values.collect();
    (!values.is_empty()).then(|| values.join(between))
}

fn value_text(value: &VCardValue, between: &str) -> Option<String> {
    let text = match value {
        VCardValue::Component(parts) => {
            let parts: Vec<&str> = parts
                .iter()
                .map(String::as_str)
                .map(str::trim)
                .filter(|part| !part.is_empty())
                .collect();
            parts.join(between)
        }
        other => other.as_text()?.trim().to_owned(),
    };
    (!text.is_empty()).then_some(text)
}

fn without_scheme(phone: String) -> String {
    match phone.strip_prefix("tel:") {
        Some(number) => number.to_owned(),
        None => phone,
    }
}

/// The year that Apple writes for a birthday whose year is not known.
const NO_YEAR: u16 = 1604;

/// A birthday, by the field it belongs to: month and day are no date, and no year is made up for them.
fn birthday(card: &VCard, text: &str) -> Option<(&'static str, String)> {
    let date = card.property(&Property::Bday)?.values.first()?.as_partial_date_time()?;
    // Version 4 writes days without hyphens, many of its writers do not.
    let hyphened = written_day(text).filter(|_| date.day.is_none());
    let (year, month, day) = match hyphened {
        Some(day) => (u16::try_from(day.year()).ok(), day.month(), day.day()),
        None => (date.year, i8::try_from(date.month?).ok()?, i8::try_from(date.day?).ok()?),
    };
    match year.filter(|year| *year != NO_YEAR) {
        Some(year) => {
            let text = format!("{year:04}-{month:02}-{day:02}");
            Instant::parse(&text).map(|_| ("birthday", text))
        }
        // A leap year, so that 29 February is a day.
        None => {
            Instant::parse(&format!("{NO_YEAR}-{month:02}-{day:02}"))?;
            Some(("birthday_without_year", format!("{month:02}-{day:02}")))
        }
    }
}

/// The birthday as `1985-04-12`, where it is written so.
fn written_day(text: &str) -> Option<jiff::civil::Date> {
    let mut lines = text.lines().filter_map(|line| line.split_once(':'));
    let is_birthday = |head: &str| {
        let name = head.split(';').next().unwrap_or_default();
        name.eq_ignore_ascii_case("BDAY")
    };
    let (_, value) = lines.find(|(head, _)| is_birthday(head))?;
    value.trim().get(..10)?.parse().ok()
}

fn updated_at(card: &VCard) -> Option<String> {
    let when = card.property(&Property::Rev)?.values.first()?.as_partial_date_time()?;
    let seconds = when.to_date_time_with_tz(calcard::common::timezone::Tz::UTC)?.timestamp();
    jiff::Timestamp::from_second(seconds).ok().map(|when| when.to_string())
}
